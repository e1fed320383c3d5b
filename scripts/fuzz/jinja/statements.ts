/** Random templates: statements around random expressions, with the scopes that they open. */
import type { Random } from "../random.js";
import { textOf, type Node, type Piece } from "../tree.js";
import { Expressions, type Variable } from "./expressions.js";

const TEXTS = [
  "text",
  " ",
  "\n",
  "\n\n",
  "  \n  ",
  "<|im_start|>",
  "<|im_end|>\n",
  "user\n",
  "[INST] ",
  "é🌍",
  "\r\n",
  "{ ",
  "}",
  "#",
  "\t",
  "a\n  b\n",
  "'",
  "`${x}`",
  "\\n",
  ": ",
  "</s>",
  "x\n",
] as const;

/** What a loop runs over, and the kind of what it gives. */
const LOOPS: readonly (readonly [source: string, item: string])[] = [
  ["messages", "message"],
  ["messages", "message"],
  ["messages", "message"],
  ["tools", "tool"],
  ["texts", "text"],
  ["ints", "int"],
  ["list", "any"],
  ["text", "text"],
  ["dict", "text"],
  ["any", "any"],
];
const PAIRS = [
  "<dict>.items()",
  "<dict>|items",
  "<dict>|dictsort",
  "<message>.items()",
  "<list>|batch(2)",
  "<messages>|groupby('role')",
  "[(1, 'a'), (2, 'b')]",
] as const;
const BLOCK_FILTERS = [
  "upper",
  "trim",
  "lower",
  "indent",
  "replace('a', 'b')",
  "e",
  "string|title",
  "truncate(5)",
  "indent(2, true)",
  "tojson",
  "trim|upper",
  "default('x')",
] as const;

/** How deep expressions nest. */
const DEPTHS = [1, 1, 2, 2, 3] as const;

/** No expression has this kind: rows that name `loop` look for it. */
const LOOP: Variable = { name: "loop", kind: "loop" };

interface Frame {
  readonly depth: number;
  readonly scope: readonly Variable[];
  readonly inLoop: boolean;
}

type Maker = (frame: Frame) => readonly Piece[];

export class Statements {
  readonly #random: Random;
  readonly #expressions: Expressions;
  #names = 0;
  #makers: readonly (readonly [number, Maker])[];

  constructor(random: Random) {
    this.#random = random;
    this.#expressions = new Expressions(random);
    this.#makers = this.#weighted();
  }

  /** A template of a few statements, or one with the frame that chat templates have. */
  template(): Node {
    this.#names = 0;
    const frame: Frame = { depth: 3, scope: [], inLoop: false };
    return this.#random.chance(0.4) ? this.#chat(frame) : this.#body(frame, 5);
  }

