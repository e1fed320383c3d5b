/** Powers of doubles, rounded as the C library rounds them: JavaScript's own are off by a bit now and then. */
import { exponential, logarithm, multiply, scaled } from "./double-double.js";
import { divideInts } from "./numbers.js";

/** Whole powers of up to so many bits are computed exactly. */
const EXACT_BITS = 2000;

/** `x ** y` of doubles; infinite where no double is large enough. */
export function powerOf(x: number, y: number): number {
  const isPlain = x === 0 || y === 0 || !Number.isFinite(x) || !Number.isFinite(y);
  if (isPlain || x === 1) return x ** y;
  if (x < 0 && !Number.isInteger(y)) return NaN;
  const size = positivePower(Math.abs(x), y);
  return x < 0 && y % 2 !== 0 ? -size : size;
}

function positivePower(x: number, y: number): number {
  if (y === 1 || x === 1) return x ** y;
  if (y === 0.5) return Math.sqrt(x);
  const exact = Number.isInteger(y) ? exactPower(x, y) : null;
  if (exact !== null) return exact;
  // Far out nothing needs the digits, and their products would overflow.
  const rough = Math.log(x) * y;
  if (rough > 720) return Infinity;
  if (rough < -760) return 0;
  const total = multiply(logarithm(x), [y, 0]);
  if (total[0] > 710) return Infinity;
  if (total[0] < -746) return 0;
  const [[high, low], twos] = exponential(total);
  return scaled(high + low, twos);
}

/** A whole power of the fraction that the double is, rounded once; null where it is too long. */
function exactPower(x: number, y: number): number | null {
  let [top, twos] = [x, 0];
  for (; !Number.isInteger(top); twos--) top *= 2;
  for (; top % 2 === 0; twos++) top /= 2;
  const times = Math.abs(y);
  if (Math.log2(top) * times > EXACT_BITS || Math.abs(twos * y) > EXACT_BITS) return null;
  const power = BigInt(top) ** BigInt(times);
  const shift = BigInt(Math.abs(twos) * times);
  const [over, under] = twos >= 0 ? [power << shift, 1n] : [power, 1n << shift];
  return y > 0 ? quotient(over, under) : quotient(under, over);
}

function quotient(over: bigint, under: bigint): number {
  const size = over.toString(2).length - under.toString(2).length;
  if (size > 1030) return Infinity;
  return size < -1100 ? 0 : divideInts(over, under, "");
}
