import { goJson, sortedKeys } from "./rt2.mjs";
import { begin, flush, end } from "./rt2.mjs";
import { decode } from "./ollama.mjs";
export function render(request) {
  const { messages, tools, think, isSet, system } = decode(request);
  let out = "<|im_start|>system";
  if (system) out += "\n" + system;
  else
    out +=
      "\nYou are MiMo, a helpful AI assistant engineered by Xiaomi.\nToday's date: " +
      new Date().toISOString().slice(0, 10) +
      ". Your knowledge cutoff date is December 2024.";
  if (tools && tools.length) {
    out +=
      "\n# Tools\nYou may call one or more functions to assist with the user query.\nYou have access to the following functions:\n<tools>";
    for (let i = 0; i < tools.length; i++) {
      const f = tools[i].function;
      out += "\n<function>\n<name>" + f.name + "</name>";
      if (f.description) out += "\n<description>" + f.description + "</description>";
      out += "\n<parameters>";
      const ps = f.parameters.properties,
        ks = sortedKeys(ps);
      for (let j = 0; j < ks.length; j++) {
        const k = ks[j],
          p = ps[k];
        out += "\n<parameter>\n<name>" + k + "</name>";
        if (p.type && p.type.length)
          out +=
            "\n<type>" +
            (typeof p.type === "string"
              ? p.type
              : p.type.length === 1
                ? p.type[0]
                : "[" + p.type.join(" ") + "]") +
            "</type>";
        if (p.description) out += "\n<description>" + p.description + "</description>";
        out += "\n</parameter>";
      }
      if (f.parameters.required && f.parameters.required.length)
        out += "\n<required>" + goJson(f.parameters.required) + "</required>";
      out += "\n</parameters>\n</function>";
    }
    out +=
      '\n</tools>\nFor each function call, output the function name and arguments in the following format:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>\n<IMPORTANT>\n- Function calls MUST follow the specified format: an inner JSON block must be nested within <tool_call></tool_call> XML tags\n- DO NOT use function calls inside <think></think> tags.\n- The value enclosed between parameter tags is preserved exactly as-is, including newlines and spaces.\n</IMPORTANT>';
  }
  out += "<|im_end|>";
  const n = messages.length;
  let lastUser = -1;
  for (let i = 0; i < n; i++) if (messages[i].role === "user") lastUser = i;
  for (let i = 0; i < n; i++) {
    const m = messages[i],
      role = m.role,
      last = i === n - 1;
    if (role === "user") out += "<|im_start|>user\n" + (m.content || "") + "<|im_end|>";
    else if (role === "assistant") {
      const tcs = m.tool_calls,
        has = tcs !== undefined && tcs.length > 0;
      out += "<|im_start|>assistant";
      if (isSet && think && m.thinking && (last || i > lastUser || has))
        out += "\n<think>" + m.thinking + "</think>";
      else out += "\n<think></think>";
      out += m.content || "";
      if (has) {
        out += "<tool_call>";
        for (let j = 0; j < tcs.length; j++) {
          const f = tcs[j].function;
          out += '\n{"name": "' + f.name + '", "arguments": ' + goJson(f.arguments) + "}";
        }
        out += "\n</tool_call>";
      }
      if (!last) out += "<|im_end|>";
    } else if (role === "tool")
      out +=
        "<|im_start|>tool\n<tool_response>\n" +
        (m.content || "") +
        "\n</tool_response>\n<|im_end|>";
    if (last && role !== "assistant") {
      out += "<|im_start|>assistant";
      if (isSet && !think) out += "\n<think></think>";
    }
  }
  return out;
}
export function renderBytes(request) {
  begin();
  const { messages, tools, think, isSet, system } = decode(request);
  let out = "<|im_start|>system";
  if (system) out += "\n" + system;
  else
    out +=
      "\nYou are MiMo, a helpful AI assistant engineered by Xiaomi.\nToday's date: " +
      new Date().toISOString().slice(0, 10) +
      ". Your knowledge cutoff date is December 2024.";
  if (tools && tools.length) {
    out +=
      "\n# Tools\nYou may call one or more functions to assist with the user query.\nYou have access to the following functions:\n<tools>";
    for (let i = 0; i < tools.length; i++) {
      const f = tools[i].function;
      out += "\n<function>\n<name>" + f.name + "</name>";
      if (f.description) out += "\n<description>" + f.description + "</description>";
      out += "\n<parameters>";
      const ps = f.parameters.properties,
        ks = sortedKeys(ps);
      for (let j = 0; j < ks.length; j++) {
        const k = ks[j],
          p = ps[k];
        out += "\n<parameter>\n<name>" + k + "</name>";
        if (p.type && p.type.length)
          out +=
            "\n<type>" +
            (typeof p.type === "string"
              ? p.type
              : p.type.length === 1
                ? p.type[0]
                : "[" + p.type.join(" ") + "]") +
            "</type>";
        if (p.description) out += "\n<description>" + p.description + "</description>";
        out += "\n</parameter>";
      }
      if (f.parameters.required && f.parameters.required.length)
        out += "\n<required>" + goJson(f.parameters.required) + "</required>";
      out += "\n</parameters>\n</function>";
    }
    out +=
      '\n</tools>\nFor each function call, output the function name and arguments in the following format:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>\n<IMPORTANT>\n- Function calls MUST follow the specified format: an inner JSON block must be nested within <tool_call></tool_call> XML tags\n- DO NOT use function calls inside <think></think> tags.\n- The value enclosed between parameter tags is preserved exactly as-is, including newlines and spaces.\n</IMPORTANT>';
  }
  out += "<|im_end|>";
  const n = messages.length;
  let lastUser = -1;
  for (let i = 0; i < n; i++) if (messages[i].role === "user") lastUser = i;
  for (let i = 0; i < n; i++) {
    if (out.length > 16384) out = flush(out);
    const m = messages[i],
      role = m.role,
      last = i === n - 1;
    if (role === "user") out += "<|im_start|>user\n" + (m.content || "") + "<|im_end|>";
    else if (role === "assistant") {
      const tcs = m.tool_calls,
        has = tcs !== undefined && tcs.length > 0;
      out += "<|im_start|>assistant";
      if (isSet && think && m.thinking && (last || i > lastUser || has))
        out += "\n<think>" + m.thinking + "</think>";
      else out += "\n<think></think>";
      out += m.content || "";
      if (has) {
        out += "<tool_call>";
        for (let j = 0; j < tcs.length; j++) {
          const f = tcs[j].function;
          out += '\n{"name": "' + f.name + '", "arguments": ' + goJson(f.arguments) + "}";
        }
        out += "\n</tool_call>";
      }
      if (!last) out += "<|im_end|>";
    } else if (role === "tool")
      out +=
        "<|im_start|>tool\n<tool_response>\n" +
        (m.content || "") +
        "\n</tool_response>\n<|im_end|>";
    if (last && role !== "assistant") {
      out += "<|im_start|>assistant";
      if (isSet && !think) out += "\n<think></think>";
    }
  }
  return end(out);
}
