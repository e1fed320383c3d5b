/**
 * The plugin for bundlers: `import { render } from "./chat_template.jinja"`, compiled when the bundler meets it.
 *
 * request → load → compile → types erased → module
 */
import { createUnplugin, type UnpluginFactory, type UnpluginInstance } from "unplugin";
import { setUpEsbuild } from "./esbuild-hooks.js";
import { TemplateModules } from "./modules.js";
import type { ChatTemplateOptions } from "./options.js";
import { rollupHooks } from "./rollup-hooks.js";
import { EMBEDDED_RULE, webpackHooks } from "./webpack-hooks.js";

export type { ChatTemplateOptions, FilePattern } from "./options.js";

const PACKAGE = "chat-template-compiler";

const factory: UnpluginFactory<ChatTemplateOptions | undefined, false> = (options = {}, meta) => {
  const modules = new TemplateModules(options);
  const hooks = rollupHooks(modules);
  const isWebpack = meta.framework === "webpack" || meta.framework === "rspack";
  return {
    name: "chat-template",
    // Before what goes by a file's extension: Vite takes some of them for assets.
    enforce: "pre",
    ...(isWebpack ? webpackHooks(modules) : {}),
    rollup: hooks,
    rolldown: {
      ...hooks,
      buildStart({ cwd }) {
        modules.root = cwd;
      },
    },
    vite: {
      ...hooks,
      // Its scan for dependencies does not see what templates import, and would reload the page once it does.
      config: () => ({ optimizeDeps: { exclude: [PACKAGE] } }),
      configResolved({ root }) {
        modules.root = root;
      },
    },
    esbuild: {
      setup(build) {
        setUpEsbuild(build, modules);
      },
    },
    webpack(compiler) {
      modules.root = compiler.context;
      compiler.options.module.rules.push(EMBEDDED_RULE);
    },
    rspack(compiler) {
      modules.root = compiler.context;
      compiler.options.module.rules.push(EMBEDDED_RULE);
    },
  };
};

/** Named, so that the declarations of this package hold unplugin's types instead of every bundler's. */
type Plugins = UnpluginInstance<ChatTemplateOptions | undefined, false>;

const plugins: Plugins = createUnplugin(factory);

export const vite: Plugins["vite"] = plugins.vite;
export const rollup: Plugins["rollup"] = plugins.rollup;
export const rolldown: Plugins["rolldown"] = plugins.rolldown;
export const webpack: Plugins["webpack"] = plugins.webpack;
export const rspack: Plugins["rspack"] = plugins.rspack;
export const esbuild: Plugins["esbuild"] = plugins.esbuild;
