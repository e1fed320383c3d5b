/**
 * Statements of Jinja: `<kind>` stands for an expression, `<cond>` for a test, `<body>` for statements, `$n` for a name.
 * An expression marked `*` sees what the body sees, one marked `+` the same without `loop`.
 */
import type { Variable } from "./expressions.js";

export interface Form {
  readonly weight: number;
  readonly text: string;
  /** What the body sees beside what is around; `$n` is replaced. */
  readonly sees: readonly Variable[];
  /** What later statements see. */
  readonly binds: readonly Variable[];
  /** Whether the body is inside a loop, outside of all, or where the statement is. */
  readonly body: "loop" | "apart" | "same";
}

/** `name:kind name:kind`. */
function variables(text: string): readonly Variable[] {
  return text
    .split(" ")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", kind = "any"] = pair.split(":");
      return { name, kind };
    });
}

function form(
  weight: number,
  text: string,
  rest: { sees?: string; binds?: string; body?: Form["body"] } = {},
): Form {
  const { sees = "", binds = "", body = "same" } = rest;
  return { weight, text, sees: variables(sees), binds: variables(binds), body };
}

const loop = (weight: number, text: string, sees: string): Form =>
  form(weight, text, { sees, body: "loop" });
const apart = (weight: number, text: string, sees = ""): Form =>
  form(weight, text, { sees, body: "apart" });
const bind = (weight: number, text: string, binds: string): Form => form(weight, text, { binds });

const PARAMETERS = "a:any a:text b:int";

/** What a body is made of; the first rows are all that stands where nothing may nest. */
export const OUTPUTS: readonly Form[] = [
  form(12, "{{ <text> }}"),
  form(5, "{{ <any> }}"),
  form(2, "{{ <int> }}{{ <bool> }}"),
  form(2, "{{ <list> }}"),
  form(1, "{{ <dict> }}"),
  form(1, "{{ <float> }}"),
  form(2, "{{ <texts> }}"),
  form(9, "<drill>"),
  form(2, "{{ '<|im_start|>' + <text> + '\\n' + <text>|trim }}"),
  form(1, "{{ <text> ~ <any> ~ '\\n' }}"),
];

