/** Where the marks of a text stand once it has been formatted: its tokens keep their order, whatever their layout. */
import { ts } from "ts-morph";
import type { Mark, MarkedText } from "./marks.js";

interface Token {
  readonly start: number;
  /** What the token means: the value of a literal, however it is quoted. */
  readonly value: string;
  /** Whether formatting may add it or take it away. */
  readonly isLoose: boolean;
}

/** The marks on the tokens of the formatted text that stand for the tokens that they are on. */
export function alignMarks({ text, marks }: MarkedText, formatted: string): readonly Mark[] {
  const tokens = tokensOf(text);
  const targets = tokensOf(formatted);
  const partners = partnersOf(tokens, targets);
  const aligned: Mark[] = [];
  let i = 0;
  for (const { offset, place } of marks) {
    while (i < tokens.length && (tokens[i]?.start ?? 0) < offset) i++;
    const target = targets[partners[i] ?? targets.length];
    if (target !== undefined) aligned.push({ offset: target.start, place });
  }
  return aligned;
}

/** For each token, the index of its counterpart, or of what follows where it has none. */
function partnersOf(tokens: readonly Token[], targets: readonly Token[]): readonly number[] {
  let next = 0;
  return tokens.map((token) => {
    const found = counterpart(token, targets, next);
    if (found === null) return next;
    next = found + 1;
    return found;
  });
}

/** How far to look where formatting has changed more than it is known to. */
const REACH = 32;

function counterpart(token: Token, targets: readonly Token[], from: number): number | null {
  for (let i = from; i < Math.min(from + REACH, targets.length); i++) {
    const target = targets[i];
    if (target?.value === token.value && target.isLoose === token.isLoose) return i;
    if (token.isLoose && target?.isLoose !== true) return null;
  }
  return null;
}

const LOOSE: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.OpenParenToken,
  ts.SyntaxKind.CloseParenToken,
  ts.SyntaxKind.CommaToken,
  ts.SyntaxKind.SemicolonToken,
  ts.SyntaxKind.BarToken,
]);

function tokensOf(text: string): readonly Token[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text);
  const tokens: Token[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const value = hasValue(kind) ? scanner.getTokenValue() : scanner.getTokenText();
    tokens.push({ start: scanner.getTokenStart(), value, isLoose: LOOSE.has(kind) });
  }
  return tokens;
}

function hasValue(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstLiteralToken && kind <= ts.SyntaxKind.LastLiteralToken;
}
