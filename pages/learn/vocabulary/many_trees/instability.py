"""How sure a tree is: its root when one row or two are left out, and how far apart two trees are."""

from __future__ import annotations

from collections.abc import Mapping

import explorer as ex
from explorer.drawing.pictures.bars import Bar, Bars
from explorer.drawing.pictures.chart import Axis, Chart, Colour, Panel, Place, rect, text
from explorer.messages import listing, message
from pages.learn.vocabulary.words import Here, add, word
from pages.results.lessons import many_trees
from pages.text import escape_markdown


def _row_names(here: Here) -> tuple[str, ...]:
    """The days have names; rows of other tables have numbers."""
    return tuple(f"D{row}" if here.table == "play_tennis" else str(row) for row in range(1, here.data.n_rows + 1))


@word
def leave_out(here: Here, sort: bool = False, struck: int | None = None) -> Bars:
    """Rows that the reader leaves out, with the gains at the root; sorted, each stands under the root without it."""
    data, features = here.data, [here.named(feature.name) for feature in here.data.features]

    def bars(row: int | None) -> tuple[Bar, ...]:
        gains, root = many_trees.gains_without(here.table, row)
        pairs = zip(features, gains, strict=True)
        return tuple(Bar(name, gain, f"{gain:.3f}", at == root) for at, (name, gain) in enumerate(pairs))

    whole, without = bars(None), tuple(map(bars, range(data.n_rows)))
    return Bars(
        says=here.says,
        title=here.heading,
        bars=whole,
        most=1.25 * max(bar.value for each in (whole, *without) for bar in each),
        rows=_row_names(here),
        codes=tuple(data.y.tolist()),
        classes=tuple(here.named(str(name)) for name in data.classes),
        without=without,
        struck=struck,
        is_sorted=sort,
    )


@word
def rows_that_decide(here: Here) -> str:
    """The rows without any of which another feature splits the root, in words."""
    _, root = many_trees.gains_without(here.table, None)
    names = enumerate(_row_names(here))
    return listing(name for row, name in names if many_trees.gains_without(here.table, row)[1] != root)


def _roots(here: Here) -> dict[str, int]:
    counts = many_trees.stability(here.table, 1).root_counts
    return {feature: count for feature, count in counts.items() if feature is not None}


@word
def usual_root(here: Here) -> str:
    """The feature that splits the root most often."""
    roots = _roots(here)
    return _shown(here, max(roots, key=lambda feature: roots[feature]))


def _shown(here: Here, feature: str) -> str:
    return escape_markdown(here.named(feature))


@word
def pairs(here: Here) -> int:
    """How many pairs of rows there are."""
    return here.data.n_rows * (here.data.n_rows - 1) // 2


_OUTCOMES: tuple[Colour, ...] = ("quiet", "primary", 1, 2)


def _pair_grid(here: Here, outcomes: tuple[tuple[str, int], ...], cells: tuple[int, ...], shown: int = 0) -> Chart:
    """All pairs of rows as cells of a triangle, in the colours of their outcomes; pointing at one reads it off."""
    names, n = _row_names(here), here.data.n_rows
    every = [(first, second) for first in range(n) for second in range(first + 1, n)]
    marks = [text(f"row {row}", row, -row - 0.5, names[row], dx=-8, dy=5, anchor="end") for row in range(n - 1)]
    marks += [text(f"column {row}", row - 0.5, 1 - n, names[row], dy=18, yields=1) for row in range(1, n)]
    places = []
    for at, ((first, second), cell) in enumerate(zip(every, cells, strict=True)):
        place = (second - 1, second), (-first - 1, -first)
        marks.append(
            rect(
                f"{first} {second}",
                *place,
                _OUTCOMES[cell % 4],
                to=at,
                hovers=True,
                inset=1,
                opacity=1 if cell else 0.45,
            )
        )
        pair = listing((names[first], names[second]))
        said = message("{name}: {value}", name=pair, value=outcomes[cell][0])
        ring = rect("shown", *place, "none", edge="text")
        places.append(Place(said=said, reading=said, marks=((ring,),)))
    panel = Panel(
        x=Axis(low=0, high=n - 1, ticks=((0, " "),), is_drawn=False),
        y=Axis(low=1 - n, high=0, ticks=()),
        marks=tuple(marks),
    )
    legend = tuple(
        (message("{name}: {value}", name=name, value=count), _OUTCOMES[at % 4])
        for at, (name, count) in enumerate(outcomes)
    )
    return Chart(
        says=here.says,
        title=here.heading,
        columns=((panel,),),
        places=tuple(places),
        shown=shown,
        slider=message("Pair of rows"),
        legend=legend,
    )


@word
def pairs_left_out(here: Here) -> Chart:
    """The root without each pair of rows, at first a pair without which it is a rare one."""
    counts, cells = many_trees.roots_of_pairs(here.table)
    return _pair_grid(here, counts, cells, next(at for at, cell in enumerate(cells) if cell > 1))


@word
def each_root_of_pairs(here: Here) -> Mapping[str, float]:
    """For how many pairs left out each feature splits the root, as numbers of their own."""
    return {f"root {feature}": count for feature, count in many_trees.roots_of_pairs(here.table)[0]}


@word
def pairs_parted(here: Here, first: str, second: str) -> int:
    """How many pairs one of two stumps keeps together and the other parts."""
    return sum(many_trees.pairs_parted(here.table, first, second))


@word
def pairs_of_trees(here: Here, first: str, second: str, agree: str, parted: str) -> Chart:
    """Whether the two stumps agree on each pair."""
    apart = pairs_parted(here, first, second)
    outcomes = ((agree, pairs(here) - apart), (parted, apart))
    return _pair_grid(here, outcomes, tuple(map(int, many_trees.pairs_parted(here.table, first, second))))


add(
    # For how many rows left out a feature splits the root.
    roots_without=lambda here, feature: next(
        count for name, count in _roots(here).items() if feature in (name, _shown(here, name))
    ),
    # The same of all features, as numbers of their own.
    each_root_without=lambda here: {f"root {feature}": count for feature, count in _roots(here).items()},
    # For how many rows left out two features tie.
    ties_without=lambda here: many_trees.stability(here.table, 1).root_ties or 0,
    # The share of these pairs.
    share_of_pairs=lambda here, feature: each_root_of_pairs(here)[f"root {feature}"] / pairs(here),
    # The partition distance of the two stumps.
    distance_of_trees=lambda here, first, second: ex.tree_distance(
        many_trees.stump(here.table, first), many_trees.stump(here.table, second), here.data
    ),
)
