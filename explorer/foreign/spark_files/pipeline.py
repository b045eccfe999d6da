"""The columns and categories of a model of Spark, followed through the stages of its pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from explorer.errors import InputError
from explorer.foreign.limits import MOST_FEATURES
from explorer.foreign.record import named, short
from explorer.foreign.spark_files.stored import Stage, refuse
from explorer.messages import listing, message
from explorer.plain_fields import Fields
from explorer.values import Value

UNKNOWN = "__unknown"
"""Spark's name for the category of cells that a StringIndexer has not seen, where it keeps them."""
MOST_STAGES, DEEPEST_STAGES = 1_000, 8
READABLE = ("StringIndexer", "VectorAssembler", "VectorIndexer")


@dataclass(frozen=True)
class Slot:
    """One number of Spark's vector: the column it comes from and, of a category, the code of every label.

    `kept` is the code of cells without a value or with one that is not known, None where they have none; `refuses`,
    whether Spark then stops or leaves the row out.
    """

    name: str
    codes: Mapping[Value, int] | None = None
    kept: int | None = None
    refuses: bool = False


@dataclass(frozen=True)
class Columns:
    """The columns that stages have made so far, by name."""

    made: dict[str, tuple[Slot, ...]] = field(default_factory=dict)

    def of(self, name: str) -> tuple[Slot, ...]:
        """What a column is made of: itself where no stage has made it."""
        return self.made.get(name, (Slot(name),))

    def add(self, stage: Stage) -> None:
        """Follow one stage; InputError for one of which it is not known here what it does."""
        readers = {
            "StringIndexerModel": self._index_texts,
            "VectorAssembler": self._assemble,
            "VectorIndexerModel": self._index_vector,
        }
        if stage.kind not in readers:
            raise InputError(
                message(
                    "The pipeline of Spark has the stage {stage} before its trees, which cannot be read. Readable: "
                    "{stages}.",
                    stage=stage.kind,
                    stages=listing(READABLE),
                )
            )
        readers[stage.kind](stage, stage.parameters())

    def _index_texts(self, stage: Stage, told: Fields) -> None:
        inputs, outputs = (_names(told, f"{side}Cols", f"{side}Col") for side in ("input", "output"))
        row = stage.table("data")
        name = "labelsArray" if "labelsArray" in row.column_names else "labels"
        found = row[name].to_pylist() if name in row.column_names and row.num_rows == 1 else [None]
        listed = found if name == "labels" else found[0]
        if not isinstance(listed, list) or not len(listed) == len(inputs) == len(outputs):
            refuse(message("its categories do not belong to its nodes"))
        keeps = (
            told.choice("handleInvalid", ("error", "skip", "keep")) == "keep" if told.has("handleInvalid") else False
        )
        for before, after, labels in zip(inputs, outputs, listed, strict=True):
            if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
                refuse(message("its categories do not belong to its nodes"))
            codes = {label: code for code, label in enumerate(named(labels))}
            if len(codes) < len(labels) or before in self.made:
                refuse(message("two categories have the same name"))
            self.made[after] = (Slot(before, codes, len(labels) if keeps else None, not keeps),)

    def _assemble(self, stage: Stage, told: Fields) -> None:
        keeps = told.has("handleInvalid") and told.text("handleInvalid") == "keep"
        slots = [slot for name in _names(told, "inputCols") for slot in self.of(name)]
        if len(slots) > MOST_FEATURES:
            refuse(message("its feature names are too few, or two of them are the same"))
        self.made[told.text("outputCol")] = tuple(
            slot if keeps or slot.codes is not None else replace(slot, refuses=True) for slot in slots
        )

    def _index_vector(self, stage: Stage, told: Fields) -> None:
        slots = list(self.of(told.text("inputCol")))
        row = stage.table("data").to_pylist()
        maps = row[0].get("categoryMaps") if len(row) == 1 else None
        keeps = told.has("handleInvalid") and told.text("handleInvalid") == "keep"
        for place, pairs in maps if isinstance(maps, list) else ():
            if not 0 <= place < len(slots) or not isinstance(pairs, list):
                refuse(message("its categories do not belong to its nodes"))
            slots[place] = _indexed(slots[place], dict(pairs), keeps)
        self.made[told.text("outputCol")] = tuple(slots)


def _indexed(slot: Slot, code_of: dict[float, int], keeps: bool) -> Slot:
    """A number that becomes a category: of a code, the label keeps its name."""
    other = len(code_of) if keeps else None
    if slot.codes is None:
        labels = {short(value): code for value, code in code_of.items() if value == value}
        return Slot(slot.name, labels, other, not keeps)
    codes = {label: code_of.get(float(code), other) for label, code in slot.codes.items()}
    kept = None if slot.kept is None else code_of.get(float(slot.kept), other)
    known = {label: code for label, code in codes.items() if code is not None}
    return Slot(slot.name, known, kept, kept is None)


def flattened(root: Stage) -> list[Stage]:
    """The stages in order, those of inner pipelines in their places; InputError for a stage that is missing."""
    found, waiting = list[Stage](), [(root, 0)]
    while waiting:
        stage, depth = waiting.pop()
        if stage.kind != "PipelineModel":
            found.append(stage)
            continue
        uids = stage.metadata.record("paramMap").values("stageUids")
        if depth > DEEPEST_STAGES or len(found) + len(waiting) + len(uids) > MOST_STAGES:
            refuse(message("it has more than {most:,} stages", most=MOST_STAGES))
        digits = len(str(len(uids)))
        inner = [Stage(stage.files, f"{stage.at}stages/{place:0{digits}}_{uid}/") for place, uid in enumerate(uids)]
        waiting += [(each, depth + 1) for each in reversed(inner)]
    return found


def _names(told: Fields, several: str, one: str = "") -> list[str]:
    """The columns that a parameter names, in a list or alone."""
    found = told.items(several) if not one or told.has(several) else [told.text(one)]
    if not all(isinstance(name, str) for name in found):
        refuse(message("its feature names are too few, or two of them are the same"))
    return found
