"""A sheet of exercises as one HTML page for printing on A4: a table, blank tables to fill in, and worked solutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from explorer.data.dataset import Dataset
from explorer.drawing.html_document import document, escaped
from explorer.errors import InputError
from explorer.explaining.exercises import EXERCISE_KINDS, Cell, Exercise, Line, as_printed, exercise
from explorer.formatting import value_text
from explorer.messages import message

MOST_EXERCISES = 12
_TRIES = 12
"""Seeds tried for an exercise that is not on the sheet yet."""
_STYLE = """@page { size: A4; margin: 16mm 15mm; }
:root { color-scheme: light; }
body {
  margin: 0 auto; padding: 1rem; max-width: 180mm; background: #ffffff; color: #111111; font-size: 10.5pt;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", sans-serif;
  line-height: 1.4; overflow-wrap: anywhere;
}
h1 { margin: 0 0 0.3rem; font-size: 17pt; }
h2 { margin: 1.3rem 0 0.3rem; font-size: 12pt; break-after: avoid; }
p { margin: 0.3rem 0; }
.head { display: flex; gap: 2rem; margin: 0.5rem 0 1rem; color: #444444; }
.head span { flex: 1; border-bottom: 1px solid #777777; }
.exercise { break-inside: avoid; }
table { border-collapse: collapse; margin: 0.4rem 0; width: 100%; font-variant-numeric: tabular-nums; }
th, td { border: 1px solid #999999; padding: 0.18rem 0.5rem; text-align: left; font-weight: 400; }
thead th { background: #f0f0f0; font-weight: 600; }
.rows { width: auto; font-size: 9.5pt; }
.rows th, .rows td { padding: 0.08rem 0.6rem; }
.exercise td { height: 1.5rem; text-align: center; min-width: 3.2rem; }
.exercise .none { border: none; }
.solutions { break-before: page; }
.solutions td { height: auto; }
.solutions .exercise { break-inside: auto; }
table { break-inside: avoid; }
.worked { margin: 0.3rem 0 0.6rem; padding: 0; list-style: none; font-size: 9.5pt; }
.worked li { margin: 0.15rem 0; padding-left: 1.2rem; text-indent: -1.2rem; }
.foot { margin-top: 1.2rem; color: #555555; font-size: 8.5pt; }
@media print { body { padding: 0; max-width: none; } }"""


def exercise_sheet(
    data: Dataset, seed: int = 0, n: int = 3, kinds: Sequence[str] | None = None, solutions: bool = True
) -> str:
    """The page in the language in force; the same table, seed and kinds give the same page.

    `data` is a table for sums by hand (`by_hand`, `random_table`), `kinds` names kinds of exercises in turn (None: all
    that the table has columns for), `n` is at most 12. With `solutions`, worked solutions begin on a new page. Raises
    InputError where no exercise fits the table.

    >>> from explorer import load_sample
    >>> data = Dataset.from_frame(load_sample("play_tennis").frame, "PlayTennis")
    >>> page = exercise_sheet(data, n=2, kinds=["gain"])
    >>> page.count('<section class="exercise">'), "≈ 0.940" in page, "≈ 0.940" in exercise_sheet(data, solutions=False)
    (4, True, False)
    """
    made = sheet_exercises(data, seed, n, kinds)
    title = message("Decision trees by hand: {target}", target=value_text(data.target.name))
    body = [f"<h1>{escaped(title)}</h1>", _head(), _rows(data.frame)]
    body += [_section(number, each, is_solved=False) for number, each in enumerate(made, 1)]
    if solutions:
        parts = [_section(number, each, is_solved=True) for number, each in enumerate(made, 1)]
        body += [f'<div class="solutions"><h1>{escaped(message("Solutions"))}</h1>', *parts, "</div>"]
    foot = message("Decision Tree Explorer, sheet with seed {seed}.", seed=seed)
    body.append(f'<p class="foot">{escaped(foot)}</p>')
    return document(title, _STYLE, "\n".join(body))


def sheet_exercises(data: Dataset, seed: int, n: int, kinds: Sequence[str] | None = None) -> list[Exercise]:
    """The exercises of a sheet: the kinds in turn, each asked about something else."""
    if not 1 <= n <= MOST_EXERCISES:
        raise InputError(message("A sheet has 1 to {most} exercises, not {n}.", most=MOST_EXERCISES, n=n))
    names = list(kinds) if kinds is not None else [name for name, kind in EXERCISE_KINDS.items() if kind.suits(data)]
    made, tasks = list[Exercise](), set[str]()
    for number in range(n):
        found = next(_new_exercises(data, names, seed + number, number, tasks), None)
        if found is not None:
            made.append(found)
            tasks.add(found.task)
    if not made:
        raise InputError(message("No exercise fits this table. Choose another table or node."))
    return made


def _new_exercises(data: Dataset, names: Sequence[str], seed: int, turn: int, tasks: set[str]) -> Iterator[Exercise]:
    """Exercises that are not on the sheet yet, first of the kind whose turn it is, then of the others."""
    for shift in range(len(names)):
        for attempt in range(_TRIES):
            try:
                made = exercise(names[(turn + shift) % len(names)], data, seed + attempt)
            except InputError:
                break
            if made.task not in tasks:
                yield made


def _head() -> str:
    return f'<div class="head"><span>{escaped(message("Name:"))}</span><span>{escaped(message("Date:"))}</span></div>'


def _rows(frame: pd.DataFrame) -> str:
    """The rows of the table, numbered."""
    head = "".join(f"<th>{escaped(name)}</th>" for name in ("", *frame.columns))
    lines = [
        f"<tr><th>{number}</th>{''.join(f'<td>{escaped(value_text(cell))}</td>' for cell in row)}</tr>"
        for number, row in enumerate(frame.astype(object).to_numpy().tolist(), 1)
    ]
    return f'<table class="rows"><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table>'


def _section(number: int, made: Exercise, is_solved: bool) -> str:
    """An exercise with blanks, or solved with its derivation."""
    title = message("Exercise {number}: {kind}", number=number, kind=EXERCISE_KINDS[made.kind].label)
    parts = [f"<h2>{escaped(title)}</h2>", f"<p>{escaped(made.task)}</p>"]
    parts += [] if is_solved else [f"<p>{escaped(fact)}</p>" for fact in made.facts]
    head = "".join(f"<th>{escaped(column)}</th>" for column in ("", *made.columns))
    lines = "".join(_line(line, is_solved) for line in made.lines)
    parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>")
    if is_solved:
        parts.append(_worked(made))
    return f'<section class="exercise">{"".join(parts)}</section>'


def _line(line: Line, is_solved: bool) -> str:
    cells = "".join(_cell(cell, is_solved) for cell in line.cells)
    return f"<tr><th>{escaped(line.label)}</th>{cells}</tr>"


def _cell(cell: Cell | str | None, is_solved: bool) -> str:
    if cell is None:
        return '<td class="none"></td>'
    if isinstance(cell, str):
        return f"<td>{escaped(cell)}</td>"
    return f"<td>{escaped(cell.shown)}</td>" if is_solved else "<td></td>"


def _worked(made: Exercise) -> str:
    """The formulas of all cells, from the counts to the results."""
    formulas = [cell.formula for cell in made.cells() if cell.formula is not None]
    return f'<ul class="worked">{"".join(f"<li>{escaped(as_printed(formula.text))}</li>" for formula in formulas)}</ul>'
