/** The program in Chromium: bundled, in a page and in its worker, with and without a policy that forbids code from text. */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import { launchChromium } from "../chromium.js";

const PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>';
const POLICY = "default-src 'self'";

/** A place where the program has run. */
export interface Place {
  readonly name: string;
  readonly isCodeAllowed: boolean;
  /** The answers as JSON. */
  readonly said: string;
}

/** Runs the project's program in the browser. */
export async function runInBrowser(project: string): Promise<readonly Place[]> {
  const folder = join(project, "bundles");
  await build({
    entryPoints: ["page", "worker"].map((name) => join(project, "out", `${name}.js`)),
    bundle: true,
    format: "esm",
    outdir: folder,
    logLevel: "error",
  });
  const server = serve(folder);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const places: Place[] = [];
    for (const isCodeAllowed of [true, false]) {
      for (const kind of ["page", "worker"]) {
        await page.goto(`${addressOf(server)}/${isCodeAllowed ? "free" : "strict"}?${kind}`);
        const said = (await page.locator("pre").textContent()) ?? "";
        const name = `${kind}${isCodeAllowed ? "" : " under a policy without unsafe-eval"}`;
        places.push({ name: `Chromium ${browser.version()}, ${name}`, isCodeAllowed, said });
      }
    }
    return places;
  } finally {
    await browser.close();
    server.close();
  }
}

/** Pages, each with the policy that its path asks for, and scripts, whose policy is that of the page that names them. */
function serve(folder: string): Server {
  const server = createServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const isStrict = path === "/strict" || request.headers.referer?.includes("/strict") === true;
    if (isStrict) response.setHeader("content-security-policy", POLICY);
    if (!path.endsWith(".js")) {
      response.setHeader("content-type", "text/html").end(PAGE);
      return;
    }
    response.setHeader("content-type", "text/javascript");
    readFile(join(folder, path)).then(
      (text) => response.end(text),
      () => response.writeHead(404).end(),
    );
  });
  return server.listen(0, "127.0.0.1");
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("the server does not listen");
  return `http://127.0.0.1:${address.port}`;
}
