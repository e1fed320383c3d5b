// Ollama's request, as encoding/json decodes it and template.go's collate merges it: types are checked, the request's own
// objects are used, neighbours of one role are merged, system texts are joined.
const bad = (what) => {
  throw new TypeError(`json: cannot unmarshal ${what}`);
};
const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
// An end that is half a surrogate pair would join with what is printed beside it.
const checkText = (v, what) => {
  if (typeof v !== "string") return bad(what);
  const n = v.length;
  if (n === 0) return v;
  const a = v.charCodeAt(0),
    b = v.charCodeAt(n - 1);
  return (a >= 0xdc00 && a < 0xe000) || (b >= 0xd800 && b < 0xdc00) ? v.toWellFormed() : v;
};
const checkOptional = (v, what) => (v === undefined ? v : checkText(v, what));
function checkCalls(calls) {
  if (!Array.isArray(calls)) return bad("tool_calls");
  for (const call of calls) {
    const f = call.function;
    if (!isObject(f) || !isObject(f.arguments)) return bad("tool_calls.function");
    checkText(f.name, "tool_calls.function.name");
  }
}
function checkProperty(p) {
  if (!isObject(p)) return bad("properties");
  const t = p.type;
  if (typeof t !== "string" && t !== undefined && !Array.isArray(t)) bad("type");
  checkOptional(p.description, "description");
  if (p.enum !== undefined && !Array.isArray(p.enum)) bad("enum");
}
function checkTools(tools) {
  if (!Array.isArray(tools)) return bad("tools");
  for (const tool of tools) {
    const f = tool.function;
    if (!isObject(f) || !isObject(f.parameters)) return bad("function");
    checkText(f.name, "name");
    checkOptional(f.description, "description");
    const { properties, required } = f.parameters;
    for (const k in properties) checkProperty(properties[k]);
    if (required !== undefined) for (const each of required) checkText(each, "required");
  }
}
export function decode({ messages, tools, think }) {
  const merged = [];
  let system, last;
  for (const m of messages) {
    const role = checkText(m.role, "role"),
      content = checkText(m.content, "content");
    checkOptional(m.thinking, "thinking");
    if (m.tool_calls !== undefined) checkCalls(m.tool_calls);
    if (role === "system") system = system === undefined ? content : system + "\n\n" + content;
    if (last !== undefined && last.role === role && role !== "tool")
      merged[merged.length - 1] = last = { ...last, content: last.content + "\n\n" + content };
    else merged.push((last = m));
  }
  if (tools !== undefined) checkTools(tools);
  return { messages: merged, tools, system, think: think === true, isSet: think !== undefined };
}
