/** The steps of Ollama's server before the template: server/prompt.go and server/routes.go of v0.32.15. */
import { describe, expect, it } from "vitest";
import { Template } from "../compiler/template.js";
import {
  filterThinkTags,
  filtersThinkTags,
  generateMessages,
  ModelfileError,
  parseModelfile,
  tagImages,
  withModelfile,
} from "../runtime/chat/index.js";

const user = { role: "user", content: "Hi" };
const assistant = { role: "assistant", content: "Hello" };

describe("tagImages", () => {
  const contents = (messages: Parameters<typeof tagImages>[0]) =>
    tagImages(messages).map(({ content }) => content);

  it("puts a tag for each image in front, counting through the conversation", () => {
    const messages = [
      { ...user, images: ["QQ==", "Qg=="] },
      assistant,
      { ...user, images: ["Qw=="] },
    ];
    expect(contents(messages)).toEqual(["[img-0][img-1]Hi", "Hello", "[img-2]Hi"]);
  });

  it("takes the places that the content names, one an image", () => {
    const images = ["QQ==", "Qg==", "Qw=="];
    expect(contents([{ role: "user", content: "a [img] b [img]", images }])).toEqual([
      "[img-2]a [img-0] b [img-1]",
    ]);
    expect(contents([{ role: "user", content: "a [img] b", images: [] }])).toEqual(["a [img] b"]);
  });

  it("keeps the images and the caller's messages", () => {
    const message = Object.freeze({ ...user, images: ["QQ=="] });
    expect(tagImages([message])).toEqual([{ ...message, content: "[img-0]Hi" }]);
    expect(message.content).toBe("Hi");
  });

  it("refuses a second image where the model takes one", () => {
    const messages = [{ ...user, images: ["QQ==", "Qg=="] }];
    expect(() => tagImages(messages, { singleImage: true })).toThrow(
      "this model only supports one image while more than one image requested",
    );
  });
});

describe("filterThinkTags", () => {
  const answer = (content: string) =>
    filterThinkTags([user, { role: "assistant", content }, user])[1]?.content;

  it.each([
    ["<think>a</think>b", "b"],
    ["  <think>\na\n</think>\n\nb", "b"],
    ["<think></think>b", "b"],
    ["<think>a</think>b</think>c", "b</think>c"],
    ["<think>never closed", ""],
    ["<think>a</thi", ""],
    ["<thi", ""],
    [" \n", ""],
    ["text <think>a</think>", "text <think>a</think>"],
    ["  text", "  text"],
    ["<think> \u0085\u3000</think>\u00a0x", "x"],
  ])("%j becomes %j", (content, rest) => {
    expect(answer(content)).toBe(rest);
  });

  it("leaves the answers after the last user message, and other roles", () => {
    const thought = { role: "assistant", content: "<think>a</think>b" };
    expect(filterThinkTags([user, thought])).toEqual([user, thought]);
    expect(filterThinkTags([{ ...thought, role: "tool" }, user])[0]?.content).toBe(thought.content);
  });

  it("is for qwen3 and deepseek-r1", () => {
    expect(filtersThinkTags({ family: "qwen3" })).toBe(true);
    expect(filtersThinkTags({ name: "deepseek-r1:7b" })).toBe(true);
    expect(filtersThinkTags({ name: "localhost:5000/me/deepseek-r1" })).toBe(true);
    expect(filtersThinkTags({ name: "qwen3", family: "llama" })).toBe(false);
    expect(filtersThinkTags({ name: "deepseek-r1/other" })).toBe(false);
  });
});

describe("withModelfile", () => {
  const modelfile = { system: "Be kind.", messages: [user, assistant] };

  it("puts the Modelfile's messages first and its system text before them", () => {
    const system = { role: "system", content: "Be kind." };
    expect(withModelfile([user], modelfile)).toEqual([system, user, assistant, user]);
  });

  it("leaves the system text out where the request begins with one", () => {
    const own = { role: "system", content: "Be brief." };
    expect(withModelfile([own, user], modelfile)).toEqual([user, assistant, own, user]);
    expect(withModelfile([user, own], modelfile)[0]?.content).toBe("Be kind.");
    expect(withModelfile([user], {})).toEqual([user]);
  });
});

