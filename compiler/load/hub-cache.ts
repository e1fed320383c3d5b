/** The local cache of the Hugging Face Hub (huggingface_hub 2.4): `hf:org/name`, `hf:org/name@revision`. Nothing is downloaded. */
import { homedir } from "node:os";
import { join } from "node:path";
import { isDirectory, isFile, readText } from "./files.js";
import { DEFAULT_VARIANT, LoadError, type LoadedTemplate } from "./loaded.js";
import { loadModelFolder } from "./model-folder.js";

export async function loadFromHub(location: string): Promise<readonly LoadedTemplate[]> {
  const [repository = "", revision = "main"] = location.split("@");
  const shown = `hf:${location}`;
  checkRepository(shown, repository);
  const folder = await snapshotOf(shown, repository, revision);
  const name = repository.slice(repository.indexOf("/") + 1);
  const templates = await loadModelFolder(folder, name);
  // A path into the cache would differ from one computer to the next.
  return templates.map((each) => ({ ...each, file: fileOf(shown, each) }));
}

function fileOf(shown: string, { variant = DEFAULT_VARIANT }: LoadedTemplate): string {
  return variant === DEFAULT_VARIANT ? shown : `${shown}#${variant}`;
}

/** utils/_validators.py, validate_repo_id. */
function checkRepository(shown: string, repository: string): void {
  const isValid =
    /^(\w[\w.-]*\/)?\w[\w.-]{0,95}$/.test(repository) && !/--|\.\.|[.-]$|\.git$/.test(repository);
  if (!isValid) throw new LoadError(shown, "is not the name of a model: write hf:org/name");
}

/** constants.py: HF_HUB_CACHE, HF_HOME and what stands in for them. */
function cacheDirectory(): string {
  const { HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME, XDG_CACHE_HOME } = process.env;
  const home = HF_HOME ?? join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "huggingface");
  return withHome(HF_HUB_CACHE ?? HUGGINGFACE_HUB_CACHE ?? join(home, "hub"));
}

function withHome(path: string): string {
  return path.replace(/^~(?=\/|$)/, homedir());
}

/** The snapshot that a branch, a tag or a commit names (file_download.py, try_to_load_from_cache). */
async function snapshotOf(shown: string, repository: string, revision: string): Promise<string> {
  const cache = join(cacheDirectory(), `models--${repository.replaceAll("/", "--")}`);
  const hint = `run \`hf download ${repository} --include "*.json" "*.jinja"\` first`;
  if (!(await isDirectory(cache))) throw new LoadError(shown, `is not in ${cache}: ${hint}`);
  if (!isPlainPath(revision)) throw new LoadError(shown, "is not the name of a revision");
  const reference = join(cache, "refs", revision);
  const commit = (await isFile(reference)) ? (await readText(reference)).trim() : revision;
  if (!/^[\w.-]+$/.test(commit) || !isPlainPath(commit))
    throw new LoadError(reference, "holds no commit");
  const snapshot = join(cache, "snapshots", commit);
  if (await isDirectory(snapshot)) return snapshot;
  throw new LoadError(shown, `revision ${revision} is not in ${cache}: ${hint}`);
}

/** A path that stays inside the folder that it is joined to. */
function isPlainPath(path: string): boolean {
  return path.split(/[/\\]/).every((part) => !["", ".", ".."].includes(part));
}
