import { goJson, sortedKeys } from "./rt2.mjs";
import { begin, flush, end } from "./rt2.mjs";
import { decode } from "./ollama.mjs";
export function render(request) {
  const { messages, tools, system } = decode(request);
  let out;
  if (tools && tools.length) {
    out = "<|im_start|>system\n# Tools\n\nYou have access to the following functions:\n\n<tools>";
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
        if (p.enum && p.enum.length) out += "\n<enum>" + goJson(p.enum) + "</enum>";
        out += "\n</parameter>";
      }
      if (f.parameters.required && f.parameters.required.length)
        out += "\n<required>" + goJson(f.parameters.required) + "</required>";
      out += "\n</parameters>\n</function>\n";
    }
    out +=
      "</tools>\n\nIf you choose to call a function ONLY reply in the following format with NO suffix:\n\n<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n</parameter>\n<parameter=example_parameter_2>\nThis is the value for the second parameter\nthat can span\nmultiple lines\n</parameter>\n</function>\n</tool_call>\n\n<IMPORTANT>\nReminder:\n- Function calls MUST follow the specified format: an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags\n- Required parameters MUST be specified\n- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after\n- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls\n</IMPORTANT>" +
      (system || "") +
      "<|im_end|>\n";
  } else out = "<|im_start|>system\n" + (system || "") + "<|im_end|>\n";
  const n = messages.length;
  for (let i = 0; i < n; i++) {
    const m = messages[i],
      role = m.role;
    if (role === "user") {
      out += "<|im_start|>user\n";
      if (m.images)
        for (let j = 0; j < m.images.length; j++)
          out += "[{'type': 'image'}, {'type': 'text', 'text': '";
      out += (m.content || "") + "<|im_end|>\n";
    } else if (role === "assistant") {
      const tcs = m.tool_calls;
      if (tcs !== undefined && tcs.length) {
        out += "<|im_start|>assistant\n<think></think>\n";
        for (let j = 0; j < tcs.length; j++) {
          const f = tcs[j].function,
            a = f.arguments;
          out += (j ? "\n<tool_call>\n<function=" : "<tool_call>\n<function=") + f.name + ">\n";
          const ks = sortedKeys(a);
          for (let k = 0; k < ks.length; k++) {
            const v = a[ks[k]];
            out +=
              "<parameter=" +
              ks[k] +
              ">\n" +
              (typeof v === "string" ? v : goJson(v)) +
              "\n</parameter>\n";
          }
          out += "</function>\n</tool_call>";
        }
        out += "\n<|im_end|>\n";
      } else out += "<|im_start|>assistant\n<think></think>" + (m.content || "") + "<|im_end|>\n";
    } else if (role === "tool")
      out +=
        "<|im_start|>user\n<tool_response>\n" +
        (m.content || "") +
        "\n</tool_response>\n<|im_end|>\n";
    if (i === n - 1 && role !== "assistant") out += "<|im_start|>assistant\n<think>\n";
  }
  return out;
}
export function renderBytes(request) {
  const { messages, tools, system } = decode(request);
  begin();
  let out;
  if (tools && tools.length) {
    out = "<|im_start|>system\n# Tools\n\nYou have access to the following functions:\n\n<tools>";
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
        if (p.enum && p.enum.length) out += "\n<enum>" + goJson(p.enum) + "</enum>";
        out += "\n</parameter>";
      }
      if (f.parameters.required && f.parameters.required.length)
        out += "\n<required>" + goJson(f.parameters.required) + "</required>";
      out += "\n</parameters>\n</function>\n";
    }
    out +=
      "</tools>\n\nIf you choose to call a function ONLY reply in the following format with NO suffix:\n\n<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n</parameter>\n<parameter=example_parameter_2>\nThis is the value for the second parameter\nthat can span\nmultiple lines\n</parameter>\n</function>\n</tool_call>\n\n<IMPORTANT>\nReminder:\n- Function calls MUST follow the specified format: an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags\n- Required parameters MUST be specified\n- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after\n- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls\n</IMPORTANT>" +
      (system || "") +
      "<|im_end|>\n";
  } else out = "<|im_start|>system\n" + (system || "") + "<|im_end|>\n";
  const n = messages.length;
  for (let i = 0; i < n; i++) {
    if (out.length > 16384) out = flush(out);
    const m = messages[i],
      role = m.role;
    if (role === "user") {
      out += "<|im_start|>user\n";
      if (m.images)
        for (let j = 0; j < m.images.length; j++)
          out += "[{'type': 'image'}, {'type': 'text', 'text': '";
      out += (m.content || "") + "<|im_end|>\n";
    } else if (role === "assistant") {
      const tcs = m.tool_calls;
      if (tcs !== undefined && tcs.length) {
        out += "<|im_start|>assistant\n<think></think>\n";
        for (let j = 0; j < tcs.length; j++) {
          const f = tcs[j].function,
            a = f.arguments;
          out += (j ? "\n<tool_call>\n<function=" : "<tool_call>\n<function=") + f.name + ">\n";
          const ks = sortedKeys(a);
          for (let k = 0; k < ks.length; k++) {
            const v = a[ks[k]];
            out +=
              "<parameter=" +
              ks[k] +
              ">\n" +
              (typeof v === "string" ? v : goJson(v)) +
              "\n</parameter>\n";
          }
          out += "</function>\n</tool_call>";
        }
        out += "\n<|im_end|>\n";
      } else out += "<|im_start|>assistant\n<think></think>" + (m.content || "") + "<|im_end|>\n";
    } else if (role === "tool")
      out +=
        "<|im_start|>user\n<tool_response>\n" +
        (m.content || "") +
        "\n</tool_response>\n<|im_end|>\n";
    if (i === n - 1 && role !== "assistant") out += "<|im_start|>assistant\n<think>\n";
  }
  return end(out);
}
