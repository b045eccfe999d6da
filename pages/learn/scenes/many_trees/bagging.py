"""Bagging: what a bootstrap sample leaves out, three stumps by hand, and when the mean of many trees helps or harms."""

from __future__ import annotations

from fractions import Fraction
from math import exp

from explorer.drawing.pictures.many_trees.bagging import Draws, LineChart, NoisyFits, Series, TwoPartBars, TwoParts
from explorer.drawing.pictures.many_trees.small_trees import SmallTrees, small_tree
from explorer.messages import message
from pages.learn.scenes.step import Chosen, Number, Question, Scene, Step
from pages.results.lessons import bagging, trees

_LIMIT = exp(-1)
_MOST_ROWS = 60


def _breiman() -> str:
    return message("Breiman, Bagging predictors (1996)")


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """Bootstrap samples, rows out of bag, three stumps and their vote, bias and variance, help and harm."""
    return _draws(), _chance_out(), _stumps(), _out_of_bag(), _one_tree(), _helps(), _harms()


def _sampled(title: str, with_answers: bool) -> Draws:
    rows, shares = trees.rows("play_tennis"), bagging.out_of_bag()
    return Draws(
        says=message("A column for every day with a dot for each time that a bootstrap sample draws it."),
        title=title,
        rows=tuple(f"D{day + 1}" for day in range(bagging.DAYS)),
        codes=tuple(rows.y.tolist()),
        members=tuple(message("sample {n}", n=member + 1) for member in range(3)),
        counts=tuple(bagging.counts_of(bootstrap) for bootstrap in bagging.BOOTSTRAPS),
        answers=tuple("" if share is None else str(share) for share in shares) if with_answers else (),
        wrong=bagging.out_of_bag_wrong() if with_answers else (),
    )


def _draws() -> Step:
    return Step(
        name="draws",
        title=message("A bootstrap sample"),
        text=message(
            "Bagging grows each tree on 14 days drawn with replacement. "
            "Some days come twice, others not at all: those are out of bag."
        ),
        picture=_sampled(message("Three bootstrap samples of 14 days"), False),
        number=Number(message("Days out of bag in sample 2"), bagging.counts_of(bagging.BOOTSTRAPS[1]).count(0), 0),
        numbers={"out of bag 2": float(bagging.counts_of(bagging.BOOTSTRAPS[1]).count(0))},
        source=_breiman(),
    )


def _chance_out() -> Step:
    sizes = tuple(range(1, _MOST_ROWS + 1))
    chance = float(bagging.chance_out(bagging.DAYS))
    return Step(
        name="chance out",
        title=message("How often is a row left out?"),
        text=message(
            "Each of n draws misses a given row with chance 1 − 1/n, all of them with (1 − 1/n)ⁿ. "
            "For many rows this approaches 1/e = {limit:.4f}.",
            limit=_LIMIT,
        ),
        picture=LineChart(
            says=message("The chance that a row is out of bag against the number of rows, with its limit."),
            title=message("Chance of being out of bag: (1 − 1/n)ⁿ"),
            x=tuple(map(float, sizes)),
            x_name="n",
            series=(Series(message("chance of being out of bag"), tuple(float(bagging.chance_out(n)) for n in sizes)),),
            least=0.0,
            most=0.5,
            position=bagging.DAYS - 1,
            limit=_LIMIT,
            limit_text=f"1/e = {_LIMIT:.4f}",
        ),
        before=_sampled(message("Three bootstrap samples of 14 days"), False),
        number=Number(message("Chance that a day is out of bag, n = 14"), chance, 4),
        question=Question(
            message("How many of the 14 days does a bootstrap sample leave out on average?"),
            (message("about {n}", n=1), message("about {n}", n=5), message("about {n}", n=7)),
            (1,),
            message("14 · {chance:.4f} = {mean:.2f} days.", chance=chance, mean=14 * chance),
        ),
        numbers={"chance out": chance, "limit": _LIMIT},
        source=_breiman(),
    )


