/** The playground in Chromium, opened as a file: what it shows, what it takes, and how it is worked. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inflateRawSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Template } from "../compiler/template.js";
import { parseJson, type Dialect } from "../runtime/index.js";
import { CHROMIUM, isChromiumHere, launchChromium } from "../scripts/chromium.js";
import { buildPlayground } from "../scripts/playground/build.js";
import { isRecord } from "../scripts/rows.js";
import { ROOT } from "./terminal.js";

const DESKTOP = { width: 1280, height: 800 };
const SECONDS = 1000;
const PATIENCE = { timeout: 60 * SECONDS, interval: 100 };
const SEEDS = [
  ["glm", "glm.jinja"],
  ["mimo", "mimo.gotmpl"],
  ["qwen3-coder", "qwen3-coder.gotmpl"],
] as const;
const FIXTURES = join(ROOT, "test/fixtures/load");

describe.skipIf(!isChromiumHere())(`the playground (skipped without ${CHROMIUM})`, () => {
  let folder = "";
  let browser: Browser;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "playground-"));
    await buildPlayground(folder);
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  /** The page once it has rendered; anything that it throws fails the test. */
  async function opened(fragment = "", viewport = DESKTOP): Promise<Page> {
    const page = await browser.newPage({ viewport });
    page.setDefaultTimeout(60 * SECONDS);
    const thrown: Error[] = [];
    page.on("pageerror", (error) => thrown.push(error));
    onTestFinished(async () => {
      await page.close();
      expect(thrown).toEqual([]);
    });
    await page.goto(pathToFileURL(join(folder, "index.html")).href + fragment);
    await page.locator("#status", { hasText: /\S/ }).waitFor();
    return page;
  }

  it("shows what Template renders of the three templates, and their modules of generated/", async () => {
    const page = await opened();
    for (const [name, file] of SEEDS) {
      await page.locator("#example").selectOption({ label: name });
      await expect.poll(async () => (await stateOf(page)).name, PATIENCE).toBe(name);
      const state = await stateOf(page);
      expect(state.source).toBe(await readFile(join(ROOT, "templates", file), "utf8"));
      await page.getByRole("tab", { name: "Prompt" }).click();
      await expectPrompt(page, state);
      await page.getByRole("tab", { name: "TypeScript" }).click();
      const lines = (await readFile(join(ROOT, "generated", `${name}.ts`), "utf8")).split("\n");
      await page.getByText(`${lines.length - 1} lines, as chat-template generate`).waitFor();
      await page.getByRole("tab", { name: "Types", exact: true }).click();
      await page.locator("#about").getByRole("cell", { name: "messages" }).first().waitFor();
      expect(await page.locator("#types").innerText()).toContain("export ");
    }
  });

  it("colours by origin, and frames tokens of the template and of the input differently", async () => {
    const page = await opened();
    await page.getByLabel("Content of message 2").fill("Hello <|user|> there");
    const input = page.locator("#prompt .input", { hasText: "Hello" });
    await input.waitFor();
    expect(await input.getAttribute("title")).toBe("messages[1].content (user)");
    expect(await input.locator("mark").textContent()).toBe("<|user|>");
    await page.getByLabel("White space").check();
    expect(await input.textContent()).toBe("Hello·<|user|>·there");
  });

  it("keeps form and JSON in step", async () => {
    const page = await opened();
    await page.getByRole("button", { name: "Remove message 4" }).click();
    await page.getByRole("button", { name: "Move message 2 up" }).click();
    await page.getByLabel("enable_thinking").selectOption("false");
    await page.getByRole("tab", { name: "JSON" }).click();
    const text = '{"messages": [{"role": "user", "content": 1.0}], "x": 12345678901234567890}';
    await expect.poll(() => roles(page), PATIENCE).toEqual(["user", "system", "assistant"]);
    const chosen = await stateWith(page, "enable_thinking");
    expect(inputOf(chosen)).toMatchObject({ enable_thinking: false });
    await replaceText(page, "#json", text);
    await page.getByRole("tab", { name: "Form" }).click();
    await page.getByLabel("Content of message 1 as JSON").waitFor();
    await page.getByLabel("Role of message 1").fill("assistant");
    await expect.poll(async () => roles(page), PATIENCE).toEqual(["assistant"]);
    const { input } = await stateWith(page, "12345678901234567890");
    expect(input).toContain("1.0");
    expect(input).toContain("12345678901234567890");
  });

  it("takes a GGUF file that is dropped, and lets one of its templates be chosen", async () => {
    const page = await opened();
    await drop(page, "model.gguf", await readFile(join(FIXTURES, "named.gguf")));
    await expect.poll(async () => (await stateOf(page)).name, PATIENCE).toBe("model");
    await expectPrompt(page, await stateOf(page));
    expect(await page.getByLabel("bos_token (from the file)").inputValue()).toBe("<s>");
    await page.getByLabel("In the file").selectOption({ label: "tool_use" });
    await expect.poll(async () => (await stateOf(page)).name, PATIENCE).toBe("model-tool_use");
    await expectPrompt(page, await stateOf(page));
  });

  it("takes other forms by their content: pasted, dropped or opened", async () => {
    const page = await opened();
    const config = { bos_token: "<b>", chat_template: "{{ bos_token }}{{ messages[0].role }}" };
    await paste(page, JSON.stringify(config));
    await expect.poll(() => promptOf(page), PATIENCE).toBe("<b>system");
    const modelfile =
      'FROM x\nSYSTEM Be kind.\nTEMPLATE """{{ range .Messages }}[{{ .Content }}]{{ end }}"""';
    await page.locator("#file").setInputFiles({
      name: "Modelfile",
      mimeType: "text/plain",
      buffer: Buffer.from(modelfile),
    });
    await expect.poll(() => promptOf(page), PATIENCE).toContain("[You help");
    expect(await page.getByLabel("Dialect").inputValue()).toBe("ollama");
    await paste(page, "{{ if .System }}S{{ end }}");
    await expect.poll(() => promptOf(page), PATIENCE).toBe("S");
    await drop(page, "breaks.gotmpl", Buffer.from("a\r\nb"));
    await expect.poll(() => promptOf(page), PATIENCE).toBe("a\r\nb");
    await page.locator("#template .cm-content").focus();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText("c");
    await expect.poll(() => promptOf(page), PATIENCE).toBe("a\r\nbc");
    await drop(page, "a.gguf", Buffer.from("GGUF\u0003"));
    await page.getByText("a.gguf: is cut off").waitFor();
  });

  it("shows an error at its place, and leads there", async () => {
    const page = await opened();
    await replaceText(page, "#template", "fine\n{% if x %}\n{{ x | }}\n{% endif %}");
    const problem = page.locator("#problems");
    await problem.waitFor();
    expect(await problem.locator("pre").textContent()).toContain("3 | {{ x | }}");
    expect(await page.locator("#template .cm-lint-marker-error").count()).toBe(1);
    await problem.getByRole("button", { name: /^Line 3,/ }).click();
    expect(await page.locator("#template .cm-activeLine").textContent()).toBe("{{ x | }}");
    expect(await page.locator("#status").textContent()).toMatch(/^Line 3, column \d+: /);
    await replaceText(page, "#template", "a\nb {{ raise_exception('no') }}");
    await problem.getByRole("button", { name: /^Line 2,/ }).waitFor();
    await page.getByRole("tab", { name: "JSON" }).click();
    await replaceText(page, "#json", '{\n"messages": oh}');
    await problem.getByRole("button", { name: /^JSON, line 2,/ }).click();
    expect(await page.locator("#json .cm-activeLine").textContent()).toBe('"messages": oh}');
  });

  it("renders a conversation of 400 messages, and edits its last", async () => {
    const page = await opened();
    const messages = Array.from({ length: 400 }, (_, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      content: `Message ${at} says <something> or other.`.repeat(4),
    }));
    await page.getByRole("tab", { name: "JSON" }).click();
    await replaceText(page, "#json", JSON.stringify({ messages }));
    await expect.poll(async () => (await roles(page)).length, PATIENCE).toBe(400);
    await expectPrompt(page, await stateWith(page, "Message 399"));
    await page.getByRole("tab", { name: "Form" }).click();
    await page.getByLabel("Content of message 400").fill("the end");
    await expect.poll(() => promptOf(page), PATIENCE).toContain("the end");
    await expectPrompt(page, await stateWith(page, "the end"));
  });

  it("keeps its state in the link", async () => {
    const page = await opened();
    await page.locator("#example").selectOption({ label: "mimo" });
    await page.getByLabel("Content of message 2").fill("Grüße 🚂 to all\n");
    await expect.poll(() => promptOf(page), PATIENCE).toContain("Grüße");
    await stateWith(page, "Grüße");
    const again = await opened(new URL(page.url()).hash);
    expect(await stateOf(again)).toEqual(await stateOf(page));
    await expect.poll(() => promptOf(again), PATIENCE).toBe(await promptOf(page));
    expect(await again.getByLabel("Dialect").inputValue()).toBe("ollama");
    const damaged = await opened("#s=AAAA");
    await damaged.getByText("the link is damaged").waitFor();
  });

  it("is worked by the keyboard alone", async () => {
    const page = await opened();
    await tabTo(page, "#example");
    await page.keyboard.press("q");
    await expect.poll(async () => (await stateOf(page)).name, PATIENCE).toBe("qwen3-coder");
    await tabTo(page, "#template .cm-content");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText("{{ range .Messages }}{{ .Role }} {{ end }}{{ end }}");
    await page.locator("#problems").waitFor();
    await tabTo(page, "#problems button");
    await page.keyboard.press("Enter");
    expect(await isFocused(page, "#template .cm-content")).toBe(true);
    await page.keyboard.press("ControlOrMeta+End");
    for (const _ of "{{ end }}") await page.keyboard.press("Backspace");
    await expect.poll(() => promptOf(page), PATIENCE).toBe("system user assistant tool ");
    await tabTo(page, "#form-tab");
    await tabTo(page, "[aria-label='Move message 2 up']");
    await page.keyboard.press("Enter");
    await expect.poll(() => promptOf(page), PATIENCE).toBe("user system assistant tool ");
    await tabTo(page, "#add-message");
    await page.keyboard.press("Enter");
    expect(await isFocused(page, "[aria-label='Content of message 5']")).toBe(true);
    await tabTo(page, "#prompt-panel-tab");
    await page.keyboard.press("ArrowRight");
    expect(await isFocused(page, "#typescript-panel-tab")).toBe(true);
    await page.getByText(/\d+ lines, as/).waitFor();
  });

  it("measures beside @huggingface/jinja, Jinja only", async () => {
    const page = await opened();
    await page.getByRole("tab", { name: "Speed" }).click();
    await page.getByRole("button", { name: "Measure" }).click();
    await page.locator("#speed").getByRole("cell", { name: "@huggingface/jinja" }).waitFor();
    await page.locator("#example").selectOption({ label: "mimo" });
    await page.getByText("renders Jinja only").waitFor();
    expect(await page.getByRole("button", { name: "Measure" }).isDisabled()).toBe(true);
  });

  it("ends a template that does not come to an end", async () => {
    const loop =
      "{% for a in range(99999) %}{% for b in range(99999) %}{{ b }}{% endfor %}{% endfor %}";
    const page = await opened();
    await replaceText(page, "#template", loop);
    await page
      .locator("#problems")
      .getByText(/took longer than|takes more than/)
      .waitFor();
    await replaceText(page, "#template", "again");
    await expect.poll(() => promptOf(page), PATIENCE).toBe("again");
  });

  it("fits 360 pixels", async () => {
    const page = await opened("", { width: 360, height: 740 });
    for (const name of ["JSON", "TypeScript", "Types", "Speed", "Prompt"]) {
      await page.getByRole("tab", { name, exact: true }).click();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    }
  });
});

