/** Whether prompts grow with their conversations: what the search finds in templates of known behaviour. */
import { describe, expect, it } from "vitest";
import { prefixStability, type PrefixStability } from "../compiler/analysis/prefix.js";
import { Template } from "../compiler/template.js";

function verdict(source: string, dialect: "jinja" | "ollama" = "jinja"): PrefixStability {
  const template = new Template(source, { dialect });
  return prefixStability(dialect, (input) => template.render(input));
}

const HEADER = "{% if add_generation_prompt %}<assistant>{% endif %}";

describe("prompts of growing conversations", () => {
  it("grow where each message is written by itself", () => {
    const source = `{% for m in messages %}<{{ m.role }}>{{ m.content }}<end>{% endfor %}${HEADER}`;
    expect(verdict(source)).toMatchObject({ stable: true, stableInUse: true });
  });

  it.each([
    [
      "an end that only the last message has",
      "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% if loop.last %}<end>{% endif %}{% endfor %}",
      ["user", "assistant"],
    ],
    [
      "a start of answers that answers do not have",
      "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<assistant><think>{% endif %}",
      ["user", "assistant"],
    ],
    [
      "thoughts that are shown of the last answer only",
      "{% for m in messages %}<{{ m.role }}>{% if m.reasoning_content and loop.last %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}{% endfor %}",
      ["user", "assistant with reasoning", "user"],
    ],
    [
      "results of tools in one turn",
      "{% for m in messages %}{% if m.role == 'tool' %}{% if loop.previtem.role != 'tool' %}<results>{% endif %}{{ m.content }}{% if loop.last or loop.nextitem.role != 'tool' %}</results>{% endif %}{% else %}<{{ m.role }}>{{ m.content }}{% endif %}{% endfor %}",
      ["user", "assistant with a call", "tool", "tool"],
    ],
  ])("part with %s", (_what, source, kinds) => {
    const { stableInUse, counterExample } = verdict(source);
    expect(stableInUse).toBe(false);
    expect(counterExample?.kinds).toEqual(kinds);
  });

  it("part at the unit where they differ", () => {
    const { counterExample } = verdict("{{ messages|length }}");
    expect(counterExample).toMatchObject({ shorter: 1, offset: 0, before: "1", after: "2" });
  });

  it("part in an unusual order only", () => {
    const source =
      "{% for m in messages %}{% if m.role == 'system' %}{{ m.content }}{% endif %}{% endfor %}" +
      "{% for m in messages %}{% if m.role != 'system' %}<{{ m.role }}>{{ m.content }}{% endif %}{% endfor %}";
    expect(verdict(source)).toMatchObject({ stable: false, stableInUse: true });
  });

  it("say nothing of conversations that are refused", () => {
    expect(verdict("{{ raise_exception('no') }}")).toMatchObject({ stable: true, compared: 0 });
  });

  it("grow and part in Ollama's dialect too", () => {
    const turns = "{{ range .Messages }}<{{ .Role }}>{{ .Content }}{{ end }}";
    expect(verdict(`${turns}<assistant>`, "ollama").stableInUse).toBe(true);
    const thinking = "{{ range .Messages }}<{{ .Role }}>{{ .Content }}{{ end }}<assistant><think>";
    expect(verdict(thinking, "ollama").counterExample?.kinds).toEqual(["user", "assistant"]);
  });
});
