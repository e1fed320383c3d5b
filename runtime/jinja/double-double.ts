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

/** The natural logarithm of a positive double that is not subnormal. */
export function logarithm(x: number): Double2 {
  let twos = Math.round(Math.log2(x));
  let mantissa = x * 2 ** -twos;
  if (!Number.isFinite(mantissa))
    [twos, mantissa] = [twos + 100, x * 2 ** 100 * 2 ** -(twos + 100)];
  const guess = Math.log(mantissa);
  // One step of Newton's method doubles the digits.
  const [inverse, scale] = exponential([-guess, 0]);
  const scaled: Double2 = [inverse[0] * 2 ** scale, inverse[1] * 2 ** scale];
  const correction = add(multiply([mantissa, 0], scaled), [-1, 0]);
  return add(add([guess, 0], correction), multiply(LN2, [twos, 0]));
}

/** The cosine and the sine of a double of moderate size. */
export function cosineAndSine(x: number): readonly [number, number] {
  const [cosine, sine] = circular(x);
  return [cosine[0], sine[0]];
}

/** The length of a vector, in range of what squares can be taken of. */
export function hypotenuse(a: number, b: number): number {
  const rough = Math.hypot(a, b);
  const scale = 2 ** -Math.round(Math.log2(rough));
  if (!Number.isFinite(scale) || scale === 0) return rough;
  const [x, y] = [a * scale, b * scale];
  const square = add(product(x, x), product(y, y));
  const root = Math.sqrt(square[0]);
  // One step of Newton's method.
  const rest = add(square, negative(product(root, root)));
  return (root + rest[0] / (2 * root)) / scale;
}

/** The angle of a vector. */
export function angleOf(y: number, x: number): number {
  const rough = Math.atan2(y, x);
  const size = Math.hypot(x, y);
  if (y === 0 || x === 0 || !Number.isFinite(size) || size < 2 ** -500 || size > 2 ** 500) {
    return rough;
  }
  const [cosine, sine] = circular(rough);
  // What the rough angle is off by: the vector turned back by it.
  const rest = add(multiply(cosine, [y, 0]), negative(multiply(sine, [x, 0])));
  return rough + rest[0] / size;
}

function negative([high, low]: Double2): Double2 {
  return [-high, -low];
}

function circular(x: number): readonly [cosine: Double2, sine: Double2] {
  const quarters = Math.round(x / HALF_PI[0]);
  let rest: Double2 = [x, 0];
  for (const part of HALF_PI) rest = add(rest, product(-quarters, part));
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
