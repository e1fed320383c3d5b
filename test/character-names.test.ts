/** The table of characters' names is no part of Template: a process has it only where it was asked for. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

describe("names of characters", () => {
  it.each([
    { how: "are refused where none are loaded", register: "", shown: "registerCharacterNames()" },
    { how: "are known once asked for", register: "registerCharacterNames();", shown: "\u2022" },
  ])("$how", ({ register, shown }) => {
    const program = `
      import { registerCharacterNames } from "./compiler/character-names.ts";
      import { Template } from "./compiler/template.ts";
      ${register}
      try {
        console.log(new Template(String.raw\`{{ "\\N{BULLET}" }}\`).render());
      } catch (error) {
        console.log(error.name, error.message);
      }`;
    const args = ["--import", "tsx", "--input-type=module", "-e", program];
    expect(execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" })).toContain(shown);
  });
});
