/** The benchmark itself: what it checks before it times, and the rows that it writes. Nothing here looks at a time. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { exponent } from "../scripts/bench/commands/growth.js";
import { compareTexts, type Measured } from "../scripts/bench/measure.js";
import { markdown } from "../scripts/bench/report.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bench-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function bench(...args: readonly string[]): { status: number | null; stderr: string } {
  const command = ["--import", "tsx", "scripts/bench/index.ts", ...args];
  return spawnSync(process.execPath, command, { cwd: ROOT, encoding: "utf8" });
}

describe("the benchmark", () => {
  it("writes rows, a table and a chart", () => {
    const file = join(folder, "rows.json");
    const wanted = "--only glm --workloads a --engines limit,hf";
    const { status, stderr } = bench("--quick", ...wanted.split(" "), "--json", file);
    expect(stderr).not.toContain("error");
    expect(status).toBe(0);
    const rows: unknown = JSON.parse(readFileSync(file, "utf8"));
    const row: Readonly<Record<string, unknown>> = {
      template: "glm",
      workload: "a",
      node: process.version,
      us: expect.any(Number),
    };
    expect(rows).toEqual(["text", "limit", "hf"].map((engine) => ({ ...row, engine })));
    expect(readFileSync(`${file}.md`, "utf8")).toContain("| glm | a |");
    expect(readFileSync(`${file}.svg`, "utf8")).toContain("<svg");
  });

  it("puts servers under load", () => {
    const file = join(folder, "serve.json");
    const { status, stderr } = bench("serve", "--quick", "--json", file);
    expect(stderr).not.toContain("error");
    expect(status).toBe(0);
    const rows: unknown = JSON.parse(readFileSync(file, "utf8"));
    const requests: unknown = expect.any(Number);
    const row = { workload: "a", node: process.version, requests };
    expect(rows).toMatchObject(["generated", "hf", "none"].map((engine) => ({ ...row, engine })));
  });

  it.each([
    ["--workloads", "z"],
    ["--fast", "--quick"],
  ])("refuses %s %s as a usage error", (...args) => {
    const file = join(folder, "none.json");
    expect(bench(...args, "--json", file).status).toBe(2);
    expect(existsSync(file)).toBe(false);
  });
});

describe("the check before timing", () => {
  const place = { template: "t", workload: "a" };

  it("refuses a limit that renders another text", () => {
    const compare = () => compareTexts(place, "1", { limit: { sha256: "2" } });
    expect(compare).toThrow("t a: limit renders another text");
  });

  it("leaves out an engine that renders another text or none", () => {
    const results = {
      text: { sha256: "1" },
      hf: { sha256: "2" },
      nunjucks: { error: "no such filter" },
    };
    expect(compareTexts(place, "1", results)).toEqual({
      equal: ["text"],
      others: [
        { engine: "hf", reason: "another text" },
        { engine: "nunjucks", reason: "no such filter" },
      ],
    });
  });
});

describe("the fitted exponent", () => {
  it.each([1, 2])("is %d", (power) => {
    const points = [100, 1000, 10000].map((count) => [count, 3 * count ** power] as const);
    expect(exponent(points)).toBeCloseTo(power);
  });
});

describe("the table", () => {
  it("takes ratios within a round", () => {
    const row = { template: "t", workload: "a", node: "v20.0.0", us: 1 };
    const rows: Measured[] = [
      { ...row, engine: "text", rounds: [1, 10, 2] },
      { ...row, engine: "limit", rounds: [1, 5, 1] },
    ];
    expect(markdown({ rows, skipped: [] })).toContain("| t | a | 2.00 (1.00–2.00) |");
  });
});
