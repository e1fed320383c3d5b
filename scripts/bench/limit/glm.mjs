import { pyJson, pyStrip } from "./rt2.mjs";
function toolToJson(tool) {
  let o = "{",
    first = true;
  for (const k in tool) {
    if (k !== "defer_loading" && k !== "strict") {
      if (first) first = false;
      else o += ", ";
      o += '"' + k + '": ' + pyJson(tool[k]);
    }
  }
  return o + "}";
}
function visible(c) {
  if (typeof c === "string") return c;
  if (Array.isArray(c)) {
    let o = "";
    for (const it of c) {
      if (typeof it === "string") o += it;
      else if (it && it.type === "text") o += it.text;
    }
    return o;
  }
  return String(c);
}
import { begin, flush, end } from "./rt2.mjs";
export function render({
  messages,
  tools,
  add_generation_prompt,
  enable_thinking,
  clear_thinking,
}) {
  let out = "[gMASK]<sop>";
  if (tools && tools.length) {
    out +=
      "<|system|>\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>\n";
    for (let i = 0; i < tools.length; i++) {
      let tool = tools[i];
      if ("function" in tool) tool = tool.function;
      if (tool.defer_loading === undefined || !tool.defer_loading) out += toolToJson(tool) + "\n";
    }
    out +=
      "</tools>\n\nFor each function call, output the function name and arguments within the following XML format:\n<tool_call>{function-name}<arg_key>{arg-key-1}</arg_key><arg_value>{arg-value-1}</arg_value><arg_key>{arg-key-2}</arg_key><arg_value>{arg-value-2}</arg_value>...</tool_call>";
  }
  let last = -1,
    thinking = new Set();
  const n = messages.length;
  for (let i = 0; i < n; i++) {
    const m = messages[i],
      role = m.role;
    if (role === "user") last = i;
    else if (role === "assistant" && typeof m.reasoning_content === "string") thinking.add(last);
  }
  let has = false;
  const noThink = enable_thinking !== undefined && !enable_thinking,
    keep = clear_thinking !== undefined && !clear_thinking;
  for (let i = 0; i < n; i++) {
    const m = messages[i],
      role = m.role;
    if (role === "user") {
      out += "<|user|>" + visible(m.content);
      has = thinking.has(i);
    } else if (role === "assistant") {
      let content = visible(m.content),
        rc;
      const r = m.reasoning_content;
      if (typeof r === "string") rc = r;
      else if (content.includes("</think>")) {
        const p = content.split("</think>");
        rc = p[0].split("<think>").pop();
        content = p[p.length - 1];
      } else if (i > last && !noThink) rc = "";
      else if (i < last && has) rc = "";
      out +=
        (keep || i > last) && rc !== undefined
          ? "<|assistant|><think>" + rc + "</think>"
          : "<|assistant|></think>";
      out += pyStrip(content);
      const tcs = m.tool_calls;
      if (tcs && tcs.length)
        for (let j = 0; j < tcs.length; j++) {
          let tc = tcs[j];
          if (tc.function) tc = tc.function;
          out += "<tool_call>" + tc.name;
          const a = tc.arguments;
          for (const k in a) {
            const v = a[k];
            out +=
              "<arg_key>" +
              k +
              "</arg_key><arg_value>" +
              (typeof v === "string" ? v : pyJson(v)) +
              "</arg_value>";
          }
          out += "</tool_call>";
        }
    } else if (role === "tool") {
      if (i === 0 || messages[i - 1].role !== "tool") out += "<|observation|>";
      const c = m.content;
      if (typeof c === "string") out += "<tool_response>" + c + "</tool_response>";
      else {
        out += "<tool_response><tools>\n";
        for (const tr of c)
          for (let tool of tools) {
            if ("function" in tool) tool = tool.function;
            if (tool.name === tr.name) out += toolToJson(tool) + "\n";
          }
        out += "</tools></tool_response>";
      }
    } else if (role === "system") out += "<|system|>" + visible(m.content);
  }
  if (add_generation_prompt) out += noThink ? "<|assistant|></think>" : "<|assistant|><think>";
  return out;
}
export function renderBytes({
  messages,
  tools,
  add_generation_prompt,
  enable_thinking,
  clear_thinking,
}) {
  begin();
  let out = "[gMASK]<sop>";
  if (tools && tools.length) {
    out +=
      "<|system|>\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>\n";
    for (let i = 0; i < tools.length; i++) {
      let tool = tools[i];
      if ("function" in tool) tool = tool.function;
      if (tool.defer_loading === undefined || !tool.defer_loading) out += toolToJson(tool) + "\n";
    }
    out +=
      "</tools>\n\nFor each function call, output the function name and arguments within the following XML format:\n<tool_call>{function-name}<arg_key>{arg-key-1}</arg_key><arg_value>{arg-value-1}</arg_value><arg_key>{arg-key-2}</arg_key><arg_value>{arg-value-2}</arg_value>...</tool_call>";
  }
  let last = -1,
    thinking = new Set();
  const n = messages.length;
  for (let i = 0; i < n; i++) {
    const m = messages[i],
      role = m.role;
    if (role === "user") last = i;
    else if (role === "assistant" && typeof m.reasoning_content === "string") thinking.add(last);
  }
  let has = false;
  const noThink = enable_thinking !== undefined && !enable_thinking,
    keep = clear_thinking !== undefined && !clear_thinking;
  for (let i = 0; i < n; i++) {
    if (out.length > 16384) out = flush(out);
    const m = messages[i],
      role = m.role;
    if (role === "user") {
      out += "<|user|>" + visible(m.content);
      has = thinking.has(i);
    } else if (role === "assistant") {
      let content = visible(m.content),
        rc;
      const r = m.reasoning_content;
      if (typeof r === "string") rc = r;
      else if (content.includes("</think>")) {
        const p = content.split("</think>");
        rc = p[0].split("<think>").pop();
        content = p[p.length - 1];
      } else if (i > last && !noThink) rc = "";
      else if (i < last && has) rc = "";
      out +=
        (keep || i > last) && rc !== undefined
          ? "<|assistant|><think>" + rc + "</think>"
          : "<|assistant|></think>";
      out += pyStrip(content);
      const tcs = m.tool_calls;
      if (tcs && tcs.length)
        for (let j = 0; j < tcs.length; j++) {
          let tc = tcs[j];
          if (tc.function) tc = tc.function;
          out += "<tool_call>" + tc.name;
          const a = tc.arguments;
          for (const k in a) {
            const v = a[k];
            out +=
              "<arg_key>" +
              k +
              "</arg_key><arg_value>" +
              (typeof v === "string" ? v : pyJson(v)) +
              "</arg_value>";
          }
          out += "</tool_call>";
        }
    } else if (role === "tool") {
      if (i === 0 || messages[i - 1].role !== "tool") out += "<|observation|>";
      const c = m.content;
      if (typeof c === "string") out += "<tool_response>" + c + "</tool_response>";
      else {
        out += "<tool_response><tools>\n";
        for (const tr of c)
          for (let tool of tools) {
            if ("function" in tool) tool = tool.function;
            if (tool.name === tr.name) out += toolToJson(tool) + "\n";
          }
        out += "</tools></tool_response>";
      }
    } else if (role === "system") out += "<|system|>" + visible(m.content);
  }
  if (add_generation_prompt) out += noThink ? "<|assistant|></think>" : "<|assistant|><think>";
  return end(out);
}
