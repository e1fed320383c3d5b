/** The operators of Jinja2's lexer.py, and how a text is asked for one. */
export const OPERATORS = {
  "+": "add",
  "-": "sub",
  "/": "div",
  "//": "floordiv",
  "*": "mul",
  "%": "mod",
  "**": "pow",
  "~": "tilde",
  "[": "lbracket",
  "]": "rbracket",
  "(": "lparen",
  ")": "rparen",
  "{": "lbrace",
  "}": "rbrace",
  "==": "eq",
  "!=": "ne",
  ">": "gt",
  ">=": "gteq",
  "<": "lt",
  "<=": "lteq",
  "=": "assign",
  ".": "dot",
  ":": "colon",
  "|": "pipe",
  ",": "comma",
  ";": "semicolon",
} as const;

export type Operator = keyof typeof OPERATORS;
export type OperatorType = (typeof OPERATORS)[Operator];

const FIRST_NOT_ASCII = 128;
const EQUALS_CODE = 61;
/** The operators of one character, by its code. */
const SINGLE: readonly (Operator | undefined)[] = Array.from(
  { length: FIRST_NOT_ASCII },
  (_, code) => operatorOf(String.fromCharCode(code)),
);

/** The operator that begins here, the longest there is. */
export function operatorAt(text: string, start: number): Operator | undefined {
  const code = text.charCodeAt(start);
  const next = text.charCodeAt(start + 1);
  // All of two characters repeat one, or end in an equals sign.
  const isDouble = next === EQUALS_CODE || next === code;
  return (isDouble ? operatorOf(text.slice(start, start + 2)) : undefined) ?? SINGLE[code];
}

function operatorOf(text: string): Operator | undefined {
  return isOperator(text) ? text : undefined;
}

function isOperator(text: string): text is Operator {
  return Object.hasOwn(OPERATORS, text);
}
