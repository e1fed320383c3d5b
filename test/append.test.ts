/** Prompts that go on as messages come: what is appended makes the whole prompt, and old messages are left alone. */
import { describe, expect, it } from "vitest";
import { Template } from "../compiler/template.js";
import { RenderError } from "../runtime/index.js";

interface Message {
  readonly role: string;
  readonly content: string;
}

function message(role: string, content: string): Message {
  return { role, content };
}

/** A conversation of so many messages, by turns of user and assistant. */
function conversation(length: number): Message[] {
  return Array.from({ length }, (_, i) => message(i % 2 === 0 ? "user" : "assistant", `text ${i}`));
}

/** Messages that count how often their fields are read while something runs. */
function counted(originals: readonly Message[]): {
  readonly messages: readonly Message[];
  readonly readsOf: (run: () => void) => number;
} {
  let count = 0;
  const get = (target: Message, key: string | symbol, receiver: unknown): unknown => {
    count++;
    return Reflect.get(target, key, receiver);
  };
  const readsOf = (run: () => void): number => {
    count = 0;
    run();
    return count;
  };
  return { messages: originals.map((one) => new Proxy(one, { get })), readsOf };
}

const TURNS =
  "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content|trim }}<end>{% endfor %}" +
  "{% if add_generation_prompt %}<assistant>{% endif %}";

/** Templates whose prompts grow, each by what it keeps or asks of the messages. */
const GROWING: readonly (readonly [what: string, source: string])[] = [
  ["nothing", TURNS],
  [
    "the first message",
    "{% if messages[0].role == 'system' %}{% set rest = messages[1:] %}{{ messages[0].content }}{% else %}{% set rest = messages %}{% endif %}" +
      "{% for m in rest %}{{ loop.index }}{{ m.content }}{% endfor %}",
  ],
  [
    "a namespace",
    "{% set ns = namespace(count=0, last='') %}{% for m in messages %}{% if m.role == 'user' %}{% set ns.count = ns.count + 1 %}{% endif %}" +
      "{{ ns.last }}{{ ns.count }}{{ m.content }};{% set ns.last = m.role %}{% endfor %}",
  ],
  [
    "the messages beside",
    "{% for m in messages %}{% if loop.first or messages[loop.index0 - 1].role != m.role %}<{{ m.role }}>{% endif %}{{ m.content }}{% endfor %}",
  ],
  [
    "macros",
    "{% macro shown(m) %}[{{ m.content }}{{ bos_token }}]{% endmacro %}{% for m in messages %}{{ shown(m) }}{% endfor %}",
  ],
];

describe("prompts that go on", () => {
  for (const codegen of [true, false]) {
    it.each(GROWING)(`are those of all messages, keeping %s (codegen: ${codegen})`, (_, source) => {
      const template = new Template(source, { codegen });
      const input = { bos_token: "<s>", add_generation_prompt: false };
      const messages = [message("system", "rule"), ...conversation(7)];
      expect(template.isIncremental).toBe(true);
      for (let start = 1; start < messages.length; start++) {
        let prompt = template.renderGrowing({ ...input, messages: messages.slice(0, start) });
        for (let end = start + 1; end <= messages.length; end++) {
          const before = prompt.text;
          prompt = template.renderAppend(prompt, messages.slice(end - 1, end));
          expect(prompt.text).toBe(template.render({ ...input, messages: messages.slice(0, end) }));
          expect(before + prompt.appended).toBe(prompt.text);
        }
      }
    });
  }

  it("begin an answer, and go on with it", () => {
    const template = new Template(TURNS);
    const input = { messages: conversation(1), bos_token: "", add_generation_prompt: true };
    const asked = template.renderGrowing(input);
    const next = template.renderAppend(asked, conversation(3).slice(1));
    expect(next.appended).toBe("text 1<end><user>text 2<end><assistant>");
  });

  it("go on in several ways from one", () => {
    const template = new Template(TURNS);
    const start = template.renderGrowing({ messages: conversation(2), bos_token: "" });
    const [one, two] = ["one", "two"].map((text) =>
      template.renderAppend(start, [message("user", text)]),
    );
    expect(one?.appended).toBe("<user>one<end>");
    expect(two?.appended).toBe("<user>two<end>");
  });

  it("read no old message but the last, and do as much for a long conversation as for a short one", () => {
    const reads = [10, 1000].map((length) => {
      const { messages, readsOf } = counted(conversation(length));
      const template = new Template(TURNS, { codegen: true });
      const prompt = template.renderGrowing({ messages, bos_token: "" });
      return readsOf(() => {
        const next = template.renderAppend(prompt, [message("user", "new")]);
        expect(next.appended).toBe("<user>new<end>");
      });
    });
    expect(reads[1]).toBe(reads[0]);
  });

  it("are rendered as a whole where what stands before depends on what follows", () => {
    const template = new Template(
      "{% set all = messages|map(attribute='content')|list %}{% for m in messages %}{{ m.content }}{% endfor %}",
    );
    expect(template.isIncremental).toBe(false);
    const prompt = template.renderGrowing({ messages: conversation(1) });
    expect(template.renderAppend(prompt, conversation(3).slice(1)).text).toBe("text 0text 1text 2");
  });

  it.each([
    ["jinja", "{{ messages|length }}"],
    [
      "jinja",
      "{% for m in messages %}{{ m.content }}{% if loop.last %}<end>{% endif %}{% endfor %}",
    ],
    ["go", "{{ . }}"],
  ] as const)("are refused where prompts do not always grow: %s %s", (dialect, source) => {
    const template = new Template(source, { dialect });
    expect(() => template.renderGrowing({ messages: conversation(1) })).toThrow(RenderError);
  });

  it("are refused of another template", () => {
    const prompt = new Template(TURNS).renderGrowing({ messages: conversation(1), bos_token: "" });
    expect(() => new Template(TURNS).renderAppend(prompt, [])).toThrow(RenderError);
  });
});

