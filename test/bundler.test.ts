/** The plugin for bundlers: a small app of our own, built by each and run. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Template } from "../compiler/template.js";
import { render as renderGlm } from "../generated/glm.js";
import { render as renderMimo } from "../generated/mimo.js";
import { BUNDLERS, installedPlugins, writeFiles, type Bundler } from "./bundler-app.js";
import { builds, type App, type Built } from "./bundler-builds.js";
import { installPackage } from "./package-build.js";
import { ROOT } from "./terminal.js";

const execute = promisify(execFile);

const DEFAULT = "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}";
const TOOL_USE = "{{ bos_token }}{{ tools | length }} tools";
/** Fails in line 3, called from line 6; `render` itself leads to line 1. */
const FAILS = `{%- macro deep(x) %}
{{ x }}
{{ raise_exception("no " ~ x) }}
{%- endmacro %}
{%- for n in [1, 2] %}
{{ deep(n) }}
{%- endfor %}`;
const PLAIN = "{{ name }}!";

const TOKENIZER_CONFIG = JSON.stringify({
  bos_token: "<s>",
  chat_template: [
    { name: "default", template: DEFAULT },
    { name: "tool_use", template: TOOL_USE },
  ],
});

const INPUT = {
  messages: [
    { role: "system", content: "Be brief. 🌦" },
    { role: "user", content: "Weather in Zürich?" },
  ],
  tools: [{ type: "function", function: { name: "weather", description: "<today>" } }],
  add_generation_prompt: true,
};

const MAIN = `
import glm, { render, meta } from "./glm.jinja";
import { render as mimo } from "./mimo.gotmpl";
import { render as chat } from "./model/tokenizer_config.json?chat-template";
import { render as tools } from "./model/tokenizer_config.json?chat-template=tool_use";
import { render as plain } from "./prompts/plain.txt";

export function run(input) {
  return {
    glm: render(input), isDefault: glm === render, name: meta.name,
    mimo: mimo(input), chat: chat(input), tools: tools(input), plain: plain({ name: "<&>" }),
  };
}
`;

const EXPECTED = {
  glm: renderGlm(INPUT),
  isDefault: true,
  name: "glm",
  mimo: renderMimo(INPUT),
  chat: new Template(DEFAULT).render({ bos_token: "<s>", ...INPUT }),
  tools: new Template(TOOL_USE).render({ bos_token: "<s>", ...INPUT }),
  plain: "<&>!",
};

const OPTIONS = { dialect: { "**/prompts/*.txt": "jinja" } } as const;

/** The package is built once; each app gets it through a link. */
let installed = "";
let app: Omit<App, "options">;

beforeAll(async () => {
  installed = await mkdtemp(join(tmpdir(), "bundler-"));
  await installPackage(installed);
  const plugins = await installedPlugins(installed);
  app = {
    plugins,
    directory: await newApp({
      "src/main.js": MAIN,
      "src/glm.jinja": await readFile(join(ROOT, "templates/glm.jinja"), "utf8"),
      "src/mimo.gotmpl": await readFile(join(ROOT, "templates/mimo.gotmpl"), "utf8"),
      "src/model/tokenizer_config.json": TOKENIZER_CONFIG,
      "src/prompts/plain.txt": PLAIN,
    }),
  };
});

afterAll(async () => {
  await rm(installed, { recursive: true });
});

async function newApp(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(installed, "app-"));
  await writeFiles(directory, { "package.json": '{ "type": "module" }', ...files });
  return directory;
}

/** What the bundle's `run` gives for the input, in a process of its own. */
async function ran({ file }: Built): Promise<unknown> {
  const script = `
    import { run } from ${JSON.stringify(pathToFileURL(file).href)};
    console.log(JSON.stringify(run(${JSON.stringify(INPUT)})));`;
  const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", script]);
  const result: unknown = JSON.parse(stdout);
  return result;
}

describe.each(BUNDLERS)("%s", (bundler) => {
  it("builds an app whose templates render as the compiled modules do", async () => {
    const built = await builds[bundler]({ ...app, options: OPTIONS });
    expect(await ran(built)).toEqual(EXPECTED);
  });

  it("fails on a template that is refused, with the place", async () => {
    const directory = await newApp({
      "src/main.js": 'export { render } from "./broken.jinja";',
      "src/broken.jinja": "line one\n{{ x | nosuch }}\nline three\n",
    });
    const failure = await failureOf(bundler, directory);
    expect(failure).toMatch(/src\/broken\.jinja[ :(]+2:[34]/);
    expect(failure).toContain("No filter named 'nosuch'.");
    expect(failure).not.toMatch(/^\s+at /m);
  });

  it("leads a stack trace in Node back to the template", async () => {
    const directory = await newApp({
      "src/main.js": `
        import { render } from "./fails.jinja";
        import { render as embedded } from "./tokenizer_config.json?chat-template=deep";
        for (const each of [render, embedded]) {
          try { each({}) } catch (error) { console.log(error.stack) }
        }`,
      "src/fails.jinja": FAILS,
      "src/tokenizer_config.json": JSON.stringify({
        chat_template: [{ name: "deep", template: FAILS }],
      }),
    });
    const { file } = await builds[bundler]({ ...app, directory, options: {} });
    const { stdout } = await execute(process.execPath, ["--enable-source-maps", file]);
    const places = [...stdout.matchAll(/(\w[\w.]*\.jinja):(\d+)/g)].map(([, name, line]) => [
      name,
      line,
    ]);
    const expected = ["3", "6", "1"];
    expect(places).toEqual([
      ...expected.map((line) => ["fails.jinja", line]),
      ...expected.map((line) => ["tokenizer_config.json.deep.jinja", line]),
    ]);
  });

  it("says what is wrong with a file that holds no template", async () => {
    const directory = await newApp({
      "src/main.js": 'export { render } from "./tokenizer_config.json?chat-template";',
      "src/tokenizer_config.json": "{}",
    });
    const failure = await failureOf(bundler, directory);
    expect(failure).toContain("src/tokenizer_config.json: has no chat_template");
    expect(failure).not.toMatch(/^\s+at /m);
  });

  it("takes constants and targets, and the plugin's own runtime", async () => {
    const directory = await newApp({
      "src/main.js": `
        import { render, renderBytes } from "./a.jinja";
        export const run = () => [render({}), new TextDecoder().decode(renderBytes({}))];`,
      "src/a.jinja": "{{ bos_token }}{% for n in [1, 2] %}{{ n | tojson }}{% endfor %}",
    });
    const options = {
      define: { bos_token: "<s>" },
      targets: ["bytes"],
      runtime: "inline",
    } as const;
    const built = await builds[bundler]({ ...app, directory, options });
    expect(await ran(built)).toEqual(["<s>12", "<s>12"]);
    expect(built.warnings).toEqual([]);
    expect(await readFile(built.file, "utf8")).not.toContain("chat-template-compiler/runtime");
  });
});

/** What the bundler says when it fails. */
async function failureOf(bundler: Bundler, directory: string): Promise<string> {
  const build = builds[bundler]({ ...app, directory, options: {} });
  return build.then(
    () => "no failure",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
