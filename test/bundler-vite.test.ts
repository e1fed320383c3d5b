/** The plugin in Vite's own surroundings: the server while developing, its updates, a browser. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import {
  build,
  createServer,
  preview,
  type HotPayload,
  type PreviewServer,
  type ViteDevServer,
} from "vite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type * as Plugins from "../compiler/bundler/index.js";
import { CHROMIUM, isChromiumHere, launchChromium } from "../scripts/chromium.js";
import { installedPlugins, writeFiles } from "./bundler-app.js";
import { installPackage } from "./package-build.js";

let installed = "";
let plugins: typeof Plugins;

beforeAll(async () => {
  installed = await mkdtemp(join(tmpdir(), "bundler-vite-"));
  await installPackage(installed);
  plugins = await installedPlugins(installed);
});

afterAll(async () => {
  await rm(installed, { recursive: true });
});

const MAIN = `
import { render as hello } from "./hello.jinja";
import { render as chat } from "./tokenizer_config.json?chat-template";
const show = (...renders) => {
  document.body.textContent = renders.map((render) => render({ name: "Ada" })).join(" | ");
};
show(hello, chat);
if (import.meta.hot) {
  import.meta.hot.accept("./hello.jinja", ({ render }) => show(render));
  import.meta.hot.accept("./tokenizer_config.json?chat-template", ({ render }) => show(render));
}
`;

function config(text: string): string {
  return JSON.stringify({ bos_token: "<s>", chat_template: text });
}

const FILES = {
  "package.json": '{ "type": "module" }',
  "index.html": '<body></body><script type="module" src="/src/main.js"></script>',
  "src/main.js": MAIN,
  "src/hello.jinja": "Hello {{ name }}",
  "src/tokenizer_config.json": config("{{ bos_token }}{{ name }}"),
};

async function newApp(): Promise<string> {
  const directory = await mkdtemp(join(installed, "app-"));
  await writeFiles(directory, FILES);
  return directory;
}

async function serve(root: string): Promise<ViteDevServer> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: "silent",
    plugins: [plugins.vite()],
    server: { port: 0, host: "127.0.0.1" },
  });
  onTestFinished(() => server.close());
  return server.listen();
}

function addressOf({ httpServer }: ViteDevServer | PreviewServer): string {
  const address = httpServer?.address();
  if (!(address instanceof Object)) throw new Error("the server does not listen");
  return `http://127.0.0.1:${address.port}`;
}

/** The code of a module and of all that it imports, as a browser asks for them. */
async function request(server: ViteDevServer, url: string): Promise<string> {
  const response = await fetch(addressOf(server) + url);
  const code = await response.text();
  const imported = [...code.matchAll(/from "(\/(?:src|@id)[^"]+)"/g)].map(([, each = ""]) => each);
  const others = await Promise.all(imported.map((each) => request(server, each)));
  return [code, ...others].join("\n");
}

/** The next update that the server sends to its clients. */
function nextUpdate(server: ViteDevServer): Promise<HotPayload> {
  return new Promise((resolve) => {
    vi.spyOn(server.environments.client.hot, "send").mockImplementation((...sent: unknown[]) => {
      const [payload] = sent;
      if (isUpdate(payload)) resolve(payload);
    });
  });
}

function isUpdate(payload: unknown): payload is HotPayload {
  return payload instanceof Object && "type" in payload && payload.type !== "custom";
}

describe("the server", () => {
  it.each([
    ["src/hello.jinja", "Bye {{ name }}"],
    ["src/tokenizer_config.json", config("Bye {{ name }}")],
  ])("updates what imports a template after a change of %s", async (file, text) => {
    const root = await newApp();
    const server = await serve(root);
    expect(await request(server, "/src/main.js")).not.toContain("Bye");
    const update = nextUpdate(server);
    await writeFile(join(root, file), text);
    expect(await update).toMatchObject({
      type: "update",
      updates: [{ path: "/src/main.js", type: "js-update" }],
    });
    expect(await request(server, "/src/main.js")).toContain("Bye");
  });

  it("renders on the server, and a change too", async () => {
    const root = await newApp();
    await writeFiles(root, {
      "src/server.js": `
        export { render } from "./hello.jinja";
        export { render as chat } from "./tokenizer_config.json?chat-template";`,
    });
    const server = await serve(root);
    const rendered = async () => {
      const module = await server.ssrLoadModule("/src/server.js");
      return [module["render"], module["chat"]].map((render: unknown): unknown =>
        typeof render === "function" ? Reflect.apply(render, undefined, [{ name: "Ada" }]) : null,
      );
    };
    expect(await rendered()).toEqual(["Hello Ada", "<s>Ada"]);
    await request(server, "/src/main.js");
    const update = nextUpdate(server);
    await writeFile(join(root, "src/hello.jinja"), "Bye {{ name }}");
    await update;
    expect(await rendered()).toEqual(["Bye Ada", "<s>Ada"]);
  });
});

describe.skipIf(!isChromiumHere())(`Chromium (skipped without ${CHROMIUM})`, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
  });

  it("runs what was built", async () => {
    const root = await newApp();
    const options = { root, configFile: false, logLevel: "silent" } as const;
    await build({ ...options, plugins: [plugins.vite()] });
    const server = await preview({ ...options, preview: { port: 0, host: "127.0.0.1" } });
    onTestFinished(() => server.close());
    const page = await browser.newPage();
    await page.goto(addressOf(server));
    expect(await page.textContent("body")).toContain("Hello Ada | <s>Ada");
  });

  it("shows a change without loading the page again", async () => {
    const root = await newApp();
    const server = await serve(root);
    const page = await browser.newPage();
    await page.goto(addressOf(server));
    await page.getByText("Hello Ada | <s>Ada").waitFor();
    await page.evaluate("globalThis.isFirstLoad = true");
    await writeFile(join(root, "src/hello.jinja"), "Bye {{ name }}");
    await page.getByText("Bye Ada").waitFor();
    await writeFile(join(root, "src/tokenizer_config.json"), config("{{ bos_token }}again"));
    await page.getByText("<s>again").waitFor();
    expect(await page.evaluate("globalThis.isFirstLoad")).toBe(true);
  });
});
