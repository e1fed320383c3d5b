/**
 * `npm run verify:masks`: the masks that origin gives, against the spans of the tag `generation`, over the templates of
 * the corpus that have it. Each difference must be of a kind (kinds.ts): a line that the template draws elsewhere.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { compileTemplate, type CompiledTemplate } from "../../compiler/template.js";
import { assistantMask } from "../../runtime/chat/index.js";
import { fromCodePoints, type Span } from "../../runtime/chat/segments/units.js";
import { parseJson, RenderError } from "../../runtime/index.js";
import { isRecord, rawMember } from "../rows.js";
import { compareMasks, KINDS, type Comparison, type Kind } from "./kinds.js";

const CORPUS = new URL("../../../shared/corpus/jinja/", import.meta.url);
const NOW = "2024-07-26T13:14:15.678901";
const TAG = /\{%[-+]?\s*generation\s*[-+]?%\}/;

/** What one render shows. */
interface Compared extends Comparison {
  readonly conversation: string;
  /** Whether either has a span. */
  readonly hasSpans: boolean;
}

function isSame(a: readonly Span[], b: readonly Span[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ start, end }, at) => b[at]?.start === start && b[at].end === end)
  );
}

/** Compares both on one input; null where the template refuses it. */
function compare(template: CompiledTemplate, input: object): Omit<Compared, "conversation"> | null {
  try {
    const { text, spans } = template.renderWithSpans(input, { now: NOW });
    const segments = template.renderSegments(input, { now: NOW });
    const tag = fromCodePoints(text, spans);
    const mask = assistantMask(segments);
    const found = compareMasks(segments, tag, mask);
    const isExplained = isSame(tag, mask) === (found.kinds.length + found.unexplained.length === 0);
    const unexplained = isExplained ? found.unexplained : [...found.unexplained, "cut differently"];
    return { kinds: found.kinds, unexplained, hasSpans: tag.length + mask.length > 0 };
  } catch (error) {
    if (error instanceof RenderError) return null;
    throw error;
  }
}

function* comparisons(source: string, name: string): Generator<Compared> {
  const template = compileTemplate(source, { dialect: "jinja", name, codegen: false });
  const text = readFileSync(new URL("conversations.json", CORPUS), "utf8");
  const all: unknown = JSON.parse(text);
  for (const conversation of Object.keys(isRecord(all) ? all : {})) {
    const input = parseJson(rawMember(text, conversation) ?? "");
    const compared = isRecord(input) ? compare(template, input) : null;
    if (compared !== null) yield { conversation, ...compared };
  }
}

interface Total {
  templates: number;
  renders: number;
  withSpans: number;
  differing: number;
  readonly kinds: Map<Kind, { spans: number; renders: number; readonly templates: Set<string> }>;
  readonly unexplained: string[];
}

function verify(): Total {
  const total: Total = {
    templates: 0,
    renders: 0,
    withSpans: 0,
    differing: 0,
    kinds: new Map(),
    unexplained: [],
  };
  for (const file of readdirSync(new URL("templates/", CORPUS))) {
    const source = readFileSync(new URL(`templates/${file}`, CORPUS), "utf8");
    if (!TAG.test(source)) continue;
    const compared = [...comparisons(source, file)];
    total.templates++;
    for (const each of compared) count(total, file, each);
    console.log(`${file}: ${summary(compared)}`);
  }
  return total;
}

function count(total: Total, file: string, compared: Compared): void {
  const { conversation, kinds, unexplained, hasSpans } = compared;
  total.renders++;
  if (hasSpans) total.withSpans++;
  if (kinds.length + unexplained.length > 0) total.differing++;
  for (const kind of new Set(kinds)) {
    const known = total.kinds.get(kind) ?? { spans: 0, renders: 0, templates: new Set() };
    total.kinds.set(kind, known);
    known.spans += kinds.filter((other) => other === kind).length;
    known.renders++;
    known.templates.add(file);
  }
  total.unexplained.push(...unexplained.map((found) => `${file}, ${conversation}: ${found}`));
}

/** How many renders of a template are equal, and of each kind. */
function summary(compared: readonly Compared[]): string {
  const equal = compared.filter(
    ({ kinds, unexplained }) => kinds.length + unexplained.length === 0,
  );
  const counts = kindNames().flatMap((kind) => {
    const renders = compared.filter(({ kinds }) => kinds.includes(kind)).length;
    return renders === 0 ? [] : [`${kind} ${renders}`];
  });
  return [`${compared.length} renders`, `${equal.length} equal`, ...counts].join(", ");
}

function kindNames(): readonly Kind[] {
  return Object.keys(KINDS).filter((name): name is Kind => name in KINDS);
}

function report(total: Total): void {
  const { templates, renders, withSpans, differing, kinds, unexplained } = total;
  console.log(
    `${templates} templates, ${renders} renders (${withSpans} with spans): ` +
      `${renders - differing} masks equal, ${differing} differ`,
  );
  for (const kind of kindNames()) {
    const found = kinds.get(kind);
    if (found === undefined) continue;
    console.log(
      `  ${kind}: ${found.spans} spans, ${found.renders} renders, ` +
        `${found.templates.size} templates (${KINDS[kind]})`,
    );
  }
  for (const found of unexplained) console.log(`  of no kind: ${found}`);
}

if (existsSync(CORPUS)) {
  const total = verify();
  report(total);
  process.exitCode = total.unexplained.length === 0 ? 0 : 1;
} else {
  console.log(`skipped: no corpus at ${CORPUS.pathname}`);
}