export const FORMS: readonly Form[] = [
  ...OUTPUTS,
  form(8, "{% if <cond> %}<body>{% endif %}"),
  form(4, "{% if <cond> %}<body>{% else %}<body>{% endif %}"),
  form(3, "{% if <cond> %}<body>{% elif <cond> %}<body>{% else %}<body>{% endif %}"),
  form(2, "{% if <cond> %}{% if <cond> %}<body>{% endif %}{% endif %}"),
  form(2, "{% if <cond> %}<body>{% else %}{% if <cond> %}<body>{% endif %}{% endif %}"),
  form(2, "{% if x is defined and x %}<body>{% endif %}"),
  form(2, "{% if x is string %}<body>{% elif x is mapping %}<body>{% else %}{{ x }}{% endif %}", {
    sees: "x:text x:dict",
  }),
  form(
    2,
    "{% if tools is not none and tools %}{% for $n in tools %}<body>{% endfor %}{% endif %}",
    {
      sees: "$n:tool",
      body: "loop",
    },
  ),
  loop(8, "{% for $n in (<messages>) %}<body>{% endfor %}", "$n:message $n:message"),
  loop(2, "{% for $n in (<texts>) %}<body>{% endfor %}", "$n:text $n:text"),
  loop(2, "{% for $n in (<ints>) %}<body>{% endfor %}", "$n:int"),
  loop(2, "{% for $n in (<list>) %}<body>{% endfor %}", "$n:any"),
  loop(1, "{% for $n in <any> %}<body>{% endfor %}", "$n:any"),
  loop(2, "{% for $n in (<messages>) if <cond+> %}<body>{% endfor %}", "$n:message $n:message"),
  loop(1, "{% for $n in (<list>) if <cond+> %}<body>{% else %}<body>{% endfor %}", "$n:any"),
  loop(1, "{% for $n in (<messages>) %}<body>{% else %}<body>{% endfor %}", "$n:message"),
  loop(2, "{% for k, v in (<dict>).items() %}<body>{% endfor %}", "k:text v:any"),
  loop(1, "{% for k, v in (<dict>)|items %}<body>{% endfor %}", "k:text v:any"),
  loop(1, "{% for k, v in (<dict>)|dictsort %}<body>{% endfor %}", "k:text v:any"),
  loop(1, "{% for k, v in (<messages>)|groupby('role') %}<body>{% endfor %}", "k:text v:messages"),
  loop(1, "{% for k, v in [(1, 'a'), (2, <any>)] %}<body>{% endfor %}", "k:int v:any"),
  loop(
    1,
    "{% for r in (<list>) recursive %}<body>{% if r is iterable and r is not string and loop.depth < 4 %}{{ loop(r) }}{% endif %}{% endfor %}",
    "r:any",
  ),
  loop(
    1,
    "{% for r in (<list>) recursive %}<body>{{ loop(<any*>) if loop.depth < 3 }}{% endfor %}",
    "r:any",
  ),
  loop(
    2,
    "{% for $n in (<messages>) %}<body>{% if <cond*> %}{% break %}{% endif %}<body>{% endfor %}",
    "$n:message",
  ),
  loop(
    1,
    "{% for $n in (<list>) %}{% if <cond*> %}{% continue %}{% endif %}<body>{% endfor %}",
    "$n:any",
  ),
  loop(
    2,
    "{% for $n in messages %}{% if ($n['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate') }}{% endif %}<body>{% endfor %}",
    "$n:message",
  ),
  loop(
    3,
    "{% for $n in messages %}{% if $n['role'] == 'user' %}<body>{% elif $n.role == 'assistant' %}<body>{% else %}<body>{% endif %}{% endfor %}",
    "$n:message $n:message",
  ),
  loop(
    3,
    "{% for $n in messages %}{% set content = $n.content %}{% if content is string %}<body>{% else %}{% for part in content or [] %}{% if part.type == 'text' %}{{ part.text }}{% else %}<body>{% endif %}{% endfor %}{% endif %}{% endfor %}",
    "$n:message content:text part:dict",
  ),
  loop(
    2,
    "{% for $n in messages %}{% if $n.tool_calls is defined and $n.tool_calls %}{% for tc in $n.tool_calls %}{% if tc.function is defined %}{% set tc = tc.function %}{% endif %}{{ tc.name }}{{ tc.arguments|tojson }}<body>{% endfor %}{% endif %}{% endfor %}",
    "$n:message tc:dict",
  ),
  loop(
    2,
    "{% for $n in messages %}{% if loop.first or (loop.previtem and loop.previtem.role != $n.role) %}<body>{% endif %}{% if loop.last or loop.nextitem.role != $n.role %}<body>{% endif %}{% endfor %}",
    "$n:message",
  ),
  loop(
    2,
    "{% for $n in messages %}{% if '</think>' in $n.content %}{% set c = $n.content.split('</think>')[-1].lstrip('\\n') %}{% set th = $n.content.split('</think>')[0].rstrip('\\n').split('<think>')[-1] %}<body>{% endif %}{% endfor %}",
    "$n:message c:text th:text",
  ),
  loop(
    3,
    "{% set ns = namespace(v=<any>, w=0) %}{% for $n in (<messages>) %}{% if <cond*> %}{% set ns.v = <any*> %}<body>{% endif %}{% endfor %}{{ ns.v }}",
    "$n:message ns.v:any ns.v:any ns.w:int",
  ),
  loop(
    2,
    "{% set ns = namespace(v='', w=[]) %}{% for $n in (<messages>) %}{% set ns.v = ns.v ~ <any*> %}{% set ns.w = ns.w + [<any*>] %}<body>{% endfor %}{{ ns.v }}{{ ns.w }}",
    "$n:message ns.v:text ns.w:list",
  ),
  loop(
    2,
    "{% set ns = namespace(last=-1, multi=true) %}{% for $n in messages[::-1] %}{% set i = (messages|length - 1) - loop.index0 %}{% if ns.multi and <cond*> %}{% set ns.multi = false %}{% set ns.last = i %}{% endif %}{% endfor %}{% for $n in messages %}{% if loop.index0 > ns.last %}<body>{% endif %}{% endfor %}",
    "$n:message ns.last:int ns.multi:bool",
  ),
  loop(
    2,
    "{% set ns = namespace(found=false) %}{% for $n in (<messages>) %}{% if <cond*> %}{% set ns.found = true %}{% endif %}{% endfor %}{% if ns.found %}<body>{% else %}<body>{% endif %}",
    "$n:message",
  ),
  form(
    2,
    "{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}<body>",
  ),
  form(1, "{% if not x is defined %}{% set x = <any> %}{% endif %}{{ x }}<body>"),
  form(
    2,
    "{% if messages[0].role == 'system' %}{{ messages[0].content }}{% set loop_messages = messages[1:] %}{% else %}{% set loop_messages = messages %}{% endif %}{% for $n in loop_messages %}<body>{% endfor %}",
    {
      sees: "$n:message loop_messages:messages",
      body: "loop",
    },
  ),
  bind(8, "{% set $n = <text> %}", "$n:text"),
  bind(3, "{% set $n = <int> %}", "$n:int"),
  bind(2, "{% set $n = <bool> %}", "$n:bool"),
  bind(2, "{% set $n = <list> %}", "$n:list"),
  bind(2, "{% set $n = <texts> %}", "$n:texts"),
  bind(2, "{% set $n = <dict> %}", "$n:dict"),
  bind(3, "{% set $n = <any> %}", "$n:any"),
  bind(2, "{% set $n = <messages> %}", "$n:messages"),
  bind(2, "{% set $n = <message> %}", "$n:message"),
  bind(1, "{% set $n, $nb = <text>, <any> %}", "$n:text $nb:any"),
  bind(
    2,
    "{% if <cond> %}{% set $n = <text> %}{% else %}{% set $n = <any> %}{% endif %}",
    "$n:text",
  ),
  bind(2, "{% if <cond> %}{% set $n = <text> %}{% endif %}", "$n:text"),
  bind(2, "{% set $n = '' %}{% if <cond> %}{% set $n = <text> %}{% endif %}{{ $n }}", "$n:text"),
  bind(2, "{% set $n = namespace(a=<any>, b=0) %}", "$n.a:any $n.b:int $n:any"),
  bind(1, "{% set $n = namespace(a=<text>) %}{% set $n.a = <any> %}", "$n.a:text"),
  form(2, "{% set $n %}<body>{% endset %}", { binds: "$n:text", body: "apart" }),
  form(1, "{% set $n | <blockfilter> %}<body>{% endset %}", { binds: "$n:text", body: "apart" }),
  ...["", "a", "a, b=1", "a='x', b=<any>", "a, b=a", "a=none", "a, b=s"].map((parameters) =>
    form(1, `{% macro $n(${parameters}) %}<body>{% endmacro %}{{ $n<callargs> }}`, {
      sees: PARAMETERS,
      binds: "$n:callable $n:callable",
      body: "apart",
    }),
  ),
  form(
    1,
    "{% macro $n(a, b=1) %}<body>{{ caller(<any*>) if caller }}{% endmacro %}{% call(c) $n(<any>) %}<body>{{ c }}{% endcall %}{{ $n<callargs> }}",
    {
      sees: `${PARAMETERS} varargs:list kwargs:dict`,
      binds: "$n:callable",
      body: "apart",
    },
  ),
  form(1, "{% macro $n(a) %}{{ varargs }}{{ kwargs }}<body>{% endmacro %}{{ $n<callargs> }}", {
    sees: PARAMETERS,
    binds: "$n:callable",
    body: "apart",
  }),
  form(
    1,
    "{% macro $n(a) %}{% if a is mapping %}{% for k, v in a.items() %}{{ k }}{{ $n(v) }}{% endfor %}{% else %}<body>{% endif %}{% endmacro %}{{ $n(<dict>) }}",
    {
      sees: "a:any a:text",
      binds: "$n:callable",
      body: "apart",
    },
  ),
  apart(1, "{% call(a, b=1) <called>(<any>) %}<body>{% endcall %}", "a:any b:int"),
  apart(1, "{% call <called>() %}<body>{% endcall %}"),
  apart(3, "{% filter <blockfilter> %}<body>{% endfilter %}"),
  form(2, "{% with w = <any>, w2 = <text> %}<body>{% endwith %}", { sees: "w:any w2:text" }),
  apart(2, "{% generation %}<body>{% endgeneration %}"),
  apart(1, "{% block $n %}<body>{% endblock %}"),
  form(2, "{% autoescape <flag> %}<body>{% endautoescape %}"),
  form(2, "{% if <cond> %}{{ raise_exception(<text>) }}{% endif %}"),
  form(5, "<literal>"),
  form(1, "{# a\ncomment #}"),
  form(1, "{#- x -#}"),
  form(1, "{% raw %}{{ x }}{% if %}{% endraw %}"),
  form(1, "{% raw %}\n {% {% endraw %}\n"),
  form(1, "<rare>"),
];

