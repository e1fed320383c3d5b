"""Powers of floats rounded correctly, in place of the C library's: Python's own are off in the last digit now and then.

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


def _complex(a, b, given):
    """C's algorithm of complex powers (Objects/complexobject.c), with a correct power of the length."""
    if a == 0 or b == 0 or (b.imag == 0 and b.real == int(b.real) and abs(b.real) <= COMPLEX_WHOLE):
        return given
    size, angle = math.hypot(a.real, a.imag), math.atan2(a.imag, a.real)
    length = _real(size, b.real, math.pow(size, b.real))
    phase = angle * b.real
    if b.imag != 0:
        length /= math.exp(angle * b.imag)
        phase += b.imag * math.log(size)
    return complex(length * math.cos(phase), length * math.sin(phase))


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
jinja2.Environment._compile = _compile
