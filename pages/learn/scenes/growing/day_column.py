"""Why not split on the date? An id column has the largest gain and the largest ratio, and predicts nothing."""

from __future__ import annotations

import explorer as ex
from explorer.drawing.pictures.bars import Bar, Bars
from explorer.drawing.pictures.row_groups import RowGroups
from explorer.explaining import Derivation, Formula, candidate_formulas, chi2_formula
from explorer.explaining.formulas.expression import Number as Whole
from explorer.explaining.formulas.expression import Product, Quantity, Sum, ratio
from explorer.explaining.formulas.impurity import logarithm
from explorer.messages import message
from pages.learn.scenes import branches
from pages.learn.scenes.derivations import mean_derived
from pages.learn.scenes.feature_bars import feature_bars
from pages.learn.scenes.step import Chosen, Competition, Number, Question, Scene, Step, TreePicture
from pages.results.lessons import leave_one_out, trees

_TABLE, _ID = "play_tennis", "Day"
_FEATURES = ("Day", "Outlook", "Temperature", "Humidity", "Wind")
_BY_P = (("score", "p_value"), ("p_adjustment", "none"))


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """From the gain of the date to the test by chance."""
    return _gain(), _new_day(), _split_information(), _ratio(), _filter(), _by_chance()


def _tree(recipe: str, changes: tuple[tuple[str, object], ...] = ()) -> ex.Tree:
    return trees.grown(_TABLE, recipe, changes, _FEATURES)


def _decision(recipe: str, changes: tuple[tuple[str, object], ...] = ()) -> ex.Decision:
    return trees.decision(_TABLE, recipe, 0, changes, _FEATURES)


def _derived(decision: ex.Decision, recipe: str, measure: str) -> Derivation:
    """How a number of the date comes about."""
    whole = candidate_formulas(_tree(recipe).node(0), decision.best[_ID])[measure]
    return Derivation((whole.formulas[0], whole.formulas[-1]), whole.legend[:2])


def _mitchell() -> str:
    return message("Mitchell, Machine Learning (1997), section 3.7.3")


def _gain() -> Step:
    decision = _decision("ID3")
    day, entropy = decision.best[_ID], decision.impurity
    others = [candidate for feature, candidate in decision.best.items() if feature != _ID]
    second = max(candidate.gain for candidate in others)
    return Step(
        name="gain",
        title=message("The date as an attribute"),
        text=message(
            "Let the number of the day be an attribute like the others. "
            "Each of its 14 branches then has a single day, and a single day is always pure."
        ),
        picture=_balls(decision, 0, "answered"),
        before=_balls(decision, 1, "asked"),
        number=Number(message("Gain({feature})", feature=_ID), day.gain, derivation=_derived(decision, "ID3", "gain")),
        question=Question(
            message("What is the gain of a split on the date, in bits?"),
            tuple(f"{value:.3f}" for value in (0.0, second, day.gain)),
            (2,),
            message("No entropy is left in the branches, so the gain is the whole entropy of the 14 days."),
        ),
        numbers={"gain Day": day.gain, "entropy": entropy},
        source=_mitchell(),
    )


def _balls(decision: ex.Decision, shown: int, state: str) -> RowGroups:
    """The days in the branches of every attribute; the date itself only after the question."""
    data = trees.rows(_TABLE, _FEATURES)
    has_answer = state != "asked"
    return RowGroups(
        says=message("The 14 days in the branches of an attribute, the date among them."),
        rows=tuple(map(str, data.frame[_ID])),
        codes=tuple(data.y.tolist()),
        details=branches.details(data),
        classes=tuple(map(str, data.classes)),
        divisions=tuple(
            branches.divided(data, each, branches.gain_text(each, decision.impurity) if has_answer else "")
            for each in decision.best.values()
            if has_answer or each.feature != _ID
        ),
        shown=shown if has_answer else 0,
        state=state,
    )


