"""How sure is the tree? One day is left out at a time, then two: how often another feature splits the root."""

from __future__ import annotations

import explorer as ex
from explorer.data.samples import SAMPLES
from explorer.drawing.pictures.many_trees.leave_out import LeaveOut
from explorer.drawing.pictures.many_trees.pair_grid import PairGrid
from explorer.explaining import candidate_formulas
from explorer.messages import listing, message
from pages.learn.scenes.step import Choice, Chosen, Number, Question, Scene, Step
from pages.learn.vocabulary import chinese_words, melon_words
from pages.results.lessons import many_trees, trees
from pages.text import escape_markdown

_TABLE = "play_tennis"
_OTHERS = ("loan_lihang", "watermelon_2_0")
_MEANINGS = {"loan_lihang": chinese_words.with_meaning, "watermelon_2_0": melon_words.with_meaning}


def steps(chosen: Chosen) -> tuple[Step, ...]:
    """One day left out, all days in turn, all pairs of days, two other tables, and how far apart two trees are."""
    other = chosen.get("table", _OTHERS[0])
    return _strike(), _each_day(), _pairs(), _other(other if other in _OTHERS else _OTHERS[0]), _distance()


def _picture(table: str, title: str, is_sorted: bool = False, struck: int | None = None) -> LeaveOut:
    rows = trees.rows(table)
    whole = many_trees.gains_without(table, None)
    without = tuple(many_trees.gains_without(table, row) for row in range(rows.n_rows))
    return LeaveOut(
        says=message("Every row as a button, and a bar for every feature's gain without the rows that are left out."),
        title=title,
        rows=_names(table),
        codes=tuple(rows.y.tolist()),
        classes=tuple(_named(table, str(name)) for name in rows.classes),
        features=tuple(_named(table, feature.name) for feature in rows.features),
        whole=whole,
        without=without,
        most=1.25 * max(max(result.scores) for result in (whole, *without)),
        struck=struck,
        is_sorted=is_sorted,
    )


def _names(table: str) -> tuple[str, ...]:
    """The days have names; rows of other tables have numbers."""
    n_rows = trees.rows(table).n_rows
    return tuple(f"D{row + 1}" if table == _TABLE else str(row + 1) for row in range(n_rows))


def _named(table: str, name: str) -> str:
    """A name of a Chinese table with its meaning."""
    return _MEANINGS[table](name) if table in _MEANINGS else name


def _strike() -> Step:
    tree, decision = trees.grown(_TABLE, "ID3"), trees.decision(_TABLE, "ID3")
    gains = many_trees.gains_without(_TABLE, None)
    features = [feature.name for feature in trees.rows(_TABLE).features]
    return Step(
        name="leave one out",
        title=message("What if one day had not been recorded?"),
        text=message(
            "The 14 days are a sample: another week, and one of them would be missing. "
            "Press a day to leave it out, and watch the gains at the root."
        ),
        picture=_picture(_TABLE, message("Information gain at the root, in bits")),
        number=Number(
            message("Gain(Outlook), all 14 days"),
            decision.best["Outlook"].gain,
            derivation=candidate_formulas(tree.node(0), decision.best["Outlook"])["gain"],
        ),
        numbers=dict(zip((f"gain {name}" for name in features), gains.scores, strict=True)),
        source=message("Breiman, Heuristics of instability and stabilization in model selection (1996)"),
    )


def _each_day() -> Step:
    roots = many_trees.stability(_TABLE, 1).root_counts
    picture = _picture(_TABLE, message("The root when one day is left out"), is_sorted=True, struck=2)
    others = [
        name for name, result in zip(picture.rows, picture.without, strict=True) if result.root != picture.whole.root
    ]
    return Step(
        name="each day",
        title=message("Each day left out in turn"),
        text=message(
            "Fourteen times ID3 grows its tree on the other thirteen days. "
            "Each day stands under the feature that splits the root without it."
        ),
        picture=picture,
        before=_picture(_TABLE, message("The root when one day is left out")),
        number=Number(message("Days without which Humidity splits the root"), roots["Humidity"], 0),
        question=Question(
            message("For how many of the 14 days does another feature split the root when that day is missing?"),
            ("0", "1", "3", "11"),
            (2,),
            message("Without one of {days} Humidity has the larger gain.", days=listing(others)),
        ),
        numbers={f"root {feature}": float(count) for feature, count in roots.items()},
    )