def _stumps() -> Step:
    words = [
        "\n".join(f"{feature} {gain:.4f}" for feature, gain in bagging.gains(member).items()) for member in range(3)
    ]
    return Step(
        name="stumps",
        title=message("Three stumps, two features each"),
        text=message(
            "A random forest also lets each split choose among a few features only. "
            "Here each stump may ask for two, and takes the one of larger gain."
        ),
        picture=SmallTrees(
            says=message("Three trees of one split, each with the rows of its bootstrap sample in its leaves."),
            trees=tuple(
                small_tree(
                    bagging.stump(member),
                    f"stump {member}",
                    message("sample {n}", n=member + 1),
                    note=words[member],
                    counts=True,
                )
                for member in range(3)
            ),
        ),
        number=Number(message("Gain of Outlook in sample 1, in bits"), bagging.gains(0)["Outlook"], 4),
        numbers={
            f"gain {member + 1} {feature}": gain
            for member in range(3)
            for feature, gain in bagging.gains(member).items()
        },
        source=message("Breiman, Random forests (2001)"),
    )


def _out_of_bag() -> Step:
    shares, wrong = bagging.out_of_bag(), bagging.out_of_bag_wrong()
    answered = sum(share is not None for share in shares)
    error = Fraction(len(wrong), answered)
    return Step(
        name="out of bag",
        title=message("A test set for free"),
        text=message(
            "A day is judged by the stumps that did not draw it: the fraction below is their mean share of Yes. "
            "Framed are wrong ones; a half counts as No."
        ),
        picture=_sampled(message("Out-of-bag share of Yes"), True),
        number=Number(message("Out-of-bag error, {error} days", error=error), float(error)),
        numbers={
            "out-of-bag error": float(error),
            **{f"share of Yes D{day + 1}": float(share) for day, share in enumerate(shares) if share is not None},
        },
        source=message("Breiman, Out-of-bag estimation (1996)"),
    )


def _noisy(depth: int, title: str, sample: int, shows_bagged: bool = True) -> NoisyFits:
    one, many = bagging.single(depth), bagging.bagged(depth)
    return NoisyFits(
        says=message("Four points with noise, the fit of one tree, and the mean fit of all bootstrap trees."),
        title=title,
        x=(1.0, 2.0, 3.0, 4.0),
        truth=tuple(map(float, bagging.TRUTH)),
        noise=float(bagging.NOISE),
        fits=tuple(tuple(map(float, fit)) for fit in one.fits),
        bagged=tuple(tuple(map(float, fit)) for fit in many.fits),
        mean=tuple(map(float, one.mean)),
        bagged_mean=tuple(map(float, many.mean)),
        sample=sample,
        shows_bagged=shows_bagged,
    )


def _one_tree() -> Step:
    spreads = [bagging.single(depth) for depth in range(4)]
    totals = [spread.bias + spread.variance for spread in spreads]
    return Step(
        name="one tree",
        title=message("Two ways to be wrong"),
        text=message(
            "Four true values, each seen with noise of ±1: 16 possible samples, all counted. "
            "Shallow trees miss the truth on average (bias), deep ones follow the noise (variance)."
        ),
        picture=_bars(
            message("Squared error of one tree by its depth"),
            [(message("depth {n}", n=depth), spread) for depth, spread in enumerate(spreads)],
            most=4.2,
        ),
        before=_noisy(1, message("A tree of depth 1 on one of 16 samples"), 5, shows_bagged=False),
        number=Number(message("Bias² + variance, depth 1"), float(totals[1]), 4),
        question=Question(
            message("Which depth gives the smallest expected error here?"),
            ("0", "1", "2", "3"),
            (totals.index(min(totals)),),
            message("With depth 3 every point has its own leaf: no bias, and the variance of the noise."),
        ),
        numbers={
            **{f"bias {depth}": float(spread.bias) for depth, spread in enumerate(spreads)},
            **{f"variance {depth}": float(spread.variance) for depth, spread in enumerate(spreads)},
        },
        source=message("Hastie, Tibshirani, Friedman, The Elements of Statistical Learning (2009), section 7.3"),
    )


