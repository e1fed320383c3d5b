/** strconv.FormatFloat, by exact arithmetic. */

/** 0.d₁d₂d₃… × 10^point; no digits is zero. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

/** An exponent, mantissa pair with value = mantissa × 2^exponent. */
interface Binary {
  readonly mantissa: bigint;
  readonly exponent: number;
}

function binary(x: number): Binary {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  const bits = view.getBigUint64(0);
  const field = Number(bits >> 52n);
  const fraction = bits & ((1n << 52n) - 1n);
  if (field === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | (1n << 52n), exponent: field - 1075 };
}

function trimmed(digits: string, point: number): Decimal {
  return { digits: digits.replace(/0+$/, ""), point };
}

/** Every digit of the value. */
function exactDecimal(x: number): Decimal {
  const { mantissa, exponent } = binary(x);
  if (mantissa === 0n) return { digits: "", point: 0 };
  if (exponent >= 0) {
    const text = (mantissa << BigInt(exponent)).toString();
    return trimmed(text, text.length);
  }
  const text = (mantissa * 5n ** BigInt(-exponent)).toString();
  return trimmed(text, text.length + exponent);
}

/** The fewest digits that read back as the same number. */
function shortestDecimal(x: number): Decimal {
  if (x === 0) return { digits: "", point: 0 };
  const [mantissa = "", exponent = "0"] = Math.abs(x).toExponential().split("e");
  return trimmed(mantissa.replace(".", ""), Number(exponent) + 1);
}

/** Rounds to a number of digits, halves to even. */
function rounded(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal;
  if (count >= digits.length) return decimal;
  if (count < 0) return { digits: "", point: 0 };
  const kept = BigInt(digits.slice(0, count) || "0");
  const rest = digits.slice(count);
  const half = "5" + "0".repeat(rest.length - 1);
  const up = rest > half || (rest === half && kept % 2n === 1n);
  const text = (up ? kept + 1n : kept).toString().padStart(count, "0");
  if (text === "0" || /^0*$/.test(text)) return { digits: "", point: 0 };
  return trimmed(text, point + (text.length - count));
}

function exponential(decimal: Decimal, precision: number): string {
  const { digits, point } = decimal;
  const fraction = digits.slice(1, precision + 1).padEnd(precision, "0");
  const exponent = digits === "" ? 0 : point - 1;
  const sign = exponent < 0 ? "-" : "+";
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits.charAt(0) || "0"}${fraction && `.${fraction}`}e${sign}${power}`;
}

function positional(decimal: Decimal, precision: number): string {
  const { digits, point } = decimal;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  const after = point > 0 ? digits.slice(point) : "0".repeat(-point) + digits;
  const fraction = after.slice(0, precision).padEnd(precision, "0");
  return whole + (fraction && `.${fraction}`);
}

function general(x: number, precision: number): string {
  const shortest = precision < 0;
  const count = shortest ? 6 : Math.max(precision, 1);
  const decimal = shortest ? shortestDecimal(x) : rounded(exactDecimal(x), count);
  const digits = decimal.digits.length;
  const threshold = !shortest && count > digits && digits >= decimal.point ? digits : count;
  const exponent = decimal.point - 1;
  if (exponent < -4 || exponent >= threshold) {
    return exponential(decimal, Math.max(digits - 1, 0));
  }
  return positional(decimal, Math.max(digits - decimal.point, 0));
}

function binaryExponent(x: number): string {
  const { mantissa, exponent } = binary(x);
  return `${mantissa}p${exponent < 0 ? "" : "+"}${exponent}`;
}

/** `0x1.8p+01`: the mantissa shifted to one leading bit, four bits a digit (strconv's fmtX). */
function hexadecimal(x: number, precision: number): string {
  const { mantissa, exponent } = binary(x);
  let bits = mantissa << 8n;
  let power = mantissa === 0n ? 0 : exponent + 52;
  while (bits !== 0n && bits < 1n << 60n) {
    bits <<= 1n;
    power--;
  }
  if (precision >= 0 && precision < 15) {
    const dropped = BigInt(60 - precision * 4);
    const extra = bits & ((1n << dropped) - 1n);
    bits >>= dropped;
    const half = 1n << (dropped - 1n);
    if (extra > half || (extra === half && (bits & 1n) === 1n)) bits++;
    bits <<= dropped;
    if (bits >= 1n << 61n) {
      bits >>= 1n;
      power++;
    }
  }
  const lead = bits >> 60n;
  const all = (bits & ((1n << 60n) - 1n)).toString(16).padStart(15, "0");
  const fraction =
    precision < 0 ? all.replace(/0+$/, "") : all.slice(0, precision).padEnd(precision, "0");
  const sign = power < 0 ? "-" : "+";
  const digits = String(Math.abs(power)).padStart(2, "0");
  return `0x${lead}${fraction && `.${fraction}`}p${sign}${digits}`;
}

function magnitude(x: number, verb: string, precision: number): string {
  const shortest = precision < 0;
  switch (verb) {
    case "e": {
      const decimal = shortest ? shortestDecimal(x) : rounded(exactDecimal(x), precision + 1);
      return exponential(decimal, shortest ? Math.max(decimal.digits.length - 1, 0) : precision);
    }
    case "f": {
      const exact = shortest ? shortestDecimal(x) : exactDecimal(x);
      if (shortest) return positional(exact, Math.max(exact.digits.length - exact.point, 0));
      return positional(rounded(exact, exact.point + precision), precision);
    }
    case "b":
      return binaryExponent(x);
    case "x":
      return hexadecimal(x, precision);
    default:
      return general(x, precision);
  }
}

/** strconv.FormatFloat(x, verb, precision, 64); verbs e f g b x and their capitals, −1 for the shortest form. */
export function formatFloat(x: number, verb: string, precision: number): string {
  if (Number.isNaN(x)) return "NaN";
  if (!Number.isFinite(x)) return x < 0 ? "-Inf" : "+Inf";
  const lower = verb.toLowerCase();
  const text = (x < 0 || Object.is(x, -0) ? "-" : "") + magnitude(x, lower, precision);
  return verb === lower ? text : text.toUpperCase();
}
