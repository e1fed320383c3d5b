/** Marks of a template, what stands in brackets as special tokens do, and what their names say of turns. */

/** `<|im_end|>`, `</s>`, `[|endofturn|]`, `[/INST]`. */
const MARK = /<[|｜]?[^\s<>|｜]+[|｜]?>|\[\|[^\s[\]|]+\|\]|\[\/?[A-Z_]+\]/g;
/** `</s>`, `<|im_end|>`, `<|eot_id|>`, `<｜tool▁calls▁end｜>`, and `<turn|>` beside `<|turn>`. */
const END = /\/|(?<!\p{L})(?:end|close|eo[mst](?!\p{L}))|tools?_suffix|^<[^|｜].*[|｜]>$/iu;
/** `<tool_call>`, `<|tool_call_start|>`, `[TOOL_CALLS]`, `<|START_ACTION|>`. */
const CALL = /call|invoke|action/i;
const ROLE =
  /user|human|assistant|model|bot|system|developer|tool|function|observation|environment|ipython|response/i;

/** A mark's text, and where it stands in the text that was searched. */
interface Mark {
  readonly mark: string;
  readonly start: number;
  readonly end: number;
}

/** The marks of a text, in order. */
export function marksOf(text: string): readonly Mark[] {
  return Array.from(text.matchAll(MARK), ({ 0: mark, index }) => ({
    mark,
    start: index,
    end: index + mark.length,
  }));
}

/** Whether a mark begins the frame of a call. */
export function beginsCall(mark: string): boolean {
  return CALL.test(mark) && !END.test(mark);
}

/**
 * Tells the marks that begin turns: those that name a role, and those that stand before the first message too; none that
 * names an end or a call. `before` is what the template writes before the first message.
 */
export function turnOpening(before: string): (mark: string) => boolean {
  const opening = openingMarks(before);
  return (mark) => !END.test(mark) && !CALL.test(mark) && (opening.has(mark) || ROLE.test(mark));
}

function openingMarks(before: string): ReadonlySet<string> {
  const marks = marksOf(before);
  const opening = new Set(
    marks.flatMap(({ mark, start }, i) => {
      const behind = before.slice(marks[i - 1]?.end ?? start, start);
      return isOnLine(behind) ? [] : [mark];
    }),
  );
  const ending = turnsEnd(marks.map(({ mark }) => mark));
  if (ending !== undefined) opening.delete(ending);
  return opening;
}

/** What stands between the marks of one header: `<|im_start|>user<|im_sep|>`. */
function isOnLine(text: string): boolean {
  return text.trim() !== "" && !text.includes("\n");
}

/**
 * Where the first mark comes again, the template has written a turn of its own there (a system prompt), and the mark
 * before it ends that turn, whatever its name.
 */
function turnsEnd(marks: readonly string[]): string | undefined {
  const first = marks.find((mark, i) => marks.includes(mark, i + 1));
  if (first === undefined) return undefined;
  const ending = marks[marks.indexOf(first, marks.indexOf(first) + 1) - 1];
  return ending === first ? undefined : ending;
}
