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
