/** Sums of two doubles: twice the digits, so that what is computed with them rounds as the C library rounds. */

/** `high + low`, with low below the last place of high. */
export type Double2 = readonly [high: number, low: number];

function quickSum(a: number, b: number): Double2 {
  const sum = a + b;
  return [sum, b - (sum - a)];
}

function sum(a: number, b: number): Double2 {
  const total = a + b;
  const part = total - a;
  return [total, a - (total - part) + (b - part)];
}

const SPLITTER = 2 ** 27 + 1;

function split(a: number): Double2 {
  const scaled = SPLITTER * a;
  const high = scaled - (scaled - a);
  return [high, a - high];
}

/** The exact product of two doubles. */
function product(a: number, b: number): Double2 {
  const high = a * b;
  const [a1, a2] = split(a);
  const [b1, b2] = split(b);
  return [high, a1 * b1 - high + a1 * b2 + a2 * b1 + a2 * b2];
}

function add([a, aLow]: Double2, [b, bLow]: Double2): Double2 {
  const [high, rest] = sum(a, b);
  const [low, last] = sum(aLow, bLow);
  const [first, second] = quickSum(high, rest + low);
  return quickSum(first, second + last);
}

export function multiply([a, aLow]: Double2, [b, bLow]: Double2): Double2 {
  const [high, low] = product(a, b);
  return quickSum(high, low + (a * bLow + aLow * b));
}

function divide(a: Double2, b: Double2): Double2 {
  const first = a[0] / b[0];
  const rest = add(a, multiply(b, [-first, 0]));
  const second = rest[0] / b[0];
  const last = add(rest, multiply(b, [-second, 0]))[0] / b[0];
  return add(quickSum(first, second), [last, 0]);
}

const LN2: Double2 = [0.6931471805599453, 2.3190468138462996e-17];
/** π/2 in three parts. */
const HALF_PI = [1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33] as const;
/** The argument is halved so often, and the result squared as often. */
const HALVINGS = 9;

/** `e ** x` as a double-double and a power of two that it is to be scaled by. */
export function exponential(x: Double2): readonly [Double2, number] {
  const twos = Math.round(x[0] / LN2[0]);
  const rest = add(x, multiply(LN2, [-twos, 0]));
  const small: Double2 = [rest[0] / 2 ** HALVINGS, rest[1] / 2 ** HALVINGS];
  // e^x - 1 keeps the digits of what is small.
  let less: Double2 = [0, 0];
  for (let n = 12; n >= 1; n--) less = divide(multiply(small, add(less, [1, 0])), [n, 0]);
  for (let i = 0; i < HALVINGS; i++) {
    less = add([2 * less[0], 2 * less[1]], multiply(less, less));
  }
  return [add(less, [1, 0]), twos];
}

/** `x * 2 ** twos` in two steps: no double holds 2 to the powers at the ends. */
export function scaled(x: number, twos: number): number {
  const half = Math.trunc(twos / 2);
  return x * 2 ** half * 2 ** (twos - half);
}

/** The power of two below a positive double. */
function exponentOf(x: number): number {
  return x < 2 ** -1000 ? exponentOf(x * 2 ** 100) - 100 : Math.floor(Math.log2(x));
}

/** The natural logarithm of a positive double. */
export function logarithm(x: number): Double2 {
  let twos = exponentOf(x);
  let mantissa = scaled(x, -twos);
  if (mantissa > Math.SQRT2) [twos, mantissa] = [twos + 1, mantissa / 2];
  const near = Math.abs(mantissa - 1) < 2 ** -9;
  const log = near ? logarithmNearOne(mantissa - 1) : logarithmOf(mantissa);
  return add(log, multiply(LN2, [twos, 0]));
}

/** One step of Newton's method doubles the digits. */
function logarithmOf(x: number): Double2 {
  const guess = Math.log(x);
  const [[high, low], twos] = exponential([-guess, 0]);
  const correction = add(multiply([x, 0], [scaled(high, twos), scaled(low, twos)]), [-1, 0]);
  return add([guess, 0], correction);
}

/** Of `1 + x`, with the digits that a difference would lose: x - x²/2 + x³/3 - … */
function logarithmNearOne(x: number): Double2 {
  let log: Double2 = [0, 0];
  for (let n = 13; n >= 1; n--) {
    const sign = n % 2 === 1 ? 1 : -1;
    log = multiply(add(log, divide([sign, 0], [n, 0])), [x, 0]);
  }
  return log;
}