const LAST = "{{ $last := eq (len (slice $.Messages $i)) 1 }}";
const RANGE = "{{ range $i, $_ := .Messages }}";

/** A message's turn, with an answer begun after it; `shown` stands before its text. */
function turn(shown: string): string {
  const end = '{{ if not $last }}<end>{{ else if ne .Role "assistant" }}<end><assistant>{{ end }}';
  return `${LAST}<{{ .Role }}>${shown}{{ .Content }}${end}`;
}

const TURNS_OLLAMA = `${RANGE}${turn("")}{{ end }}`;

/** Ollama's templates whose prompts grow, each by what it keeps or asks of the messages. */
const GROWING_OLLAMA: readonly (readonly [what: string, source: string])[] = [
  ["which is last", TURNS_OLLAMA],
  ["whether there are any", `{{ if .Messages }}${TURNS_OLLAMA}{{ else }}none{{ end }}`],
  [
    "a variable",
    `{{ $before := "" }}${RANGE}${turn("{{ $before }}")}{{ $before = .Role }}{{ end }}`,
  ],
  ["the clock", `{{ currentDate }}${TURNS_OLLAMA}`],
  [
    "a template",
    `{{ define "shown" }}[{{ .Role }}]{{ end }}${RANGE}${turn('{{ template "shown" . }}')}{{ end }}`,
  ],
];

/** Neighbours of one role, which are merged, results of tools, which are not, and a late system message. */
const ROLES = "system user user assistant tool tool assistant assistant user system assistant user";

describe("prompts of Ollama's dialect that go on", () => {
  const messages = ROLES.split(" ").map((role, i) => message(role, `text ${i}`));

  for (const codegen of [true, false]) {
    it.each(GROWING_OLLAMA)(
      `are those of all messages, asking %s (codegen: ${codegen})`,
      (_, source) => {
        const template = new Template(source, { dialect: "ollama", codegen });
        const whole = (end: number): string =>
          template.render({ messages: messages.slice(0, end) });
        expect(template.isIncremental).toBe(true);
        for (let start = 1; start < messages.length; start++) {
          const prompt = template.renderGrowing({ messages: messages.slice(0, start) });
          for (let end = start + 1; end <= messages.length; end++) {
            const append = (): string =>
              template.renderAppend(prompt, messages.slice(start, end)).text;
            if (whole(end).startsWith(whole(start))) expect(append()).toBe(whole(end));
            else expect(append).toThrow(RenderError);
          }
        }
      },
    );
  }

  it("read no old message but the last", () => {
    const reads = [10, 1000].map((length) => {
      const { messages, readsOf } = counted(conversation(length));
      const template = new Template(TURNS_OLLAMA, {
        dialect: "ollama",
        codegen: true,
      });
      const prompt = template.renderGrowing({ messages });
      return readsOf(() => {
        const next = template.renderAppend(prompt, [message("user", "new")]);
        expect(next.appended).toBe("<end><user>new<end><assistant>");
      });
    });
    expect(reads[1]).toBe(reads[0]);
  });

  it.each(["prompt", "response"])(
    "are rendered as a whole where %s stands behind the messages",
    (name) => {
      const template = new Template("{{ range .Messages }}<{{ .Role }}>{{ end }}", {
        dialect: "ollama",
      });
      const input = { messages: [message("tool", "one")], [name]: "text" };
      const start = template.renderGrowing(input);
      const more = [message("tool", "two")];
      expect(() => template.renderAppend(start, more)).toThrow(RenderError);
    },
  );

  it("name a refused message by its place in the conversation", () => {
    const template = new Template(TURNS_OLLAMA, { dialect: "ollama" });
    const refused = { role: "user", content: 7 };
    const all = [...conversation(2), refused];
    const start = template.renderGrowing({ messages: conversation(2) });
    const message = outcome(() => template.render({ messages: all }));
    expect(message).toContain("RenderError");
    expect(outcome(() => template.renderAppend(start, [refused]).text)).toBe(message);
  });

  it.each([
    ["a count", `${RANGE}{{ len $.Messages }}{{ .Content }}{{ end }}`],
    [
      "a loop before",
      `{{ $u := 0 }}${RANGE}{{ $u = $i }}{{ end }}${RANGE}{{ if eq $i $u }}L{{ end }}{{ end }}`,
    ],
    ["the messages from one on", `${RANGE}{{ json (slice $.Messages $i) }}{{ end }}`],
    [
      "whether there are several",
      `{{ if gt (len .Messages) 1 }}several{{ end }}${RANGE}{{ .Content }}{{ end }}`,
    ],
  ])("are not said to leave old messages alone, asking %s", (_, source) => {
    expect(new Template(source, { dialect: "ollama" }).isIncremental).toBe(false);
  });
});

function outcome(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}