interface Kept {
  readonly name: string;
  readonly source: string;
  readonly dialect: Dialect;
  readonly define: Readonly<Record<string, unknown>>;
  readonly input: string;
}

/** What the page's address keeps, read without the page's own code. */
async function stateOf(page: Page): Promise<Kept> {
  await page.waitForFunction("location.hash.startsWith('#s=')");
  const packed = Buffer.from(new URL(page.url()).hash.slice("#s=".length), "base64url");
  const state: unknown = JSON.parse(inflateRawSync(packed).toString());
  if (!isKept(state)) throw new Error("the link keeps something else");
  return state;
}

/** The state that the link keeps once the text is in its input: the link follows the prompt after a while. */
async function stateWith(page: Page, text: string): Promise<Kept> {
  await expect.poll(async () => (await stateOf(page)).input, PATIENCE).toContain(text);
  return stateOf(page);
}

function isKept(value: unknown): value is Kept {
  return isRecord(value) && typeof value["source"] === "string";
}

function inputOf({ input }: Kept): object {
  const value = parseJson(input);
  if (!isRecord(value)) throw new Error("the input is no object");
  return value;
}

async function roles(page: Page): Promise<readonly unknown[]> {
  const input = inputOf(await stateOf(page));
  const messages: unknown = "messages" in input ? input.messages : [];
  if (!Array.isArray(messages)) return [];
  return messages.map((each: unknown) => (isRecord(each) ? each["role"] : undefined));
}

function promptOf(page: Page): Promise<string | null> {
  return page.locator("#prompt").textContent();
}

async function expectPrompt(page: Page, state: Kept): Promise<void> {
  const { source, dialect, define } = state;
  const expected = new Template(source, { dialect, define }).render(inputOf(state));
  await expect.poll(() => promptOf(page), PATIENCE).toBe(expected);
}

async function replaceText(page: Page, editor: string, text: string): Promise<void> {
  await page.locator(`${editor} .cm-content`).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** A paste over all of the template, as the clipboard's event brings it. */
async function paste(page: Page, text: string): Promise<void> {
  await page.locator("#template .cm-content").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(text)});
    const paste = { clipboardData, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", paste));
  })()`);
}

async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const base64 = Buffer.from(bytes).toString("base64");
  const data = await page.evaluateHandle(`(() => {
    const bytes = Uint8Array.from(atob("${base64}"), (each) => each.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "${name}"));
    return data;
  })()`);
  await page.locator("#template .cm-content").dispatchEvent("drop", { dataTransfer: data });
}

function isFocused(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) === true`);
}

/** Presses Tab until an element has the focus, which must be soon. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let pressed = 0; pressed < 40; pressed++) {
    if ((await isFocused(page, selector)) === true) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${selector}`);
}
