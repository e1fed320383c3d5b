/** What CPython's views give as their `mapping`: a dict in all that is asked of it, of another type. */
const proxies = /* @__PURE__ */ new WeakSet();

/** Makes the dict a mappingproxy; nothing else may hold it. */
export function markProxy(dict: object): object {
  proxies.add(dict);
  return dict;
}

/** Whether the value is a mappingproxy. */
export function isProxy(v: unknown): boolean {
  return typeof v === "object" && v !== null && proxies.has(v);
}