def _new_day() -> Step:
    tree = _tree("ID3")
    by_day, by_weather = (leave_one_out.right_rows(_TABLE, "ID3", features) for features in (_FEATURES, None))
    n_rows = int(tree.node(0).weight)
    return Step(
        name="a new day",
        title=message("Tomorrow is day 15"),
        text=message(
            "The tree on the date is right on all 14 days it was grown on. "
            "For a new day it has no branch, so it always predicts the more frequent class."
        ),
        picture=TreePicture(tree, message("A tree with one branch for each of 14 days."), layout="right"),
        number=Number(message("Days predicted right when left out, tree on the date (of {n})", n=n_rows), by_day, 0),
        question=Question(
            message("Leave out one day at a time and predict it: how many of 14 does the tree on the date get right?"),
            (str(n_rows), str(by_day), "0"),
            (1,),
            message(
                "It says Yes every time, which is right on {by_day} days. The tree on the weather is right on "
                "{by_weather}.",
                by_day=by_day,
                by_weather=by_weather,
            ),
        ),
        numbers={"right by Day": float(by_day), "right by weather": float(by_weather)},
    )


def _bars(decision: ex.Decision, title: str, values: dict[str, float], **marked: object) -> Bars:
    """The same five bars in every step, so that they grow and shrink from one to the next."""
    return feature_bars(
        values,
        says=message("A number of every attribute as a bar, the date among them."),
        title=title,
        out={name for name, candidate in decision.best.items() if candidate.rejected is not None},
        **marked,  # type: ignore[arg-type]
    )


def _split_information() -> Step:
    decision = _decision("ID3")
    infos = {feature: candidate.split_info for feature, candidate in decision.best.items()}
    return Step(
        name="split information",
        title=message("Many small branches have a price"),
        text=message(
            "Split information is the entropy of the branch sizes: how many bits it takes to name a branch. "
            "Quinlan divides the gain by it."
        ),
        picture=_bars(decision, message("Split information, in bits"), infos),
        number=Number(
            message("Split information of {feature}", feature=_ID),
            infos[_ID],
            derivation=_split_information_derived(int(_tree("ID3").node(0).weight), infos[_ID]),
        ),
        question=Question(
            message("14 branches with one row each: what is the split information?"),
            ("1", message("log₂ 14 ≈ {value}", value=f"{infos[_ID]:.3f}"), "14"),
            (1,),
            message("Each branch has the share 1/14, and −log₂(1/14) is log₂ 14."),
        ),
        before=_bars(decision, message("Information gain, in bits"), _gains(decision)),
        numbers={f"split information {feature}": value for feature, value in infos.items()},
        source=message("Quinlan, C4.5: Programs for Machine Learning (1993), section 2.2"),
    )


def _split_information_derived(branches_of_one: int, value: float) -> Derivation:
    """The same for all branches, so once: n · 1/n · log2(1/n), negative."""
    share = ratio(1, branches_of_one)
    terms = Product((Whole(branches_of_one), share, logarithm(2, share)))
    formula = Formula(Quantity("SI(A)", r"\mathrm{SI}(A)", Sum(((-1, terms),))), value)
    return Derivation((formula,), (("1/n", message("the share of a branch with one of n rows")),))


def _gains(decision: ex.Decision) -> dict[str, float]:
    return {feature: candidate.gain for feature, candidate in decision.best.items()}


