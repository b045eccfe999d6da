"""The functions that formulas call by name, with how each is worked out and set."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from scipy.special import betaincinv

from explorer.stops import upper_tail


@dataclass(frozen=True)
class Function:
    """How a function is worked out, printed and set; `{}` stands for an argument.

    `never_zero`: where it comes to 0, its number was only too small for a float.
    """

    work_out: Callable[..., float]
    text: str
    latex: str
    never_zero: bool = False


def _choose(rows: float, errors: float) -> float:
    """C(N, E) as a logarithm to base 2, fractional numbers by Γ."""
    natural = math.lgamma(rows + 1) - math.lgamma(errors + 1) - math.lgamma(rows - errors + 1)
    return max(natural / math.log(2.0), 0.0)


FUNCTIONS: dict[str, Function] = {
    "log2": Function(math.log2, "log2({})", r"\log_2\left({}\right)"),
    "ln": Function(math.log, "ln({})", r"\ln\left({}\right)"),
    "sqrt": Function(math.sqrt, "√({})", r"\sqrt{{}}"),
    "log2_choose": Function(_choose, "log2 C({}; {})", r"\log_2\binom{{}}{{}}"),
    "beta_quantile": Function(
        lambda share, a, b: float(betaincinv(a, b, share)),
        "BetaQuantile({}; {}, {})",
        r"\operatorname{Beta}^{-1}\left({};\, {},\, {}\right)",
    ),
    "chi2_tail": Function(
        lambda df, statistic: upper_tail(statistic, round(df)),
        "P(χ²[{}] ≥ {})",
        r"\Pr\left(\chi^2_{{}} \ge {}\right)",
        never_zero=True,
    ),
}
