// runtime after applying the measured rules
const q = JSON.stringify;
const NEED = /["\\\u0000-\u001f\ud800-\udfff]/;
const PK = new Map();
const pk = (k) => {
  let r = PK.get(k);
  if (r === undefined) {
    r = q(k) + ": ";
    if (PK.size < 4096) PK.set(k, r);
  }
  return r;
};
export function pyJson(v) {
  if (typeof v === "string") return v.length < 64 && !NEED.test(v) ? '"' + v + '"' : q(v);
  if (typeof v === "number") return "" + v;
  if (v === null || v === undefined) return "null";
  if (v === true) return "true";
  if (v === false) return "false";
  if (Array.isArray(v)) {
    const n = v.length;
    if (n === 0) return "[]";
    let o = "[" + pyJson(v[0]);
    for (let i = 1; i < n; i++) o += ", " + pyJson(v[i]);
    return o + "]";
  }
  let o = "",
    s = "{";
  for (const k in v) {
    o += s + pk(k) + pyJson(v[k]);
    s = ", ";
  }
  return o === "" ? "{}" : o + "}";
}
const HTML = /[<>&\u2028\u2029]/,
  HG = /[<>&\u2028\u2029]/g;
const hr = (c) =>
  c === "<"
    ? "\\u003c"
    : c === ">"
      ? "\\u003e"
      : c === "&"
        ? "\\u0026"
        : c === "\u2028"
          ? "\\u2028"
          : "\\u2029";
const GN = /["\\\u0000-\u001f<>&\u2028\u2029\ud800-\udfff]/;
const gs = (s) => {
  if (s.length < 64 && !GN.test(s)) return '"' + s + '"';
  const r = q(s);
  return HTML.test(r) ? r.replace(HG, hr) : r;
};
const GK = new Map();
const gk = (k) => {
  let r = GK.get(k);
  if (r === undefined) {
    r = gs(k) + ":";
    if (GK.size < 4096) GK.set(k, r);
  }
  return r;
};
export function sortedKeys(o) {
  const ks = Object.keys(o);
  for (let i = 1; i < ks.length; i++) {
    const k = ks[i];
    let j = i - 1;
    while (j >= 0 && ks[j] > k) {
      ks[j + 1] = ks[j];
      j--;
    }
    ks[j + 1] = k;
  }
  return ks;
}
export function goJson(v) {
  if (typeof v === "string") return gs(v);
  if (typeof v === "number") return "" + v;
  if (v === null || v === undefined) return "null";
  if (v === true) return "true";
  if (v === false) return "false";
  if (Array.isArray(v)) {
    const n = v.length;
    if (n === 0) return "[]";
    let o = "[" + goJson(v[0]);
    for (let i = 1; i < n; i++) o += "," + goJson(v[i]);
    return o + "]";
  }
  const ks = sortedKeys(v),
    n = ks.length;
  if (n === 0) return "{}";
  let o = "{" + gk(ks[0]) + goJson(v[ks[0]]);
  for (let i = 1; i < n; i++) o += "," + gk(ks[i]) + goJson(v[ks[i]]);
  return o + "}";
}
const isWs = (c) =>
  c === 32 ||
  (c >= 9 && c <= 13) ||
  (c >= 28 && c <= 31) ||
  c === 0x85 ||
  c === 0xa0 ||
  (c > 0x167f &&
    (c === 0x1680 ||
      (c >= 0x2000 && c <= 0x200a) ||
      c === 0x2028 ||
      c === 0x2029 ||
      c === 0x202f ||
      c === 0x205f ||
      c === 0x3000));
export function pyStrip(s) {
  let a = 0,
    b = s.length;
  while (a < b && isWs(s.charCodeAt(a))) a++;
  while (b > a && isWs(s.charCodeAt(b - 1))) b--;
  return a === 0 && b === s.length ? s : s.slice(a, b);
}
export function lstripNl(s) {
  let i = 0;
  const n = s.length;
  while (i < n && s.charCodeAt(i) === 10) i++;
  return i === 0 ? s : s.slice(i);
}
export function rstripNl(s) {
  let n = s.length;
  const m = n;
  while (n > 0 && s.charCodeAt(n - 1) === 10) n--;
  return n === m ? s : s.slice(0, n);
}
// byte sink: a shared growing buffer; flush in chunks so that the flattened text stays in the nursery
let buf = Buffer.allocUnsafeSlow(1 << 20),
  pos = 0;
export function begin() {
  pos = 0;
}
export function flush(s) {
  if (pos + s.length * 3 > buf.length) {
    const nb = Buffer.allocUnsafeSlow(Math.max(buf.length * 2, pos + s.length * 3));
    buf.copy(nb, 0, 0, pos);
    buf = nb;
  }
  pos += buf.utf8Write(s, pos);
  return "";
}
export function end(s) {
  flush(s);
  return buf.subarray(0, pos);
}
