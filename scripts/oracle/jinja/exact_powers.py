"""Powers rounded correctly, in place of the C library's: Python's own are off in the last digit now and then.

A complex power is C's algorithm (Objects/complexobject.c) with every function of it rounded correctly.

Importing this changes Jinja2 in this process: its constant folding, and `**` in the Python that it generates.
"""
import ast
import builtins
import cmath
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import jinja2
from jinja2 import nodes
from jinja2.defaults import DEFAULT_FILTERS

# Integers up to here are exponents that exact fractions can take.
WHOLE = 1024
# Python multiplies complex numbers that often, without a power.
COMPLEX_WHOLE = 100


def _real(x, y, rounded):
    if not math.isfinite(rounded) or rounded == 0 or not math.isfinite(x) or not math.isfinite(y):
        return rounded
    try:
        if y == int(y) and abs(y) <= WHOLE:
            return float(Fraction(x) ** int(y))
        with localcontext() as context:
            context.prec = 60
            return float(Decimal(x) ** Decimal(y))
    except (ArithmeticError, ValueError):
        return rounded


# Digits for what is between 2**-1074 and 2**1024, and for the phase of a turn of that size.
PRECISION = 700


def _pi():
    """Machin's formula."""

    def inverse_tangent(under):
        total, term, n = Decimal(0), Decimal(1) / under, 1
        while term:
            total += term / n
            term, n = -term / (under * under), n + 2
            if abs(term) < Decimal(10) ** -PRECISION:
                return total
        return total

    return 16 * inverse_tangent(5) - 4 * inverse_tangent(239)


with localcontext() as _context:
    _context.prec = PRECISION
    PI = _pi()


def _circular(x):
    """The cosine and the sine of a Decimal."""
    x = x % (2 * PI)
    cosine, sine, term, n = Decimal(0), Decimal(0), Decimal(1), 0
    while n < 20 or abs(term) > Decimal(10) ** -120:
        if n % 2:
            sine += term if n % 4 == 1 else -term
        else:
            cosine += term if n % 4 == 0 else -term
        n += 1
        term *= x / n
    return cosine, sine


def _angle(y, x):
    rough = math.atan2(y, x)
    if x == 0 or y == 0:
        return rough
    cosine, sine = _circular(Decimal(rough))
    x, y = Decimal(x), Decimal(y)
    # What the rough angle is off by: the number turned back by it.
    return float(Decimal(rough) + (y * cosine - x * sine) / (x * x + y * y).sqrt())


def _exp(x):
    rounded = math.exp(x) if x < 709 else math.inf
    return float(Decimal(x).exp()) if math.isfinite(rounded) and rounded else rounded


def _size(z):
    with localcontext() as context:
        context.prec = PRECISION
        return float((Decimal(z.real) ** 2 + Decimal(z.imag) ** 2).sqrt())


def size(value):
    given = abs(value)
    return _size(value) if type(value) is complex and math.isfinite(given) else given


def _complex(a, b, given):
    if a == 0 or b == 0 or (b.imag == 0 and b.real == int(b.real) and abs(b.real) <= COMPLEX_WHOLE):
        return given
    with localcontext() as context:
        context.prec = PRECISION
        size = _size(a)
        angle = _angle(a.imag, a.real)
        length = _real(size, b.real, math.pow(size, b.real))
        phase = angle * b.real
        if b.imag != 0:
            context.prec = 60
            length /= _exp(angle * b.imag)
            phase += b.imag * float(Decimal(size).ln())
            context.prec = PRECISION
        cosine, sine = _circular(Decimal(phase))
        return complex(length * float(cosine), length * float(sine))


def power(base, exponent):
    given = base**exponent
    if type(given) is float:
        return _real(float(base), float(exponent), given)
    if type(given) is complex and cmath.isfinite(given):
        try:
            return _complex(complex(base), complex(exponent), given)
        except ArithmeticError:
            return given
    return given


class _Powers(ast.NodeTransformer):
    def visit_BinOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        name = ast.copy_location(ast.Name("_exact_power", ast.Load()), node)
        return ast.copy_location(ast.Call(name, [node.left, node.right], []), node)


def _compile(_self, source, filename):
    return compile(_Powers().visit(ast.parse(source, filename)), filename, "exec")


builtins._exact_power = power
nodes._binop_to_func["**"] = power
DEFAULT_FILTERS["abs"] = size
jinja2.Environment._compile = _compile