describe("generateMessages", () => {
  it("takes the request's system text or else the Modelfile's", () => {
    const modelfile = { system: "Be kind.", messages: [assistant] };
    const roles = (system?: string) =>
      generateMessages({ prompt: "Hi", ...(system === undefined ? {} : { system }) }, modelfile);
    expect(roles()).toEqual([{ role: "system", content: "Be kind." }, assistant, user]);
    expect(roles("Own")[0]?.content).toBe("Own");
    expect(generateMessages({ prompt: "Hi", images: ["QQ=="] })).toEqual([
      { ...user, images: ["QQ=="] },
    ]);
  });

  it("makes what templates of dialect ollama take", () => {
    const template = new Template("{{ range .Messages }}{{ .Role }}: {{ .Content }}\n{{ end }}", {
      dialect: "ollama",
    });
    const messages = tagImages(generateMessages({ prompt: "Hi", system: "S", images: ["QQ=="] }));
    expect(template.render({ messages })).toBe("system: S\nuser: [img-0]Hi\n");
  });
});

describe("parseModelfile", () => {
  it("reads SYSTEM, MESSAGE and TEMPLATE among the other lines", () => {
    const text = [
      "# a comment",
      "FROM llama3",
      'PARAMETER stop "<|end|>"',
      'system """Two',
      'lines with "quotes"."""',
      "MESSAGE user Hi there  ",
      'message assistant "Hello',
      'you"',
      "TEMPLATE {{ .Prompt }}",
      "SYSTEM last one counts",
    ].join("\n");
    expect(parseModelfile(text)).toEqual({
      system: "last one counts",
      template: "{{ .Prompt }}",
      messages: [
        { role: "user", content: "Hi there" },
        { role: "assistant", content: "Hello\nyou" },
      ],
    });
  });

  it("keeps what stands between triple quotation marks", () => {
    expect(parseModelfile('FROM x\nSYSTEM """\n a "b" \n"""').system).toBe('\n a "b" \n');
    expect(parseModelfile("FROM x\r\nSYSTEM a\u00a0b").system).toBe("ab");
  });

  it("takes a parameter of a command's name for the command, as Ollama keeps both by their names", () => {
    expect(parseModelfile("PARAMETER model x\nPARAMETER system a\nMESSAGE user b: c")).toEqual({
      system: "a",
      messages: [{ role: "user", content: "b: c" }],
    });
  });

  it("ends a quotation only where a line ends", () => {
    expect(parseModelfile('FROM x\nSYSTEM "a" "b"  \nTEMPLATE "\na"').system).toBe('a" "b');
    expect(parseModelfile("FROM\tx\rSYSTEM \u0001a").system).toBe("a");
  });

  it.each([
    ["FROM\nx", 2, "(line 2): command must be one of"],
    ["FROM x\r\nPROMPT y", 3, "(line 3): command must be one of"],
    ["FROM x\nMESSAGE tool y", 2, "(line 2): message role must be one of"],
    ["FROM x\nPARAMETER stop\n", 3, "unexpected EOF: stop"],
    ["FROM x\nMESSAGE user", 2, "unexpected EOF"],
    ["SYSTEM x\n", 2, "no FROM line"],
  ])("counts the line break of %j to the line that it begins", (text, line, message) => {
    const read = () => parseModelfile(text);
    expect(read).toThrow(ModelfileError);
    expect(read).toThrow(expect.objectContaining({ line }));
    expect(read).toThrow(message);
  });

  it.each([
    ["SYSTEM x", "no FROM line"],
    ["FROM x\nMESSAGE tool y", 'message role must be one of "system", "user", or "assistant"'],
    ["FROM x\nPROMPT y", "command must be one of"],
    ['FROM x\nSYSTEM """open', "unexpected EOF"],
    ["FROM x\nSYSTEM", "unexpected EOF"],
  ])("refuses %j", (text, message) => {
    expect(() => parseModelfile(text)).toThrow(ModelfileError);
    expect(() => parseModelfile(text)).toThrow(message);
  });
});
