/**
 * The passes never fail on a template: where one did, Template would stay on closures for ever, and nothing else would
 * show it.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CompileError, promote, Template } from "../compiler/template.js";
import { sample } from "./samples.js";

const CORPUS = new URL("../../shared/corpus/", import.meta.url);
const STEP = 6;

function failureOf(source: string, dialect: "jinja" | "ollama"): unknown {
  try {
    return promote(new Template(source, { dialect }));
  } catch (error) {
    if (error instanceof CompileError) return null;
    throw error;
  }
}

describe("a template's promotion", () => {
  it.each(["glm.jinja", "mimo.gotmpl", "qwen3-coder.gotmpl"])("succeeds: %s", (file) => {
    const source = readFileSync(new URL(`../templates/${file}`, import.meta.url), "utf8");
    expect(failureOf(source, file.endsWith(".jinja") ? "jinja" : "ollama")).toBeNull();
  });

  it.skipIf(!existsSync(CORPUS))(
    "succeeds for the templates of the corpus",
    () => {
      const failed: string[] = [];
      for (const language of ["jinja", "go"] as const) {
        const folder = new URL(`${language}/templates/`, CORPUS);
        for (const file of sample(readdirSync(folder), STEP)) {
          const source = readFileSync(new URL(file, folder), "utf8");
          const failure = failureOf(source, language === "jinja" ? "jinja" : "ollama");
          if (failure !== null) failed.push(`${file}: ${JSON.stringify(failure)}`);
        }
      }
      expect(failed).toEqual([]);
    },
    300_000,
  );

  it("changes nothing of what is rendered", () => {
    const template = new Template(
      "{% for m in messages %}{{ loop.index }} {{ m.role }}{% endfor %}",
    );
    const input = { messages: [{ role: "user" }, { role: "assistant" }] };
    const before = template.render(input);
    expect(promote(template)).toBeNull();
    expect(template.render(input)).toBe(before);
  });
});
