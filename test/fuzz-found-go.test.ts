/** Kinds of faults that `npm run fuzz` has found in the Go dialects, each with the answer of Go 1.26.8 and Ollama v0.32.15. */
import { describe, expect, it } from "vitest";
import { createEngine, ENGINES } from "../scripts/engines.js";
import { parseRow } from "../scripts/rows.js";
import { difference, type Expectation } from "./compare.js";

interface Row {
  readonly name: string;
  readonly dialect: "go" | "ollama";
  readonly template: string;
  /** JSON. */
  readonly input: string;
  readonly expect: Expectation;
}

const ROWS: readonly Row[] = [
  {
    name: "lone surrogates of data are decoded",
    dialect: "go",
    template: "{{.}}{{.a}}{{.b}}",
    input: '{"a":"x\\ud83d","b":"\\ude00y"}',
    expect: {
      ok: true,
      output: "map[a:x� b:�y]x��y",
    },
  },
  {
    name: "a value is evaluated before its variable is looked up",
    dialect: "go",
    template: "{{$v = slice 2}}",
    input: "{}",
    expect: {
      ok: false,
      phase: "render",
      error:
        'template: :1:7: executing "" at <slice 2>: error calling slice: can\'t slice item of type int',
    },
  },
  {
    name: "an undeclared variable is blamed where the value ends",
    dialect: "go",
    template: "{{$none = and . 1}}",
    input: "{}",
    expect: {
      ok: false,
      phase: "render",
      error: 'template: :1:14: executing "" at <.>: undefined variable: $none',
    },
  },
  {
    name: "a piped value fails before and can leave it out",
    dialect: "go",
    template: "{{call . | and .}}",
    input: "{}",
    expect: {
      ok: false,
      phase: "render",
      error:
        'template: :1:2: executing "" at <call .>: error calling call: non-function . of type map[string]interface {}',
    },
  },
  {
    name: "a piped value fails before and can leave it out, though the result is nil",
    dialect: "ollama",
    template: "{{slice .Messages 1 | and .Prompt}}",
    input: "{}",
    expect: {
      ok: false,
      phase: "render",
      error:
        'template: :1:2: executing "" at <slice .Messages 1>: error calling slice: index out of range: 1',
    },
  },
  {
    name: "a piped value fails before the arguments",
    dialect: "go",
    template: "{{index .l 1 | print (index .l 2)}}",
    input: '{"l":[]}',
    expect: {
      ok: false,
      phase: "render",
      error:
        'template: :1:2: executing "" at <index .l 1>: error calling index: index out of range: 1',
    },
  },
  {
    name: "a piped callee is named by reflect",
    dialect: "go",
    template: "{{. | call}}",
    input: "{}",
    expect: {
      ok: false,
      phase: "render",
      error:
        'template: :1:6: executing "" at <call>: error calling call: non-function <map[string]interface {} Value> of type map[string]interface {}',
    },
  },
  {
    name: "a piped text that is called names itself",
    dialect: "go",
    template: '{{"f" | call}}',
    input: "{}",
    expect: {
      ok: false,
      phase: "render",
      error:
        'template: :1:8: executing "" at <call>: error calling call: non-function f of type string',
    },
  },
  {
    name: "a value of a type in an interface keeps its methods",
    dialect: "ollama",
    template: "{{range .Messages}}{{end}}{{$v := .}}{{with $v.Tools.String}}{{$v = 1}}{{.}}{{end}}",
    input: "{}",
    expect: {
      ok: true,
      output: "null",
    },
  },
  {
    name: "a condition reads the variable that it declares",
    dialect: "ollama",
    template: "{{$v := 1}}{{if $v := 0}}yes{{else}}no{{end}}{{with $v := 2}}{{.}}{{end}}",
    input: "{}",
    expect: {
      ok: true,
      output: "no2",
    },
  },
  {
    name: "properties in a tool with other spellings keep their order",
    dialect: "ollama",
    template: "{{range .Messages}}{{end}}{{.Tools}}",
    input:
      '{"tools":[{"FUNCTION":{"name":"f","parameters":{"properties":{"p":{"properties":{"z":{"type":"a"},"10":{"type":"b"},"9":{"type":""}}}}}}}]}',
    expect: {
      ok: true,
      output:
        '[{"type":"","function":{"name":"f","description":"","parameters":{"type":"","properties":{"p":{"properties":{"z":{"type":"a"},"10":{"type":"b"},"9":{"type":""}}}}}}}]',
    },
  },
  {
    name: "a literal's stray byte is a byte in the output",
    dialect: "ollama",
    template: '{{"\\xff"}}{{"\\xc3"}}{{"\\xa9"}}',
    input: "{}",
    expect: {
      ok: true,
      output: "\udcffé",
    },
  },
  {
    name: "nil is no value where a pipeline assigned it",
    dialect: "go",
    template: "{{range $i, $v := .}}{{range .}}{{$v = $v.n}}[{{$v}}]{{end}}{{end}}",
    input: '{"a":{"x":1,"y":2}}',
    expect: {
      ok: true,
      output: "[<no value>][<no value>]",
    },
  },
  {
    name: "a range that assigns needs a declared variable",
    dialect: "go",
    template: "{{range $x = 0}}{{$x}}{{end}}",
    input: "{}",
    expect: {
      ok: false,
      phase: "render",
      error: 'template: :1:13: executing "" at <0>: undefined variable: $x',
    },
  },
  {
    name: "a range's value is read before the range assigns to what it is read from",
    dialect: "go",
    template: "{{$v := .}}{{range $v = $v.n}}{{.}}{{end}}",
    input: '{"n":3}',
    expect: {
      ok: true,
      output: "012",
    },
  },
  {
    name: "ints of a range stand in no interface",
    dialect: "go",
    template: '{{range .n}}{{slice "abcd" .}}{{end}}',
    input: '{"n":3}',
    expect: {
      ok: true,
      output: "abcdbcdcd",
    },
  },
  {
    name: "a variable remembers whether an interface holds its int",
    dialect: "go",
    template: '{{$x := 1}}{{slice "abc" $x}}{{range $x = .l}}{{slice "abc" $x}}{{end}}',
    input: '{"l":[1]}',
    expect: {
      ok: false,
      phase: "render",
      error:
        'template: :1:48: executing "" at <slice "abc" $x>: error calling slice: cannot index slice/array with type interface {}',
    },
  },
  {
    name: "eq evaluates every argument",
    dialect: "ollama",
    template: "{{eq .ThinkLevel .Response (index .Messages 0).Thinking}}{{range .Messages}}{{end}}",
    input: "{}",
    expect: {
      ok: false,
      phase: "render",
      error:
        'template: :1:28: executing "" at <index .Messages 0>: error calling index: reflect: slice index out of range',
    },
  },
  {
    name: "an absent list through a piped or",
    dialect: "ollama",
    template:
      "{{if (index .Messages 0).Images | or}}yes{{else}}no{{end}}{{len (or (index .Messages 0).Images (index .Messages 0).Images)}}",
    input: '{"prompt":"a"}',
    expect: {
      ok: false,
      phase: "render",
      error:
        'template: :1:6: executing "" at <index .Messages 0>: error calling index: index of untyped nil',
    },
  },
  {
    name: "an ampersand in front of a text is the text's",
    dialect: "go",
    template: '{{range html "<a>"}}{{end}}',
    input: "{}",
    expect: {
      ok: false,
      phase: "render",
      error: 'template: :1:13: executing "" at <"<a>">: range can\'t iterate over &lt;a&gt;',
    },
  },
  {
    name: "slice reaches up to the capacity of a decoded list",
    dialect: "ollama",
    template:
      "{{range .Messages}}{{end}}{{range .Tools}}{{slice .Function.Parameters.Required 0 4}}{{range .Function.Parameters.Properties}}{{slice .Type 0 4}}{{slice .Enum 0 4}}{{json (slice (slice .Enum 0 1) 0 4)}}{{end}}{{end}}",
    input:
      '{"tools":[{"function":{"name":"a","parameters":{"required":["a","b","c"],"properties":{"p":{"type":["a","b","c"],"enum":[1,2,3]}}}}}]}',
    expect: {
      ok: true,
      output: "[a b c ][a b c ][1 2 3 <nil>][1,2,3,null]",
    },
  },
  {
    name: "slice reaches up to the capacity of appended calls",
    dialect: "ollama",
    template: "{{range .Messages}}{{slice .ToolCalls 0 8}}{{json (slice .ToolCalls 5)}}{{end}}",
    input:
      '{"messages":[{"role":"user","tool_calls":[{"function":{"name":"a"}},{"function":{"name":"b"}},{"function":{"name":"c"}},{"function":{"name":"d"}},{"function":{"name":"e"}}]}]}',
    expect: {
      ok: true,
      output:
        "[{ {0 a {}}} { {0 b {}}} { {0 c {}}} { {0 d {}}} { {0 e {}}} { {0  {}}} { {0  {}}} { {0  {}}}][]",
    },
  },
  {
    name: "an index between the length and the capacity",
    dialect: "ollama",
    template: "{{range .Messages}}{{slice .ToolCalls 4}}{{end}}",
    input:
      '{"messages":[{"role":"user","tool_calls":[{"function":{"name":"a"}},{"function":{"name":"b"}},{"function":{"name":"c"}}]}]}',
    expect: {
      ok: false,
      phase: "render",
      error:
        'template: :1:21: executing "" at <slice .ToolCalls 4>: error calling slice: invalid slice index: 4 > 3',
    },
  },
  {
    name: "a part can be extended again",
    dialect: "go",
    template:
      "{{slice (slice .l 0 1) 0 3}}{{$x := slice .l 1 2}}{{slice $x 0 2}}{{range $x}}{{.}}{{end}}{{json $x}}",
    input: '{"l":[1,2,3]}',
    expect: {
      ok: true,
      output: "[1 2 3][2 3]2[2]",
    },
  },
  {
    name: "a part with a capacity cannot",
    dialect: "go",
    template: "{{slice (slice .l 0 1 2) 0 3}}",
    input: '{"l":[1,2,3]}',
    expect: {
      ok: false,
      phase: "render",
      error:
        'template: :1:2: executing "" at <slice (slice .l 0 1 2) 0 3>: error calling slice: index out of range: 3',
    },
  },
  {
    name: "large lists grow by size classes",
    dialect: "ollama",
    template:
      "{{range .Messages}}{{len (slice .ToolCalls 0 18)}}{{len (slice .ToolCalls 0 19)}}{{end}}",
    input:
      '{"messages":[{"role":"user","tool_calls":[{"function":{"name":"0"}},{"function":{"name":"1"}},{"function":{"name":"2"}},{"function":{"name":"3"}},{"function":{"name":"4"}},{"function":{"name":"5"}},{"function":{"name":"6"}},{"function":{"name":"7"}},{"function":{"name":"8"}}]}]}',
    expect: {
      ok: false,
      phase: "render",
      error:
        'template: :1:57: executing "" at <slice .ToolCalls 0 19>: error calling slice: index out of range: 19',
    },
  },
  {
    name: "bytes of an image reach to the buffer that base64 was decoded into",
    dialect: "ollama",
    template: "{{range .Messages}}{{slice (index .Images 0) 0 6}}{{end}}",
    input: '{"messages":[{"role":"user","content":"a","images":["AAEC/w=="]}]}',
    expect: {
      ok: true,
      output: "[0 1 2 255 0 0]",
    },
  },
];

describe.each(ENGINES)("%s", (name) => {
  it.each(ROWS)("$dialect: $name", async (row) => {
    const engine = await createEngine(name);
    const { dialect, template, input } = row;
    const line = `${JSON.stringify({ id: row.name, dialect, template }).slice(0, -1)},"input":${input}}`;
    const abilities = { spans: false, vars: false };
    const test = { id: row.name, dialect, expect: row.expect };
    expect(difference(test, engine(parseRow(line)), abilities)).toBeUndefined();
  });
});
