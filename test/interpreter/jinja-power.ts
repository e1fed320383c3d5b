/** Powers of floats, rounded once, as glibc's `pow` gives them; JavaScript's own are off by a bit now and then. */
import { divideInts } from "./jinja-arithmetic.js";
import { fraction } from "./jinja-digits.js";

/** Binary places of the fixed-point numbers below. */
const PLACES = 400n;
const ONE = 1n << PLACES;

function multiply(a: bigint, b: bigint): bigint {
  return (a * b) >> PLACES;
}

/** ln((1 + y) / (1 - y)) = 2 (y + y³/3 + y⁵/5 + …). */
function logarithm(value: bigint): bigint {
  const y = ((value - ONE) << PLACES) / (value + ONE);
  const square = multiply(y, y);
  let sum = 0n;
  for (let term = y, n = 1n; term !== 0n; term = multiply(term, square), n += 2n) sum += term / n;
  return 2n * sum;
}

const LN2 = logarithm(2n * ONE);

/** 1 + x + x²/2 + x³/6 + … */
function exponential(x: bigint): bigint {
  let sum = 0n;
  for (let term = ONE, n = 1n; term !== 0n && term !== -1n; n++) {
    sum += term;
    term = multiply(term, x) / n;
  }
  return sum;
}

/** `over / under` as a float, where either may be out of a float's range. */
function ratio(over: bigint, under: bigint): number {
  const size = over.toString(2).length - under.toString(2).length;
  if (size > 1100) return Infinity;
  return size < -1200 ? 0 : divideInts(over, under, Infinity);
}

/** An exact power of an exact fraction. */
function wholePower(base: number, exponent: number): number {
  const { over, under } = fraction(base);
  const times = BigInt(Math.abs(exponent));
  const [top, bottom] = [over ** times, under ** times];
  return exponent < 0 ? ratio(bottom, top) : ratio(top, bottom);
}

/** `e ** total` of a fixed-point number. */
function powerOfE(total: bigint): number {
  const twos = total / LN2;
  if (twos > 1100n) return Infinity;
  if (twos < -1200n) return 0;
  const rest = exponential(total - twos * LN2);
  return twos >= 0n ? ratio(rest << twos, ONE) : ratio(rest, ONE << -twos);
}

/** The logarithm of a fraction, as a fixed-point number. */
function logarithmOf(over: bigint, under: bigint): bigint {
  const scale = BigInt(over.toString(2).length - under.toString(2).length);
  const mantissa =
    scale >= 0n ? (over << PLACES) / (under << scale) : (over << (PLACES - scale)) / under;
  return logarithm(mantissa) + scale * LN2;
}

/** A positive finite base to a finite exponent. */
export function positivePower(base: number, exponent: number): number {
  const { over, under } = fraction(base);
  const bits = Math.max(over.toString(2).length, under.toString(2).length);
  if (Number.isInteger(exponent) && bits * Math.abs(exponent) < 200000) {
    return wholePower(base, exponent);
  }
  const power = fraction(exponent);
  const magnitude = (logarithmOf(over, under) * power.over) / power.under;
  return powerOfE(exponent < 0 ? -magnitude : magnitude);
}

/** π by Machin's formula: 16 arctan(1/5) - 4 arctan(1/239). */
function inverseTangent(under: bigint, one: bigint): bigint {
  let sum = 0n;
  let term = one / under;
  for (let n = 1n; term !== 0n; n += 2n) {
    sum += term / n;
    term = -term / (under * under);
  }
  return sum;
}

/** With the places that a turn of the largest float takes away. */
const MORE = 1100n;
const LONG_ONE = ONE << MORE;
const LONG_PI = 16n * inverseTangent(5n, LONG_ONE) - 4n * inverseTangent(239n, LONG_ONE);

/** The sum of every other term of the exponential series, with signs that alternate. */
function circular(x: bigint, first: bigint, start: bigint): bigint {
  let sum = 0n;
  let term = first;
  for (let n = start; term !== 0n && term !== -1n; n += 2n) {
    sum += term;
    term = -multiply(multiply(term, x), x) / (n * (n + 1n));
  }
  return sum;
}

/** Both rounded once. */
export function cosineAndSine(angle: number): readonly [number, number] {
  if (!Number.isFinite(angle)) return [NaN, NaN];
  const { over, under } = fraction(angle);
  const size = (((over << (PLACES + MORE)) / under) % (2n * LONG_PI)) >> MORE;
  const turned = angle < 0 ? -size : size;
  // A multiple of half a turn has no digits of its own to show.
  if (turned === 0n) return [1, angle];
  return [floatOf(circular(turned, ONE, 1n)), floatOf(circular(turned, turned, 2n))];
}

function fixed(value: number): bigint {
  const { over, under } = fraction(value);
  const size = (over << PLACES) / under;
  return value < 0 ? -size : size;
}

function floatOf(value: bigint): number {
  return value < 0n ? -ratio(-value, ONE) : ratio(value, ONE);
}

/** `e ** x` and the natural logarithm, rounded once; of infinities and NaN as C has them. */
export function exp(x: number): number {
  return Math.abs(x) < 800 ? powerOfE(fixed(x)) : Math.exp(x);
}

export function log(x: number): number {
  if (!Number.isFinite(x)) return x;
  const { over, under } = fraction(x);
  return floatOf(logarithmOf(over, under));
}

/** C's `pow` of a length and any exponent. */
export function lengthPower(length: number, exponent: number): number {
  if (length === 1 || exponent === 0) return 1;
  const isPlain = length === 0 || !Number.isFinite(length) || !Number.isFinite(exponent);
  return isPlain ? length ** exponent : positivePower(length, exponent);
}

function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

/** Up to which power of two two floats reach. */
function reach(x: number, y: number): bigint {
  const { over, under } = fraction(Math.max(Math.abs(x), Math.abs(y)));
  return BigInt(over.toString(2).length - under.toString(2).length);
}

/** A float over a power of two. */
function lowered(value: number, twos: bigint): bigint {
  const { over, under } = fraction(value);
  const size = twos < 0n ? (over << (PLACES - twos)) / under : (over << PLACES) / (under << twos);
  return value < 0 ? -size : size;
}

/** The length and the angle of a complex number, each rounded once. */
export function polar(real: number, imaginary: number): { size: number; angle: number } {
  const rough = { size: Math.hypot(real, imaginary), angle: Math.atan2(imaginary, real) };
  if (!Number.isFinite(rough.size) || real === 0 || imaginary === 0) return rough;
  const twos = reach(real, imaginary);
  const [x, y] = [lowered(real, twos), lowered(imaginary, twos)];
  const size = squareRoot(x * x + y * y);
  const length = twos < 0n ? ratio(size, ONE << -twos) : ratio(size << twos, ONE);
  const [width, height] = [Math.abs(real), Math.abs(imaginary)];
  // So small an angle is its tangent; beside so much, a part is nothing.
  if (height < width * 2 ** -200) {
    return { size: length, angle: real > 0 ? imaginary / real : rough.angle };
  }
  if (width < height * 2 ** -200) return { size: length, angle: rough.angle };
  const turned = fixed(rough.angle);
  const [cosine, sine] = [circular(turned, ONE, 1n), circular(turned, turned, 2n)];
  // What the rough angle is off by: the number turned back by it.
  const rest = (y * cosine - x * sine) / size;
  return { size: length, angle: floatOf(turned + rest) };
}
