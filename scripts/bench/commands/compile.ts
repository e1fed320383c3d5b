/** `compile`: how long compiling takes, over all templates of the corpus. */
import { compile as compileModule } from "../../../compiler/index.js";
import { Template } from "../../../compiler/template.js";
import { corpus, type CorpusTemplate } from "../corpus-files.js";
import { median, quantile } from "../measure.js";
import { output, type OutputOptions } from "../output.js";
import { figure } from "../report.js";

export interface CompileTimeOptions extends OutputOptions {
  readonly quick?: boolean;
}

const QUICK_TEMPLATES = 20;

interface Found {
  readonly template: string;
  readonly how: string;
  readonly ms: number;
}

const HOW: Readonly<Record<string, (template: CorpusTemplate) => unknown>> = {
  "compile (what generate does)": ({ source, dialect }) =>
    compileModule(source, { name: "template", dialect }),
  "new Template": ({ source, dialect }) => new Template(source, { dialect }),
  "new Template, and its optimised program": ({ source, dialect }) =>
    new Template(source, { dialect }).meta.variables,
};

export async function compile(options: CompileTimeOptions): Promise<void> {
  const all = [...corpus("jinja"), ...corpus("go")];
  if (all.length === 0) throw new Error("there is no corpus beside the repository");
  const every = options.quick === true ? Math.ceil(all.length / QUICK_TEMPLATES) : 1;
  const templates = all.filter((_, i) => i % every === 0);
  const found: Found[] = [];
  for (const [how, run] of Object.entries(HOW)) {
    // A first one, which loads and warms what all others use.
    await timed(run, templates[0]);
    for (const template of templates) {
      const ms = await timed(run, template);
      if (ms !== undefined) found.push({ template: template.file, how, ms });
    }
  }
  const body = Object.keys(HOW).map((how) => {
    const own = found.filter((each) => each.how === how).sort((x, y) => y.ms - x.ms);
    const times = own.map(({ ms }) => ms);
    const slowest = own.slice(0, 3).map(({ template, ms }) => `${template} ${figure(ms)}`);
    return [
      how,
      String(own.length),
      figure(median(times)),
      figure(quantile(times, 0.9)),
      figure(quantile(times, 1)),
      slowest.join(", "),
    ];
  });
  const head = ["what", "templates", "median", "nine of ten", "most", "slowest"];
  const title = `Milliseconds of the processor to compile a template, Node ${process.version}`;
  output([{ title, head, body }], found, options);
}

/** Undefined where the compiler refuses the template. */
async function timed(
  run: (template: CorpusTemplate) => unknown,
  template: CorpusTemplate | undefined,
): Promise<number | undefined> {
  if (template === undefined) return undefined;
  const before = process.cpuUsage();
  try {
    await run(template);
  } catch {
    return undefined;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
