/** The mutated templates: case after case by seed and number, so that one is found again without the others. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Random } from "../random.js";
import { mutated, nested, noise } from "./mutate.js";

export type MutatedDialect = "jinja" | "go" | "ollama";

export interface MutatedCase {
  readonly dialect: MutatedDialect;
  readonly template: string;
  /** Nested deeper than engines agree on. */
  readonly isDeep: boolean;
}

/** How often each is drawn. */
const DIALECTS: readonly MutatedDialect[] = ["jinja", "jinja", "jinja", "ollama", "ollama", "go"];

const CORPUS = "../../../../shared/corpus/";
const OWN = ["../../../templates/", "../../bench/templates/"];

const JINJA = /\.(?:jinja|j2)$/;
const GO = /\.(?:gotmpl|tmpl)$/;

function filesOf(folder: URL, ending: RegExp): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => ending.test(name))
    .sort()
    .map((name) => readFileSync(new URL(name, folder), "utf8"));
}

interface OwnTemplate {
  readonly dialect: "jinja" | "ollama";
  readonly source: string;
}

/** Templates to mutate: those of the corpus where it is there, and our own. */
export class Sources {
  readonly own: readonly OwnTemplate[];
  readonly jinja: readonly string[];
  readonly go: readonly string[];

  /** `here` is this file, wherever the code of it runs. */
  constructor(here = import.meta.url) {
    const own = (ending: RegExp): readonly string[] =>
      OWN.flatMap((folder) => filesOf(new URL(folder, here), ending));
    const corpus = (language: string, ending: RegExp): readonly string[] =>
      filesOf(new URL(`${CORPUS}${language}/templates/`, here), ending);
    this.jinja = [...own(JINJA), ...corpus("jinja", JINJA)];
    this.go = [...own(GO), ...corpus("go", GO)];
    this.own = [
      ...own(JINJA).map((source) => ({ dialect: "jinja" as const, source })),
      ...own(GO).map((source) => ({ dialect: "ollama" as const, source })),
    ];
  }
}

/** One case in fifty is noise, one deep nesting, one a template of the other language. */
export function caseOf(sources: Sources, seed: number, number: number): MutatedCase {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const dialect = random.pick(DIALECTS);
  const isJinja = (dialect === "jinja") !== random.chance(0.02);
  const shallow = (template: string): MutatedCase => ({ dialect, template, isDeep: false });
  if (random.chance(0.02)) return shallow(noise(random));
  if (random.chance(0.02)) return { dialect, template: nested(random), isDeep: true };
  return shallow(mutated(isJinja ? sources.jinja : sources.go, random));
}