  #chat(frame: Frame): Node {
    const before = this.#body({ ...frame, depth: 2 }, 3);
    const scope = [...frame.scope, { name: "message", kind: "message" }];
    const inner = this.#body({ depth: 2, scope, inLoop: true }, 4);
    const source = this.#random.pick([
      "messages",
      "messages",
      "loop_messages",
      "loop_messages",
      "messages[1:]",
    ]);
    const setup = this.#block(
      "{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system_message = messages[0]['content'] %}{% else %}{% set loop_messages = messages %}{% endif %}",
    );
    const loop = [
      ...this.#tags(`{% for message in ${source} %}`),
      inner,
      ...this.#tags("{% endfor %}"),
    ];
    const end = this.#block(
      "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
    );
    return statements([before, setup, statements(loop), end]);
  }

  /** Statements one after another; what one sets, the next may read. */
  #body(frame: Frame, limit: number): Node {
    const parts: Node[] = [];
    let scope = frame.scope;
    const count = 1 + this.#random.below(limit);
    for (let at = 0; at < count; at++) {
      const current = { ...frame, scope };
      if (frame.depth > 0 && this.#random.chance(0.3)) {
        const [node, names] = this.#binding(current);
        parts.push(node);
        scope = [...scope, ...names];
      } else {
        parts.push(statements(this.#choose()(current)));
      }
    }
    return statements(parts);
  }

  #choose(): Maker {
    const total = this.#makers.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.#random.below(total);
    for (const [weight, make] of this.#makers) {
      left -= weight;
      if (left < 0) return make;
    }
    throw new Error("no statement");
  }

  #weighted(): readonly (readonly [number, Maker])[] {
    const nested =
      (make: Maker): Maker =>
      (frame) =>
        frame.depth > 0 ? make({ ...frame, depth: frame.depth - 1 }) : this.#output(frame);
    return [
      [14, (frame) => this.#output(frame)],
      [6, () => [this.#random.pick(TEXTS)]],
      [10, nested((frame) => this.#if(frame))],
      [8, nested((frame) => this.#for(frame))],
      [2, nested((frame) => this.#pairs(frame))],
      [1, nested((frame) => this.#recursive(frame))],
      [2, nested((frame) => this.#call(frame))],
      [2, nested((frame) => this.#filterBlock(frame))],
      [1, nested((frame) => this.#with(frame))],
      [1, nested((frame) => this.#enclosed(frame, "generation"))],
      [
        1,
        nested((frame) =>
          this.#enclosed({ ...frame, inLoop: false }, `block b${String(this.#names++)}`),
        ),
      ],
      [1, nested((frame) => this.#autoescape(frame))],
      [3, nested((frame) => this.#accumulate(frame))],
      [2, (frame) => this.#jump(frame)],
      [1, (frame) => this.#rare(frame)],
      [1, () => this.#tags(this.#random.pick(["{# a\ncomment #}", "{#- x -#}", "{#x#}\n"]))],
      [
        1,
        () => [
          this.#random.pick([
            "{% raw %}{{ x }}{% if %}{% endraw %}",
            "{% raw %}\n {% {% endraw %}\n",
          ]),
        ],
      ],
      [1, (frame) => this.#raise(frame)],
    ];
  }

  #expression(kind: string, frame: Frame): Node {
    const scope = frame.inLoop ? [...frame.scope, LOOP] : frame.scope;
    return this.#expressions.make(kind, this.#random.pick(DEPTHS), scope);
  }

  /** What stands before or after an `if` of its own: a conditional needs brackets there. */
  #bracketed(expression: Node): Node {
    const isConditional = textOf(expression).includes(" if ");
    return isConditional || this.#random.chance(0.05)
      ? { category: "expression", parts: ["(", expression, ")"] }
      : expression;
  }

  /** A tag with expressions in place of `<kind>`, its white space control as it comes. */
  #tags(text: string, ...inner: readonly Piece[]): readonly Piece[] {
    const texts = text.split("@").map((part) => this.#controlled(part));
    return texts.flatMap((part, at) => {
      const piece = inner[at];
      return piece === undefined ? [part] : [part, piece];
    });
  }

  #controlled(text: string): string {
    return text
      .replace(/\{%(?![-+])/g, () => this.#random.pick(["{%", "{%", "{%", "{%-", "{%-", "{%+"]))
      .replace(/(?<![-+])%\}/g, () =>
        this.#random.pick(["%}", "%}", "%}", "%}", "-%}", "-%}", "+%}", "%}\n"]),
      )
      .replace(/\{\{(?![-+])/g, () => this.#random.pick(["{{", "{{", "{{", "{{-"]))
      .replace(/(?<![-+])\}\}$/g, () => this.#random.pick(["}}", "}}", "}}", "-}}"]));
  }

  #block(text: string, ...inner: readonly Piece[]): Node {
    return statements(this.#tags(text, ...inner));
  }

  #output(frame: Frame): readonly Piece[] {
    const kind = this.#random.pick([
      "text",
      "text",
      "text",
      "any",
      "any",
      "int",
      "bool",
      "list",
      "dict",
      "float",
      "texts",
    ]);
    return this.#tags("{{ @ }}", this.#expression(kind, frame));
  }

  #if(frame: Frame): readonly Piece[] {
    const parts = [
      ...this.#tags("{% if @ %}", this.#bracketed(this.#expression("bool", frame))),
      this.#body(frame, 3),
    ];
    while (this.#random.chance(0.3)) {
      parts.push(
        ...this.#tags("{% elif @ %}", this.#bracketed(this.#expression("bool", frame))),
        this.#body(frame, 2),
      );
    }
    if (this.#random.chance(0.4)) parts.push(...this.#tags("{% else %}"), this.#body(frame, 2));
    return [...parts, ...this.#tags("{% endif %}")];
  }

  #for(frame: Frame): readonly Piece[] {
    const [source, kind] = this.#random.pick(LOOPS);
    const name = this.#random.pick(["message", "m", "item", this.#name()]);
    const scope = [...frame.scope, { name, kind }, { name, kind }];
    const test = this.#random.chance(0.2)
      ? this.#tags(" if @", this.#bracketed(this.#expressions.make("bool", 2, scope)))
      : [];
    const parts = [
      ...this.#tags(`{% for ${name} in @`, this.#bracketed(this.#expression(source, frame))),
      ...test,
      ...this.#tags(" %}"),
    ];
    parts.push(this.#body({ ...frame, scope, inLoop: true }, 3));
    if (this.#random.chance(0.15)) parts.push(...this.#tags("{% else %}"), this.#body(frame, 2));
    return [...parts, ...this.#tags("{% endfor %}")];
  }

  #pairs(frame: Frame): readonly Piece[] {
    const row = this.#random.pick(PAIRS);
    const kind = /<([a-z]+)>/.exec(row)?.[1];
    const source = row.replace(/<([a-z]+)>/, "@");
    const inner =
      kind === undefined
        ? []
        : [{ category: "expression" as const, parts: ["(", this.#expression(kind, frame), ")"] }];
    const scope = [...frame.scope, { name: "k", kind: "text" }, { name: "v", kind: "any" }];
    const body = this.#body({ ...frame, scope, inLoop: true }, 3);
    return [
      ...this.#tags(`{% for k, v in ${source} %}`, ...inner),
      body,
      ...this.#tags("{% endfor %}"),
    ];
  }

  #recursive(frame: Frame): readonly Piece[] {
    const scope = [...frame.scope, { name: "r", kind: "any" }];
    const inner = this.#body({ ...frame, scope, inLoop: true }, 2);
    const again = this.#random.pick([
      "{{ loop(r) }}",
      "{{ loop([]) }}",
      "{% if r is iterable and r is not string and loop.depth < 4 %}{{ loop(r) }}{% endif %}",
      "{{ loop(r.values()) if r is mapping }}",
    ]);
    return [
      ...this.#tags("{% for r in @ recursive %}", this.#expression("list", frame)),
      inner,
      this.#block(again),
      ...this.#tags("{% endfor %}"),
    ];
  }

  #call(frame: Frame): readonly Piece[] {
    const callee = frame.scope.findLast((each) => each.kind === "callable")?.name ?? "undefd";
    const parameters = this.#random.pick(["", "", "(a)", "(a, b=1)"]);
    const body = this.#body(
      { ...frame, scope: [...frame.scope, { name: "a", kind: "any" }], inLoop: false },
      2,
    );
    return [
      ...this.#tags(`{% call${parameters} ${callee}(@) %}`, this.#expression("any", frame)),
      body,
      ...this.#tags("{% endcall %}"),
    ];
  }

  #filterBlock(frame: Frame): readonly Piece[] {
    const filter = this.#random.pick(BLOCK_FILTERS);
    return [
      ...this.#tags(`{% filter ${filter} %}`),
      this.#body({ ...frame, inLoop: false }, 2),
      ...this.#tags("{% endfilter %}"),
    ];
  }

  #with(frame: Frame): readonly Piece[] {
    const scope = [...frame.scope, { name: "w", kind: "any" }];
    return [
      ...this.#tags(
        "{% with w = @, w2 = @ %}",
        this.#expression("any", frame),
        this.#expression("text", frame),
      ),
      this.#body({ ...frame, scope }, 3),
      ...this.#tags("{% endwith %}"),
    ];
  }

  #enclosed(frame: Frame, tag: string): readonly Piece[] {
    const word = tag.split(" ")[0] ?? tag;
    return [
      ...this.#tags(`{% ${tag} %}`),
      this.#body({ ...frame, inLoop: false }, 3),
      ...this.#tags(`{% end${word} %}`),
    ];
  }

  #autoescape(frame: Frame): readonly Piece[] {
    const value = this.#random.pick(["true", "true", "false", "t", "fa"]);
    return [
      ...this.#tags(`{% autoescape ${value} %}`),
      this.#body(frame, 3),
      ...this.#tags("{% endautoescape %}"),
    ];
  }

  /** What templates use namespaces for: a loop that adds up, or remembers. */
  #accumulate(frame: Frame): readonly Piece[] {
    const name = this.#random.pick(["ns", "state", this.#name()]);
    const [source, kind] = this.#random.pick(LOOPS);
    const scope = [...frame.scope, { name: "e", kind }, { name: `${name}.v`, kind: "any" }];
    const initial = this.#random.pick(["''", "0", "false", "true", "[]", "none", "-1", "x"]);
    const update = this.#random.pick([
      `${name}.v + 1`,
      `${name}.v ~ @`,
      `${name}.v + [@]`,
      "@",
      "true",
      "loop.index0",
      `${name}.v + @`,
      "not @",
    ]);
    const test = this.#bracketed(this.#expressions.make("bool", 2, scope));
    const inner = { ...frame, scope, inLoop: true };
    const set = this.#tags(
      `{% set ${name}.v = ${update} %}`,
      ...(update.includes("@")
        ? [this.#expression(this.#random.pick(["text", "int", kind]), inner)]
        : []),
    );
    return [
      ...this.#tags(`{% set ${name} = namespace(v=${initial}) %}`),
      ...this.#tags("{% for e in @ %}", this.#bracketed(this.#expression(source, frame))),
      statements([
        ...this.#tags("{% if @ %}", test),
        statements(set),
        this.#body(inner, 2),
        ...this.#tags("{% endif %}"),
      ]),
      ...this.#tags("{% endfor %}"),
      this.#body(
        {
          ...frame,
          scope: [...frame.scope, { name: `${name}.v`, kind: "any" }, { name, kind: "namespace" }],
        },
        2,
      ),
    ];
  }

  #jump(frame: Frame): readonly Piece[] {
    if (!frame.inLoop) return this.#output(frame);
    const jump = this.#random.pick(["break", "continue"]);
    return this.#tags(
      `{% if @ %}{% ${jump} %}{% endif %}`,
      this.#bracketed(this.#expression("bool", frame)),
    );
  }

  #raise(frame: Frame): readonly Piece[] {
    return this.#tags(
      "{% if @ %}{{ raise_exception(@) }}{% endif %}",
      this.#bracketed(this.#expression("bool", frame)),
      this.#expression("text", frame),
    );
  }

  #rare(frame: Frame): readonly Piece[] {
    if (this.#random.chance(0.6)) return this.#output(frame);
    const text = this.#random.pick([
      "{% print @, 1 %}",
      "{% include 'x' %}",
      "{% include @ ignore missing %}",
      "{% import 'x' as y %}",
      "{% from 'x' import y %}",
      "{{ @",
      "{% if @ %}",
      "{% set 1 = @ %}",
      "{% for in @ %}{% endfor %}",
      "{% extends @ %}",
      "{{ @ | }}",
      "{% endfor %}",
      "{{ self.b0() }}",
      "{% nosuch @ %}",
      "{{ @ is }}",
      "{{ lipsum(n=0) }}{{ @ }}",
      "{{ @ if }}",
      "{% do @ %}",
      "{% set a.b = @ %}",
      "{% set a, b = @ %}{{ a }}",
      "{{ caller() }}{{ @ }}",
      "{{ varargs }}{{ @ }}",
      "{{ @ and }}",
    ]);
    return this.#tags(text, this.#expression("any", frame));
  }

  /** A statement that binds names for what follows. */
  #binding(frame: Frame): readonly [Node, readonly Variable[]] {
    const name = this.#random.chance(0.3)
      ? this.#random.pick(["content", "s", "x", "message", "n", "system_message"])
      : this.#name();
    const kind = this.#random.pick([
      "text",
      "text",
      "int",
      "bool",
      "list",
      "dict",
      "any",
      "messages",
      "texts",
      "message",
      "float",
    ]);
    switch (this.#random.below(9)) {
      case 0:
        return [this.#setBlock(name, frame), [{ name, kind: "text" }]];
      case 1:
        return [
          this.#macro(name, frame),
          [
            { name, kind: "callable" },
            { name, kind: "callable" },
          ],
        ];
      case 2:
        return [
          this.#namespace(name, kind, frame),
          [
            { name: `${name}.a`, kind },
            { name: `${name}.b`, kind: "int" },
            { name, kind: "any" },
          ],
        ];
      case 3:
        return [
          this.#block(
            `{% set ${name}, ${name}b = @, @ %}`,
            this.#expression(kind, frame),
            this.#expression("any", frame),
          ),
          [
            { name, kind },
            { name: `${name}b`, kind: "any" },
          ],
        ];
      default:
        return [
          this.#block(`{% set ${name} = @ %}`, this.#expression(kind, frame)),
          [{ name, kind }],
        ];
    }
  }

  #setBlock(name: string, frame: Frame): Node {
    const filter = this.#random.chance(0.3) ? ` | ${this.#random.pick(BLOCK_FILTERS)}` : "";
    const body = this.#body({ ...frame, depth: frame.depth - 1, inLoop: false }, 3);
    return statements([
      ...this.#tags(`{% set ${name}${filter} %}`),
      body,
      ...this.#tags("{% endset %}"),
    ]);
  }

  #macro(name: string, frame: Frame): Node {
    const parameters = this.#random.pick([
      "",
      "a",
      "a, b=1",
      "a='x', b=@",
      "a, b=a",
      "a=none",
      "a, b=s",
    ]);
    const own: Variable[] = [
      { name: "a", kind: "any" },
      { name: "a", kind: "text" },
      { name: "b", kind: "int" },
    ];
    if (this.#random.chance(0.2))
      own.push({ name: "varargs", kind: "list" }, { name: "kwargs", kind: "dict" });
    if (this.#random.chance(0.3))
      own.push({ name: "caller()", kind: "text" }, { name: "caller(1)", kind: "any" });
    const inner = { depth: frame.depth - 1, scope: [...frame.scope, ...own], inLoop: false };
    const head = this.#tags(
      `{% macro ${name}(${parameters}) %}`,
      ...(parameters.includes("@") ? [this.#expression("any", frame)] : []),
    );
    return statements([
      ...head,
      this.#body(inner, 3),
      ...this.#tags("{% endmacro %}"),
      this.#calls(name, frame),
    ]);
  }

  #calls(name: string, frame: Frame): Node {
    const call = this.#random.pick([
      "()",
      "(@)",
      "(@, @)",
      "(a=@)",
      "(@, b=@)",
      "(@, 2, 3)",
      "(a=@, c=@)",
      "(*@)",
      "(**{'a': @})",
      ".name",
      ".arguments",
    ]);
    const inner = [...call]
      .filter((char) => char === "@")
      .map(() => this.#expression("any", frame));
    return this.#block(`{{ ${name}${call} }}`, ...inner);
  }

  #namespace(name: string, kind: string, frame: Frame): Node {
    const made = this.#block(
      `{% set ${name} = namespace(a=@, b=0) %}`,
      this.#expression(kind, frame),
    );
    return this.#random.chance(0.5)
      ? made
      : statements([made, this.#block(`{% set ${name}.a = @ %}`, this.#expression(kind, frame))]);
  }

  #name(): string {
    return `v${String(this.#names++)}`;
  }
}

function statements(parts: readonly Piece[]): Node {
  return { category: "statements", parts };
}
