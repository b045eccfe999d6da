"""Settings ⇄ the query parameters of the web address, so that a link opens the same view.

Reading never fails: what cannot be used falls back to its default, and a sentence says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import streamlit as st

from explorer.data.samples import SAMPLES
from explorer.drawing.palette import PALETTES
from pages.settings import growing_options, labels, session
from pages.settings.page_settings import SIDES, EvaluateSettings, PredictSettings, RulesSettings
from pages.settings.query_reader import _FILE_DIGITS, _SIGNS, QueryReader
from pages.settings.settings import FIRST_SAMPLE, Growing, Settings


def start_from_address() -> None:
    """Begin a session with what the web address asks for."""
    settings, problems = from_address({key: st.query_params.get_all(key) for key in st.query_params})
    if settings.upload:
        session.await_file(settings)
        session.notify("info", _AWAITED)
        settings = Settings()
    session.keep(settings)
    for problem in problems:
        session.notify("warning", problem)


def write() -> None:
    """Write the settings into the web address again: navigation clears it."""
    if {key: st.query_params.get_all(key) for key in st.query_params} != wanted():
        st.query_params.from_dict(wanted())


def wanted() -> dict[str, list[str]]:
    """What the web address should ask for: the settings, or those held back until their file is there."""
    settings, held_back = session.read(), session.awaiting_file()
    return to_address(held_back if held_back is not None and settings == Settings() else settings)


_AWAITED = (
    "This link is about a file of one’s own, and files are not in links: load the same file on the Data page, under "
    "any name, and the view comes back as it was."
)
_PLAIN = {
    "target": "target",
    "split": "split",
    "pruning": "pruning",
    "risk": "risk",
    "metric": "metric",
    "method": "method",
    "order": "order",
    "ties": "ties",
    "limit": "limit",
    "book": "book",
    "palette": "palette",
}
_COUNTS = {
    "share": "train",
    "valid_share": "valid",
    "seed": "seed",
    "node": "node",
    "left_node": "a.node",
    "right_node": "b.node",
    "third_node": "c.node",
    "folds": "folds",
    "fold_seed": "fold_seed",
}
_SLOTS = {"grow": "", **{slot: f"{letter.lower()}." for slot, letter in SIDES.items()}}


def to_address(settings: Settings) -> dict[str, list[str]]:
    """The settings that are not the default, as query parameters."""
    default = Settings()
    own = settings.upload[:_FILE_DIGITS]
    found: dict[str, list[str]] = {"file": [own]} if own else {"data": [settings.sample]}
    for field, key in (_PLAIN | _COUNTS).items():
        if getattr(settings, field) != getattr(default, field):
            found[key] = [str(getattr(settings, field))]
    if settings.alpha is not None:
        found["alpha"] = [repr(settings.alpha)]
    if settings.confidence != default.confidence:
        found["confidence"] = [repr(settings.confidence)]
    if settings.raising:
        found["raising"] = ["yes"]
    if settings.features is not None:
        found["feature"] = list(settings.features)
    if settings.kinds:
        found["kind"] = [f"{column}:{kind}" for column, kind in settings.kinds]
    if settings.hand:
        found["hand"] = ["".join(f"{_SIGNS[op]}{node}" for op, node in settings.hand)]
    if settings.choices:
        found["choice"] = [_as_json(one) for one in settings.choices.to_plain()]
    if settings.opened:
        found["opened"] = list(settings.opened)
    for page_s_own in (settings.compare, settings.judging, settings.ruling, settings.ask):
        found |= page_s_own.to_address()
    for slot, prefix in _SLOTS.items():
        found |= _growing_to_address(getattr(settings, slot), prefix)
    return found


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _growing_to_address(growing: Growing, prefix: str) -> dict[str, list[str]]:
    found = {prefix + "recipe": [growing.name]} if growing.name else {}
    return found | {prefix + field: [growing_options.write(value)] for field, value in growing.changes}


def from_address(query: Mapping[str, Sequence[str]]) -> tuple[Settings, list[str]]:
    """Settings read from query parameters, and a sentence for each that could not be used."""
    reader = QueryReader(query)
    settings = Settings(
        sample=reader.choice("data", FIRST_SAMPLE, SAMPLES),
        upload=reader.file(),
        target=reader.last("target", ""),
        features=tuple(query["feature"]) if query.get("feature") else None,
        kinds=reader.kinds(),
        split=reader.choice("split", "auto", labels.SPLITS),
        share=reader.whole("train", 70, 10, 90),
        valid_share=reader.whole("valid", 15, 5, 45),
        seed=reader.whole("seed", 0, 0, 2**31 - 1),
        node=reader.whole("node", 0, 0, 2**31 - 1),
        left_node=reader.whole("a.node", 0, 0, 2**31 - 1),
        right_node=reader.whole("b.node", 0, 0, 2**31 - 1),
        third_node=reader.whole("c.node", 0, 0, 2**31 - 1),
        pruning=reader.choice("pruning", "slide", labels.PRUNING),
        risk=reader.choice("risk", "impurity", labels.RISKS),
        metric=reader.choice("metric", "accuracy", labels.METRICS),
        alpha=reader.alpha("alpha"),
        hand=reader.hand(),
        method=reader.choice("method", "unpruned", labels.METHODS),
        order=reader.choice("order", "best_first", labels.ORDERS),
        ties=reader.choice("ties", "prune", labels.TIES),
        confidence=reader.confidence(),
        limit=reader.choice("limit", "release8", labels.LIMITS),
        raising=reader.choice("raising", "no", {"yes": True}) == "yes",
        book=reader.choice("book", "", labels.BOOK),
        folds=reader.whole("folds", 10, 2, 100),
        fold_seed=reader.whole("fold_seed", 0, 0, 2**31 - 1),
        opened=reader.opened(),
        choices=reader.choices(),
        palette=reader.choice("palette", "safe", PALETTES),
        grow=reader.growing(_SLOTS["grow"]),
        left=reader.growing(_SLOTS["left"]),
        right=reader.growing(_SLOTS["right"]),
        third=reader.growing(_SLOTS["third"]),
        compare=reader.comparison(),
        judging=EvaluateSettings.from_address(reader),
        ruling=RulesSettings.from_address(reader),
        ask=PredictSettings.from_address(reader),
    )
    return settings, reader.problems