/** Words that stand for others. */
export const WORDS: Readonly<Record<string, readonly string[]>> = {
  blockfilter: [
    ...[
      "upper",
      "trim",
      "lower",
      "indent",
      "replace('a', 'b')",
      "e",
      "string|title",
      "truncate(5)",
    ],
    ...["indent(2, true)", "tojson", "trim|upper", "default('x')", "<filter>", "<filter>"],
    ...["<filter>(<any>)", "<filter>|string"],
  ],
  flag: ["true", "true", "false", "t", "fa"],
  callargs: [
    ...["()", "(<any>)", "(<text>, <any>)", "(a=<text>)", "(<any>, b=<any>)", "(<any>, 2, 3)"],
    ...["(a=<any>, c=<any>)", "(*<list>)", "(**{'a': <any>})", ".name", ".arguments"],
  ],
  literal: [
    ...["text", " ", "\n", "\n\n", "  \n  ", "<|im_start|>", "<|im_end|>\n", "user\n", "[INST] "],
    ...["é🌍", "\r\n", "{ ", "}", "#", "\t", "a\n  b\n", "'", "`${x}`", "\\n", ": ", "</s>", "x\n"],
  ],
  rare: [
    ...[
      "{% print <any>, 1 %}",
      "{% include 'x' %}",
      "{% include <any> ignore missing %}",
      "{{ <any>",
    ],
    ...[
      "{% import 'x' as y %}",
      "{% from 'x' import y %}",
      "{% if <any> %}",
      "{% set 1 = <any> %}",
    ],
    ...["{% for in <any> %}{% endfor %}", "{% extends <any> %}", "{{ <any> | }}", "{% endfor %}"],
    ...[
      "{{ self.v0() }}",
      "{% nosuch <any> %}",
      "{{ <any> is }}",
      "{{ lipsum(n=0) }}",
      "{{ <any> if }}",
    ],
    ...[
      "{% do <any> %}",
      "{% set a.b = <any> %}",
      "{% set a, b = <any> %}{{ a }}",
      "{{ caller() }}",
    ],
    ...[
      "{{ <any>|nosuch }}",
      "{% break %}",
      "{{ loop.index }}",
      "{{ varargs }}",
      "{{ <any> and }}",
    ],
    ...Array.from({ length: 40 }, () => "{{ <text> }}"),
  ],
};
