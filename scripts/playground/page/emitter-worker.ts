/** The worker that writes modules as `chat-template generate` does: the only one with ts-morph and prettier. */
import { registerCharacterNames } from "../../../compiler/character-names.js";
import { emitModule } from "../../../compiler/emit/module.js";
import { describeTemplate } from "../../../compiler/meta.js";
import { toModule } from "../../../compiler/pipeline.js";
import { declarationsOf } from "../../../compiler/typescript/declarations.js";
import { isJob, type Emitted, type Job } from "./job.js";
import { answerQuestions } from "./worker-calls.js";

registerCharacterNames();

async function emit({ source, dialect, name, define }: Job): Promise<Emitted> {
  const options = { name, dialect, define };
  const { module } = toModule(source, options);
  const meta = describeTemplate(source, name, dialect, module);
  const { code } = await emitModule(module, meta, {
    name,
    file: name,
    runtime: "chat-template-compiler/runtime",
    bytes: false,
    limited: null,
    traced: null,
  });
  return { code, types: declarationsOf(code) };
}

answerQuestions(isJob, emit);
