/** `chat-template bench`: how often a second the compiled function renders an input. */
import { parseInput, placeOf, readText, valuesOf, type Assignments } from "./arguments.js";
import { formatRenderError } from "./report.js";
import {
  compileLoaded,
  loadTemplate,
  renderOnce,
  variablesFor,
  withSettings,
  type TemplateOptions,
} from "./templates.js";
import { EXIT, UsageError, type ExitCode, type Terminal } from "./terminal.js";

export interface BenchOptions extends TemplateOptions {
  readonly input?: string;
  readonly set?: Assignments;
  readonly now?: string;
  readonly seconds?: number;
}

export interface Measurement {
  /** Renders a second, in the fastest round: what the code costs where nothing else ran. */
  readonly rendersPerSecond: number;
  readonly microseconds: number;
  readonly renders: number;
  /** UTF-16 units of the prompt. */
  readonly length: number;
}

export async function bench(
  location: string,
  options: BenchOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.input === undefined) throw new UsageError("bench needs an input: give one with -i");
  const loaded = await loadTemplate(location, options, terminal);
  const input = parseInput(await readText(options.input, terminal), placeOf(options.input));
  const template = compileLoaded(loaded, location, options, terminal);
  if (template === undefined) return EXIT.refused;
  const variables = withSettings(loaded, variablesFor(loaded, input, valuesOf(options.set)));
  const first = renderOnce(template, variables, { now: options.now });
  if (!first.ok) {
    terminal.error(formatRenderError(location, loaded.source, first.error, terminal));
    return EXIT.refused;
  }
  const renderOptions = options.now === undefined ? {} : { now: options.now };
  const render = (): number => template.render(variables, renderOptions).length;
  const found = measure(render, (options.seconds ?? 2) * 1000);
  if (options.json) terminal.out(`${JSON.stringify({ ok: true, template: location, ...found })}\n`);
  else terminal.out(sentence(location, found));
  return EXIT.fine;
}

const ROUNDS = 20;
const WARM_UP = 0.25;

/** Rounds of equal length after a part of the time for V8 to optimise in. */
function measure(render: () => number, milliseconds: number): Measurement {
  const length = render();
  const round = milliseconds / ROUNDS;
  roundOf(render, milliseconds * WARM_UP, 1);
  const block = Math.max(1, Math.round(roundOf(render, round, 1).renders / 10));
  let fastest = 0;
  let renders = 0;
  for (let at = 0; at < ROUNDS; at++) {
    const result = roundOf(render, round, block);
    fastest = Math.max(fastest, result.renders / result.seconds);
    renders += result.renders;
  }
  return { rendersPerSecond: fastest, microseconds: 1e6 / fastest, renders, length };
}

/** Renders in blocks, so that reading the clock costs nothing next to them. */
function roundOf(
  render: () => number,
  milliseconds: number,
  block: number,
): { readonly renders: number; readonly seconds: number } {
  const start = process.hrtime.bigint();
  let renders = 0;
  let seconds: number;
  do {
    for (let at = 0; at < block; at++) render();
    renders += block;
    seconds = Number(process.hrtime.bigint() - start) / 1e9;
  } while (seconds * 1000 < milliseconds);
  return { renders, seconds };
}

function sentence(location: string, found: Measurement): string {
  const perSecond = Math.round(found.rendersPerSecond).toLocaleString("en-US");
  const each = `${found.microseconds.toPrecision(3)} µs each`;
  return `${location}: ${perSecond} renders a second, ${each}, ${String(found.length)} characters\n`;
}
