/** strconv.FormatFloat of a float64. */

/** Decimal digits without trailing zeros; the value is 0.DIGITS × 10^point. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

const MANTISSA_BITS = 52;

/** strconv.FormatFloat(v, verb, precision, 64), -1 for the shortest digits that read back as the same number. */
export function formatFloat(v: number, verb: string, precision: number): string {
  if (Number.isNaN(v)) {
    return "NaN";
  }
  if (!Number.isFinite(v)) {
    return v > 0 ? "+Inf" : "-Inf";
  }
  const sign = v < 0 || Object.is(v, -0) ? "-" : "";
  const size = Math.abs(v);
  switch (verb) {
    case "b":
      return sign + binary(size);
    case "x":
    case "X": {
      const hex = hexadecimal(size, precision);
      return sign + (verb === "X" ? hex.toUpperCase() : hex);
    }
    default:
      return sign + decimal(size, verb, precision);
  }
}

function decimal(size: number, verb: string, precision: number): string {
  const lower = verb.toLowerCase();
  const digits = precision < 0 ? shortest(size) : rounded(size, lower, precision);
  const form = lower === "e" ? exponential : lower === "f" ? fixed : general;
  const text = form(digits, precision);
  return verb === "E" || verb === "G" ? text.toUpperCase() : text;
}

function trimmed(digits: string, point: number): Decimal {
  const bare = digits.replace(/0+$/, "");
  return bare === "" ? { digits: "", point: 0 } : { digits: bare, point };
}

function shortest(size: number): Decimal {
  const [mantissa = "0", exponent = "0"] = size.toExponential().split("e");
  return trimmed(mantissa.replace(".", ""), Number(exponent) + 1);
}

/** The exact decimal value, cut to what the verb shows: half to even, as the value is exact. */
function rounded(size: number, verb: string, precision: number): Decimal {
  const exact = exactDecimal(size);
  const kept =
    verb === "e" ? precision + 1 : verb === "f" ? exact.point + precision : Math.max(precision, 1);
  const { digits, point } = exact;
  if (kept < 0) {
    return { digits: "", point: 0 };
  }
  if (kept >= digits.length) {
    return exact;
  }
  const head = digits.slice(0, kept);
  if (!roundsUp(digits, kept)) {
    return trimmed(head, point);
  }
  const up = (BigInt(head === "" ? "0" : head) + 1n).toString().padStart(kept, "0");
  return trimmed(up, point + up.length - kept);
}

function roundsUp(digits: string, kept: number): boolean {
  const next = digits.charCodeAt(kept) - 48;
  if (next !== 5 || digits.length > kept + 1) {
    return next >= 5;
  }
  return kept > 0 && digits.charCodeAt(kept - 1) % 2 === 1;
}

function exactDecimal(size: number): Decimal {
  if (size === 0) {
    return { digits: "", point: 0 };
  }
  const { mantissa, exponent } = parts(size);
  const whole =
    exponent >= 0
      ? (BigInt(mantissa) << BigInt(exponent)).toString()
      : (BigInt(mantissa) * 5n ** BigInt(-exponent)).toString();
  return trimmed(whole, whole.length + Math.min(exponent, 0));
}

/** The float as mantissa × 2^exponent, the mantissa an integer of at most 53 bits. */
function parts(size: number): { mantissa: number; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> BigInt(MANTISSA_BITS));
  const fraction = Number(bits & ((1n << BigInt(MANTISSA_BITS)) - 1n));
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction + 2 ** MANTISSA_BITS, exponent: biased - 1075 };
}

function exponential({ digits, point }: Decimal, precision: number): string {
  const places = precision < 0 ? Math.max(digits.length - 1, 0) : precision;
  const first = digits === "" ? "0" : digits.charAt(0);
  const rest = digits.slice(1, places + 1).padEnd(places, "0");
  const exponent = digits === "" ? 0 : point - 1;
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return first + (places > 0 ? "." + rest : "") + (exponent < 0 ? "e-" : "e+") + size;
}

function fixed({ digits, point }: Decimal, precision: number): string {
  const places = precision < 0 ? Math.max(digits.length - point, 0) : precision;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  if (places === 0) {
    return whole;
  }
  const fraction = point >= 0 ? digits.slice(point) : "0".repeat(-point) + digits;
  return whole + "." + fraction.slice(0, places).padEnd(places, "0");
}

/** %g: an exponent below 1e-4 and from as many places as the precision says on, 6 where the digits are the shortest. */
function general(number: Decimal, precision: number): string {
  const count = number.digits.length;
  const { point } = number;
  let wanted = precision < 0 ? count : Math.max(precision, 1);
  let limit = wanted > count && count >= point ? count : wanted;
  if (precision < 0) {
    limit = 6;
  }
  if (point - 1 < -4 || point - 1 >= limit) {
    wanted = Math.min(wanted, count);
    return exponential(number, Math.max(wanted - 1, 0));
  }
  return fixed(number, Math.max(count - point, 0));
}

/** %b: the mantissa and the power of two. */
function binary(size: number): string {
  const { mantissa, exponent } = parts(size);
  return `${String(mantissa)}p${exponent >= 0 ? "+" : ""}${String(exponent)}`;
}

/** %x: the normalised mantissa in hexadecimal, rounded half to even, and the power of two. */
function hexadecimal(size: number, precision: number): string {
  let exponent = 0;
  let mantissa = 0n;
  if (size !== 0) {
    const raw = parts(size);
    mantissa = BigInt(raw.mantissa);
    exponent = raw.exponent + MANTISSA_BITS;
    while (mantissa < 1n << BigInt(MANTISSA_BITS)) {
      mantissa <<= 1n;
      exponent--;
    }
  }
  const full = MANTISSA_BITS / 4;
  if (precision >= 0 && precision < full) {
    const cut = BigInt((full - precision) * 4);
    const half = 1n << (cut - 1n);
    const rest = mantissa & ((1n << cut) - 1n);
    mantissa >>= cut;
    if (rest > half || (rest === half && (mantissa & 1n) === 1n)) {
      mantissa++;
    }
    mantissa <<= cut;
    if (mantissa >= 1n << BigInt(MANTISSA_BITS + 1)) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  const lead = String(mantissa >> BigInt(MANTISSA_BITS));
  const fraction = (mantissa & ((1n << BigInt(MANTISSA_BITS)) - 1n))
    .toString(16)
    .padStart(full, "0");
  const shown =
    precision < 0
      ? fraction.replace(/0+$/, "")
      : fraction.slice(0, precision).padEnd(precision, "0");
  const power = `p${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  return `0x${lead}${shown === "" ? "" : "." + shown}${power}`;
}

/** %v of a float64: the shortest digits, an exponent below 1e-4 and from 1e6 on. */
export function goFloat(v: number): string {
  const size = Math.abs(v);
  if ((size >= 1e-4 && size < 1e6) || Object.is(v, 0)) {
    return String(v);
  }
  return formatFloat(v, "g", -1);
}