def _bars(title: str, spreads: list[tuple[str, bagging.Spread]], most: float) -> TwoPartBars:
    return TwoPartBars(
        says=message("Bars of squared bias plus variance."),
        title=title,
        parts=(message("bias²"), message("variance")),
        bars=tuple(TwoParts(label, float(spread.bias), float(spread.variance)) for label, spread in spreads),
        most=most,
    )


def _numbers(depth: int) -> dict[str, float]:
    one, many = bagging.single(depth), bagging.bagged(depth)
    return {
        f"bias {depth}": float(one.bias),
        f"variance {depth}": float(one.variance),
        f"bagged bias {depth}": float(many.bias),
        f"bagged variance {depth}": float(many.variance),
        f"total {depth}": float(one.bias + one.variance),
        f"bagged total {depth}": float(many.bias + many.variance),
    }


def _helps() -> Step:
    one, many = bagging.single(1), bagging.bagged(1)
    return Step(
        name="helps",
        title=message("Bagging helps an unstable stump"),
        text=message(
            "A stump jumps from split to split as the noise changes. The mean over all 256 bootstrap samples does not: "
            "its variance falls more than its bias rises."
        ),
        picture=_compared(1, message("Depth 1: one tree against all bootstrap trees")),
        before=_noisy(1, message("Depth 1: flip the noise of a point"), 5),
        number=Number(message("Bagged: bias² + variance"), float(many.bias + many.variance), 4),
        question=Question(
            message(
                "One stump has the error {error:.2f}. What has the mean of all bootstrap stumps?", error=_total(one)
            ),
            (f"{_total(many):.2f}", f"{_total(one):.2f}", "4.20"),
            (0,),
            message(
                "The variance falls from {before:.4f} to {after:.4f}.",
                before=float(one.variance),
                after=float(many.variance),
            ),
        ),
        numbers=_numbers(1),
        source=_breiman(),
    )


def _total(spread: bagging.Spread) -> float:
    return float(spread.bias + spread.variance)


def _compared(depth: int, title: str) -> TwoPartBars:
    return _bars(
        title,
        [(message("one tree"), bagging.single(depth)), (message("bagged"), bagging.bagged(depth))],
        most=1.25 * max(_total(bagging.single(depth)), _total(bagging.bagged(depth))),
    )


def _harms() -> Step:
    one, many = bagging.single(3), bagging.bagged(3)
    return Step(
        name="harms",
        title=message("Bagging harms a tree that was right"),
        text=message(
            "A tree of depth 3 fits each point, without bias. Each bootstrap sample lacks some of the four points, "
            "and the mean is pulled away from the truth."
        ),
        picture=_compared(3, message("Depth 3: one tree against all bootstrap trees")),
        before=_noisy(3, message("Depth 3: flip the noise of a point"), 5),
        number=Number(message("Bagged: bias² + variance"), _total(many), 4),
        question=Question(
            message("One tree of depth 3 has the error {error:.2f}. And bagged?", error=_total(one)),
            (f"{_total(many) / 3:.2f}", f"{_total(one):.2f}", f"{_total(many):.2f}"),
            (2,),
            message(
                "The variance falls to {variance:.4f}, but the bias² rises from 0 to {bias:.4f}.",
                variance=float(many.variance),
                bias=float(many.bias),
            ),
        ),
        numbers=_numbers(3),
        source=_breiman(),
    )


SCENE = Scene(
    name="bagging",
    title=lambda: message("When bagging helps"),
    asks=lambda: message("Is the mean of many trees always better?"),
    minutes=4,
    steps=steps,
    own_page="ensembles",
    sample="play_tennis",
    recipe="ID3",
)
