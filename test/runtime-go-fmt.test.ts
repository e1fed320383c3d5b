/** fmt as runtime/go has it; what is expected here Go 1.26.8 has printed. */
import { describe, expect, it } from "vitest";
import { parseJson } from "../runtime/json.js";
import {
  Complex,
  fromBytes,
  html,
  js,
  Json,
  print,
  printf,
  println,
  sliceBytes,
  text,
  toBytes,
  typed,
  urlquery,
} from "../runtime/go/index.js";

/** `printf format` of the JSON values. */
function formatted(format: string, ...values: readonly string[]): string {
  return printf(format, values.map(parseJson), "");
}

const LIST = `[1, "a", null, 2.5, true]`;
const MAP = `{"b": 1, "a": "x", "c": [1, {"k": null}]}`;

describe("printf", () => {
  it.each([
    ["%v", LIST, "[1 a <nil> 2.5 true]"],
    ["%#v", LIST, `[]interface {}{1, "a", interface {}(nil), 2.5, true}`],
    ["%x", LIST, "[1 61 <nil> 0x1.4p+01 %!x(bool=true)]"],
    [
      "%d",
      MAP,
      "map[%!d(string=a):%!d(string=x) %!d(string=b):1 %!d(string=c):[1 map[%!d(string=k):<nil>]]]",
    ],
    ["% x", MAP, "map[61:78 62: 1 63:[ 1 map[6b:<nil>]]]"],
    ["%q", "-7", "'\ufffd'"],
    ["%U", "-7", "U+FFFFFFFFFFFFFFF9"],
    ["%#U", "128512", "U+1F600 '😀'"],
    ["%08.3d", "-5", "    -005"],
    ["%+q", `"é😀\\u0000"`, `"\\u00e9\\U0001f600\\x00"`],
    ["%#q", `"a\`b"`, '"a`b"'],
    ["%5s|", `"日本"`, "   日本|"],
    ["%.1f", "0.25", "0.2"],
    ["%.0f", "2.5", "2"],
    ["%#x", "2.0", "0x1.0000p+01"],
    ["%b", "2.0", "4503599627370496p-51"],
    ["%#q", "1.5", "%!q(float64=1.50000)"],
    ["%v", "1e20", "1e+20"],
    ["%v", "123456789.0", "1.23456789e+08"],
    ["%.3e", "5e-324", "4.941e-324"],
    ["%T", "null", "<nil>"],
    ["%d", "null", "%!d(<nil>)"],
    ["%v", "9007199254740993", "9007199254740993"],
  ])("%s of %s", (format, value, expected) => {
    expect(formatted(format, value)).toBe(expected);
  });

  it.each([
    ["%d %s", ["1"], "1 %!s(MISSING)"],
    ["x", ["1", `"a"`], "x%!(EXTRA int=1, string=a)"],
    ["%", [], "%!(NOVERB)"],
    ["%!", ["1"], "%!!(int=1)"],
    ["%[2]d %[1]d", ["1", "2"], "2 1"],
    ["%[3]d", ["1"], "%!d(BADINDEX)"],
    ["%-*d|", ["5", "1"], "1    |"],
    ["%.*f", [`"x"`, "1.5"], "%!(BADPREC)1.500000"],
  ])("%s with operands", (format, values, expected) => {
    expect(formatted(format, ...values)).toBe(expected);
  });

  it("refuses a format that is no string", () => {
    expect(() => printf(1, [], `1:9: executing "" at <.a>`)).toThrow(
      `template: :1:9: executing "" at <.a>: wrong type for value; expected string; got int`,
    );
  });

  it("takes numbers that encoding/json decoded as float64", () => {
    expect(
      printf(
        "%v %d %T",
        [1000000, 1000000, 1].map((n) => typed(Json, n)),
        "",
      ),
    ).toBe("1e+06 %!d(float64=1e+06) float64");
    expect(text(new Complex(1, -2))).toBe("(1-2i)");
  });
});

describe("print", () => {
  it("puts a space between operands that are no strings", () => {
    expect(print(["a", 1, 2, "b"])).toBe("a1 2b");
    expect(println(["a", "b", 1])).toBe("a b 1\n");
  });

  it("shows nil as <nil>, but as <no value> where an action prints it", () => {
    expect([print([null]), text(null), html([undefined])]).toEqual([
      "<nil>",
      "<no value>",
      "&lt;no value&gt;",
    ]);
  });
});

describe("escaping", () => {
  it("writes what Go writes", () => {
    const s = "</a> = \u2028é\u0001'\"\\&";
    expect(html([s])).toBe("&lt;/a&gt; = \u2028é\u0001&#39;&#34;\\&amp;");
    expect(js([s])).toBe("\\u003C/a\\u003E \\u003D \\u2028é\\u0001\\'\\\"\\\\\\u0026");
    expect(urlquery(["a b+é/?~"])).toBe("a+b%2B%C3%A9%2F%3F~");
  });
});

describe("bytes", () => {
  const [first, second] = [sliceBytes("é", 0, 1, ""), sliceBytes("é", 1, undefined, "")];

  it("that are no character stand alone and join again", () => {
    expect(Array.from(toBytes(first))).toEqual([0xc3]);
    expect([print([first, second]), printf("%3s", [print([first, second])], "")]).toEqual([
      "é",
      "  é",
    ]);
  });

  it("are written as bytes", () => {
    expect(printf("%q %x", [first, first], "")).toBe('"\\xc3" c3');
    expect(urlquery([first])).toBe("%C3");
  });

  it("decode as Go decodes them, one by one where they are wrong", () => {
    const bytes = Uint8Array.of(0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x98, 0x80, 0xc0, 0x80);
    expect(fromBytes(bytes)).toBe("\udced\udca0\udc80😀\udcc0\udc80");
    expect(toBytes(fromBytes(bytes))).toEqual(bytes);
  });
});