def _pairs() -> Step:
    counts, cells = many_trees.roots_of_pairs(_TABLE)
    features = tuple(sorted(name for name, _ in counts))
    picture = PairGrid(
        says=message("A cell for every pair of days, tinted by the root without the two."),
        title=message("The root when two days are left out"),
        rows=_names(_TABLE),
        outcomes=counts,
        cells=cells,
        pair=next((i, j) for (i, j), cell in zip(_all_pairs(14), cells, strict=True) if cell > 1),
    )
    return Step(
        name="two days",
        title=message("Two days left out: 91 trees"),
        text=message(
            "Of 14 days, 91 pairs can be missing. Point at a cell, or move the sliders: "
            "its colour is the root of the tree without this pair."
        ),
        picture=picture,
        before=_picture(_TABLE, message("The root when one day is left out"), is_sorted=True),
        number=Number(message("Share of pairs without which Outlook stays"), dict(counts)["Outlook"] / len(cells)),
        question=Question(
            message("Which features can split the root when two days are missing?"),
            (
                message("Outlook only"),
                message("Outlook and Humidity"),
                message("Outlook, Humidity and Wind"),
                message("All four"),
            ),
            (len(features) - 1,),
            message("Even Temperature, with the smallest gain on all days, wins for one pair."),
        ),
        numbers={f"root {feature}": float(count) for feature, count in counts},
    )


def _other(table: str) -> Step:
    result = many_trees.stability(table, 1)
    counts = {feature: count for feature, count in result.root_counts.items() if feature is not None}
    root = max(counts, key=lambda feature: counts[feature])
    return Step(
        name="another table",
        title=message("Other textbook tables"),
        text=message(
            "The root stays **{root}** for {count} of {n} rows. Choose a table, and leave out rows yourself.",
            root=escape_markdown(_named(table, root)),
            count=counts[root],
            n=result.n_resamples,
        ),
        picture=_picture(table, message("The root when one row is left out"), is_sorted=True),
        number=Number(message("Rows without which two features tie for the root"), result.root_ties or 0, 0),
        choices=(
            Choice(
                "table",
                message("Table"),
                {name: SAMPLES[name].title for name in _OTHERS},
                _OTHERS[0],
            ),
        ),
        numbers={f"root {feature}": float(count) for feature, count in counts.items()}
        | {"ties": float(result.root_ties or 0)},
        source=message("Li Hang, 统计学习方法 (2nd ed. 2019), table 5.1; Zhou Zhihua, 机器学习 (2016), table 4.1"),
    )


def _distance() -> Step:
    rows = trees.rows(_TABLE)
    first, second = many_trees.stump(_TABLE, "Outlook"), many_trees.stump(_TABLE, "Humidity")
    parted = many_trees.pairs_parted(_TABLE, "Outlook", "Humidity")
    counts = ((message("both agree"), len(parted) - sum(parted)), (message("one parts them"), sum(parted)))
    distance = ex.tree_distance(first, second, rows)
    return Step(
        name="distance",
        title=message("How far apart are two trees?"),
        text=message(
            "A tree that splits on Outlook and one that splits on Humidity group the days differently. "
            "Count the pairs that one keeps together and the other parts."
        ),
        picture=PairGrid(
            says=message("A cell for every pair of days: whether both trees agree on keeping it together."),
            title=message("Outlook alone against Humidity alone"),
            rows=_names(_TABLE),
            outcomes=counts,
            cells=tuple(map(int, parted)),
        ),
        number=Number(message("Partition distance: {n} of {pairs} pairs", n=sum(parted), pairs=len(parted)), distance),
        numbers={"pairs parted": float(sum(parted)), "pairs": float(len(parted)), "distance": distance},
        source=message("Rand, Objective criteria for the evaluation of clustering methods (1971)"),
    )


def _all_pairs(n: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(n) for j in range(i + 1, n)]


SCENE = Scene(
    name="stability",
    title=lambda: message("How sure is the tree?"),
    asks=lambda: message("Would one day less give another tree?"),
    minutes=2,
    steps=steps,
    on_short_path=True,
    own_page="compare",
    sample=_TABLE,
    recipe="ID3",
)
