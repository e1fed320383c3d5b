/** What the random templates of each dialect are about. */
import { goShapes, ollamaShapes } from "./shapes.js";
import type { TemplateStyle } from "./statements.js";

/** What templates of chats are made of. */
const OLLAMA_CHAT = [
  "{{if .System}}{{.System}}\n{{end}}{{range .Messages}}<{{.Role}}>{{.Content}}{{end}}",
  "{{range $i, $_ := .Messages}}{{$last := eq (len (slice $.Messages $i)) 1}}{{.Role}}{{if $last}}!{{end}}{{end}}",
  "{{if .System}}<s>{{.System}}{{end}}{{if .Prompt}}<u>{{.Prompt}}{{end}}<a>{{.Response}}</a>",
  "{{if .Suffix}}<p>{{.Prompt}}<s>{{.Suffix}}<m>{{end}}{{range .Messages}}{{.Content}}{{end}}",
  "{{with .Tools}}{{.}}{{end}}{{range .Messages}}{{range .ToolCalls}}{{json .Function.Arguments}}{{end}}{{end}}",
  "{{range .Messages}}{{end}}",
  "{{range .Tools}}{{range $n, $p := .Function.Parameters.Properties}}{{$n}}:{{$p.Type}};{{end}}{{end}}",
];

/** A template that names no messages gets no tools. */
const PARAMETERS = "{{range .Messages}}{{end}}{{range .Tools}}{{with .Function.Parameters}}";

const OLLAMA_DESCENTS = [
  { open: "{{range .Messages}}", dot: "message" },
  { open: "{{range .Messages}}{{range .ToolCalls}}", dot: "toolCall" },
  { open: "{{range .Messages}}{{range .ToolCalls}}{{with .Function}}", dot: "toolCallFunction" },
  { open: PARAMETERS, dot: "toolParameters" },
  {
    open: "{{range .Messages}}{{end}}{{with .Tools}}{{with (index . 0).Function.Parameters}}",
    dot: "toolParameters",
  },
  { open: `${PARAMETERS}{{range .Properties}}`, dot: "property" },
  { open: `${PARAMETERS}{{range .Properties}}{{with .Properties}}`, dot: "nestedProperties" },
  {
    open: `${PARAMETERS}{{range $_, $p := .Properties}}{{with $p.Properties}}`,
    dot: "nestedProperties",
  },
];

const GO_DESCENTS = [{ open: "{{range .messages}}", dot: "message" }];

const GO_CHAT = [
  "{{range $i, $m := .messages}}{{$i}}:{{$m.role}}={{$m.content}}{{end}}",
  "{{range $k, $v := .map}}{{$k}}={{$v}};{{end}}",
];

export const GO_STYLE: TemplateStyle = {
  shapes: goShapes,
  chat: GO_CHAT,
  descents: GO_DESCENTS,
};

export const OLLAMA_STYLE: TemplateStyle = {
  shapes: ollamaShapes,
  chat: OLLAMA_CHAT,
  descents: OLLAMA_DESCENTS,
};
