/** json.dumps(value, ensure_ascii=False) for engines whose own tojson is not transformers'. */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  if (value instanceof Map) return object([...value]);
  if (typeof value === "object" && value !== null) return object(Object.entries(value));
  return JSON.stringify(value);
}

function object(entries: readonly (readonly [unknown, unknown])[]): string {
  const members = entries.map(([key, each]) => `${JSON.stringify(key)}: ${pythonJson(each)}`);
  return `{${members.join(", ")}}`;
}