def _ratio() -> Step:
    decision = _decision("C4.5", (("mean_gain_filter", "off"),))
    ratios = {feature: candidate.gain_ratio or 0.0 for feature, candidate in decision.best.items()}
    return Step(
        name="ratio",
        title=message("On 14 rows the ratio is not enough"),
        text=message(
            "The gain ratio shrinks the date’s lead from almost fourfold to less than twofold. "
            "On so few rows the date still comes first; with more rows its ratio falls further."
        ),
        picture=_bars(decision, message("Gain ratio"), ratios),
        before=_bars(decision, message("Information gain, in bits"), _gains(decision)),
        number=Number(
            message("Gain ratio of {feature}", feature=_ID),
            ratios[_ID],
            derivation=_derived(decision, "ID3", "gain ratio"),
        ),
        question=Question(
            message("Which attribute has the largest gain ratio?"),
            (_ID, "Outlook", "Humidity"),
            (0,),
            message("The split information of the date is high, but its gain is higher still."),
        ),
        numbers={f"gain ratio {feature}": value for feature, value in ratios.items()},
        source=message("Quinlan, C4.5: Programs for Machine Learning (1993), section 2.2"),
    )


def _filter() -> Step:
    decision = _decision("C4.5")
    mean = float(decision.mean_gain or 0.0)
    return Step(
        name="mean gain",
        title=message("The mean-gain filter does not help here"),
        text=message(
            "C4.5 lets only attributes compete whose gain is at least the mean gain. "
            "The date has too many values to count in that mean, but it competes, and its ratio wins."
        ),
        picture=_bars(
            decision,
            message("Information gain, in bits"),
            _gains(decision),
            mark=mean,
            mark_text=message("mean {value}", value=f"{mean:.3f}"),
        ),
        number=Number(message("Mean of the four gains"), mean, derivation=mean_derived(_tree("C4.5"), decision)),
        competition=Competition(decision, _tree("C4.5")),
        numbers={"mean gain": mean} | {f"gain {feature}": value for feature, value in _gains(decision).items()},
        source=message("Quinlan, C4.5: Programs for Machine Learning (1993), section 2.2"),
    )


def _by_chance() -> Step:
    plain, decision = _decision("ID3"), _decision("ID3", _BY_P)
    tests = {feature: candidate.significance for feature, candidate in decision.best.items()}
    p_values = {feature: test.p for feature, test in tests.items() if test is not None}
    worths = {feature: test.log_worth for feature, test in tests.items() if test is not None}
    best = max(worths, key=lambda feature: worths[feature])
    chi2 = plain.chi2
    assert chi2 is not None, "the date is tested"
    return Step(
        name="by chance",
        title=message("Could it be chance?"),
        text=message(
            "The χ² test asks how often mere chance gives branches as pure as these. "
            "For 14 branches of one day, χ² = {chi2} with {df} degrees of freedom is nothing special.",
            chi2=f"{chi2.statistic:.0f}",
            df=chi2.df,
        ),
        picture=Bars(
            says=message("How small the p-value of every attribute is: −log₁₀ p as bars."),
            title=message("−log₁₀ p: the longer, the less likely by chance"),
            bars=tuple(
                Bar(name, worth, message("p = {p}", p=f"{p_values[name]:.3f}"), name == best)
                for name, worth in worths.items()
            ),
            most=max(worths.values()) * 1.15,
        ),
        before=_bars(decision, message("Information gain, in bits"), _gains(decision)),
        number=Number(
            message("p-value of {feature}", feature=_ID),
            p_values[_ID],
            derivation=chi2_formula(_tree("ID3").node(0), plain),
        ),
        question=Question(
            message("Which attribute is the least likely to look this good by chance?"),
            tuple(worths),
            (tuple(worths).index(best),),
            message("It has two branches that lean clearly. Yet its p-value is above 0.05 too: 14 days prove little."),
        ),
        competition=Competition(decision, _tree("ID3", _BY_P)),
        numbers={f"p {feature}": value for feature, value in p_values.items()}
        | {"chi2 Day": chi2.statistic, "df Day": float(chi2.df)},
        source=message("Kass, An exploratory technique for large quantities of categorical data (1980)"),
    )


SCENE = Scene(
    name="day_column",
    title=lambda: message("Why not split on the date?"),
    asks=lambda: message("What holds back a column that names every row?"),
    minutes=4,
    steps=steps,
    sample=_TABLE,
    recipe="C4.5",
)