/** The cosine and the sine of a double. */
export function cosineAndSine(x: number): readonly [number, number] {
  if (!Number.isFinite(x)) return [NaN, NaN];
  const [cosine, sine] = circular(x);
  return [cosine[0], sine[0]];
}

/** The length of a vector. */
export function hypotenuse(a: number, b: number): number {
  const rough = Math.hypot(a, b);
  if (!Number.isFinite(rough) || rough === 0) return rough;
  const twos = exponentOf(rough);
  const [x, y] = [scaled(a, -twos), scaled(b, -twos)];
  const square = add(product(x, x), product(y, y));
  const root = Math.sqrt(square[0]);
  // One step of Newton's method.
  const rest = add(square, negative(product(root, root)));
  return scaled(root + rest[0] / (2 * root), twos);
}

/** The angle of a vector. */
export function angleOf(y: number, x: number): number {
  const rough = Math.atan2(y, x);
  const size = Math.hypot(x, y);
  if (y === 0 || x === 0 || !Number.isFinite(size)) return rough;
  // So small an angle is its tangent; beside so much, a part is nothing.
  if (Math.abs(y) < Math.abs(x) * 2 ** -100) return x > 0 ? y / x : rough;
  if (Math.abs(x) < Math.abs(y) * 2 ** -100) return rough;
  const twos = exponentOf(size);
  const [cosine, sine] = circular(rough);
  // What the rough angle is off by: the vector turned back by it.
  const up = multiply(cosine, [scaled(y, -twos), 0]);
  const down = multiply(sine, [scaled(x, -twos), 0]);
  return rough + add(up, negative(down))[0] / scaled(size, -twos);
}

function negative([high, low]: Double2): Double2 {
  return [-high, -low];
}

/** How many quarters a turn has, to the nearest, and the rest. */
function turns(x: number): readonly [quarters: number, rest: Double2] {
  const quarters = Math.round(x / HALF_PI[0]);
  let rest: Double2 = [x, 0];
  for (const part of HALF_PI) rest = add(rest, product(-quarters, part));
  return [quarters, rest];
}

/** Binary places of the numbers below: those of the largest double, and the digits of what is left of it. */
const PLACES = 1240n;

/** arctan(1 / under). */
function inverseTangent(under: bigint): bigint {
  let sum = 0n;
  let term = (1n << PLACES) / under;
  for (let n = 1n; term !== 0n; n += 2n) {
    sum += term / n;
    term = -term / (under * under);
  }
  return sum;
}

/** Of large doubles, whose digits are all before the point or shortly after. */
function manyTurns(x: number): readonly [quarters: number, rest: Double2] {
  // π/2 by Machin's formula.
  const quarter = 8n * inverseTangent(5n) - 2n * inverseTangent(239n);
  const size = Math.abs(x) < 2 ** 53 ? BigInt(x * 2 ** 23) << (PLACES - 23n) : BigInt(x) << PLACES;
  let count = size / quarter;
  let rest = size - count * quarter;
  if (2n * rest > quarter) [count, rest] = [count + 1n, rest - quarter];
  if (2n * rest < -quarter) [count, rest] = [count - 1n, rest + quarter];
  const digits = rest >> (PLACES - 200n);
  const high = Number(digits);
  const low = Number(digits - BigInt(high));
  return [Number(count % 4n), [scaled(high, -200), scaled(low, -200)]];
}

function circular(x: number): readonly [cosine: Double2, sine: Double2] {
  const [quarters, rest] = Math.abs(x) < 2 ** 30 ? turns(x) : manyTurns(x);
  const square = multiply(rest, rest);
  let sine: Double2 = [0, 0];
  let cosine: Double2 = [0, 0];
  for (let n = 26; n >= 2; n -= 2) {
    const minus: Double2 = [-square[0], -square[1]];
    sine = divide(multiply(minus, add(sine, [1, 0])), [n * (n + 1), 0]);
    cosine = divide(multiply(minus, add(cosine, [1, 0])), [n * (n - 1), 0]);
  }
  const sin = multiply(rest, add(sine, [1, 0]));
  const cos = add(cosine, [1, 0]);
  switch (((quarters % 4) + 4) % 4) {
    case 0:
      return [cos, sin];
    case 1:
      return [negative(sin), cos];
    case 2:
      return [negative(cos), negative(sin)];
    default:
      return [sin, negative(cos)];
  }
}
