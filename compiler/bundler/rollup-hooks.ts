/** The plugin in Rollup, Rolldown and Vite, which share their hooks. */
import { resolve } from "node:path";
import { rollupLog, type RollupLog } from "./messages.js";
import { UnreadableTemplate, type TemplateModules } from "./modules.js";
import { withSlashes } from "./options.js";
import { askedIn, requestOf, type TemplateRequest } from "./requests.js";

interface ResolveContext {
  resolve(
    source: string,
    importer?: string,
    options?: { skipSelf?: boolean },
  ): Promise<{ readonly id: string } | null>;
}

interface LoadContext {
  addWatchFile(file: string): void;
  warn(log: RollupLog): void;
  error(log: RollupLog): never;
}

/** What Rolldown and Vite are told, since they would go by the file's extension. */
const MODULE_TYPE = { moduleType: "js" };

export function rollupHooks(modules: TemplateModules) {
  return {
    async resolveId(this: ResolveContext, source: string, importer: string | undefined) {
      if (source.startsWith(PREFIX)) return source;
      const from = importer === undefined ? undefined : embeddedIn(importer, modules.root);
      // An embedded template imports the runtime from where its file stands.
      if (from !== undefined) return this.resolve(source, from.path, { skipSelf: true });
      const request = askedIn(source);
      if (request === undefined || !modules.handles(request)) return null;
      const resolved = await this.resolve(request.path, importer, { skipSelf: true });
      if (resolved === null) return null;
      return embeddedId({ ...request, path: resolved.id }, modules.root);
    },

    load: {
      filter: { id: modules.pattern },
      async handler(this: LoadContext, id: string) {
        const request = embeddedIn(id, modules.root) ?? requestOf(id);
        if (request === undefined || !modules.handles(request)) return null;
        for (const file of modules.filesOf(request)) if (file !== id) this.addWatchFile(file);
        const module = await modules.moduleOf(request).catch((error: unknown) => {
          if (!(error instanceof UnreadableTemplate)) throw error;
          return this.error({ message: error.message, id, stack: "" });
        });
        for (const found of module.diagnostics) {
          if (found.severity === "error") this.error(rollupLog(module, found, id));
          this.warn(rollupLog(module, found, id));
        }
        return { code: module.code ?? "", map: module.map, ...MODULE_TYPE };
      },
    },
  };
}

/**
 * A template inside another file is a module of its own, whose name must not look like that file's: plugins for JSON go
 * by the extension. It is relative to the root, since bundlers write it into comments; a NUL before it, as virtual
 * modules have, would keep its source map out of the bundle's.
 */
const PREFIX = "chat-template:";

function embeddedId({ path, variant = "" }: TemplateRequest, root: string): string {
  const name = variant.replace(
    /[^\w.-]/gu,
    (char) => `$${(char.codePointAt(0) ?? 0).toString(16)}$`,
  );
  return `${PREFIX}${withSlashes(path.startsWith(root) ? path.slice(root.length + 1) : path)}:${name}`;
}

function embeddedIn(id: string, root: string): TemplateRequest | undefined {
  if (!id.startsWith(PREFIX)) return undefined;
  const colon = id.lastIndexOf(":");
  const variant = id
    .slice(colon + 1)
    .replace(/\$([0-9a-f]+)\$/g, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)));
  return {
    path: resolve(root, id.slice(PREFIX.length, colon)),
    isAsked: true,
    variant: variant === "" ? undefined : variant,
  };
}
