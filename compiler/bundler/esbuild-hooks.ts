/** The plugin in esbuild: its own hooks, since only they take messages with a line's text. */
import type { OnLoadResult, PluginBuild } from "esbuild";
import { esbuildMessage } from "./messages.js";
import { UnreadableTemplate, type TemplateModule, type TemplateModules } from "./modules.js";
import { requestOf, type TemplateRequest } from "./requests.js";

export function setUpEsbuild(build: PluginBuild, modules: TemplateModules): void {
  modules.root = build.initialOptions.absWorkingDir ?? process.cwd();
  build.onLoad({ filter: /.*/, namespace: "file" }, ({ path, suffix }) => {
    const request = requestOf(path + suffix);
    if (request === undefined || !modules.handles(request)) return undefined;
    return load(request, modules);
  });
}

async function load(request: TemplateRequest, modules: TemplateModules): Promise<OnLoadResult> {
  const watchFiles = [...modules.filesOf(request)];
  try {
    const module = await modules.moduleOf(request);
    const messages = (severity: string) =>
      module.diagnostics
        .filter((found) => found.severity === severity)
        .map((found) => esbuildMessage(module, found));
    return {
      contents: withMap(module),
      loader: "js",
      errors: messages("error"),
      warnings: messages("warning"),
      watchFiles,
    };
  } catch (error) {
    if (!(error instanceof UnreadableTemplate)) throw error;
    return { errors: [{ text: error.message }], watchFiles };
  }
}

/** esbuild takes a map only as a comment; it drops it where maps are not asked for. */
function withMap({ code, map }: TemplateModule): string {
  if (code === null || map === null) return "";
  const data = Buffer.from(map).toString("base64");
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${data}\n`;
}
