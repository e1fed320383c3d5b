/** The plugin in webpack and Rspack: a loader for the files, and a rule for those that are JSON otherwise. */
import type { UnpluginBuildContext, UnpluginContext, UnpluginOptions } from "unplugin";
import { plainText } from "./messages.js";
import type { TemplateModules } from "./modules.js";
import { requestOf } from "./requests.js";

/** A JSON file that is asked for its template is a module of JavaScript. */
export const EMBEDDED_RULE = {
  resourceQuery: /[?&]chat-template(?:[=&]|$)/,
  type: "javascript/auto",
};

export function webpackHooks(modules: TemplateModules): Pick<UnpluginOptions, "transform"> {
  return {
    transform: {
      filter: { id: modules.pattern },
      async handler(this: UnpluginBuildContext & UnpluginContext, _text: string, id: string) {
        const request = requestOf(id);
        if (request === undefined || !modules.handles(request)) return null;
        for (const file of modules.filesOf(request)) this.addWatchFile(file);
        const module = await modules.moduleOf(request);
        for (const found of module.diagnostics) {
          if (found.severity === "error") throw new TemplateRefused(plainText(module, found));
          this.warn(plainText(module, found));
        }
        return { code: module.code ?? "", map: module.map };
      },
    },
  };
}

/** Shown as it is: where in this plugin it was thrown helps nobody. */
class TemplateRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CompileError";
    this.stack = `${this.name}: ${message}`;
  }
}
