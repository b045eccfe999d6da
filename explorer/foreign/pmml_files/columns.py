"""The fields of a PMML file as columns of a table: their type, their categories, and what stands for a missing cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from explorer.foreign.limits import MOST_CLASSES, MOST_FEATURES
from explorer.foreign.pmml_files.document import Element, finite, refuse
from explorer.messages import message
from explorer.recipe.columns import FeatureEncoding
from explorer.values import MISSING_MARKERS, Value

NUMBERS = {"float", "double", "integer"}
TYPES = {*NUMBERS, "string", "boolean"}
TARGETS = ("target", "predicted")


@dataclass(eq=False)
class Column:
    """A column of the table; `values` are its categories as texts, ascending where it `is_ordered`.

    `replacement` is the text that a missing cell stands for, "" without one. With `hides_unseen` a category that is
    not declared counts as missing, with `refuses_unseen` a row that has one gets no prediction. `listed` and
    `is_compared` say how the tests of all trees use it.
    """

    name: str
    place: int
    data_type: str
    is_category: bool
    is_ordered: bool
    values: list[str]
    replacement: str = ""
    hides_unseen: bool = False
    refuses_unseen: bool = False
    is_compared: bool = False
    listed: dict[Value, int] = field(default_factory=dict)

    def label(self, text: str) -> Value:
        """A text of the file as a value of the column."""
        return typed(text, self.data_type)

    def code(self, text: str) -> int:
        """The number of a category, a new one for a new category."""
        return self.listed.setdefault(self.label(text), len(self.listed))

    def encoding(self) -> FeatureEncoding:
        """How the trees use it."""
        if self.is_compared or not (self.is_category or self.listed):
            return FeatureEncoding(self.name, "numeric", "threshold")
        kind = "numeric" if self.data_type in NUMBERS else "categorical"
        return FeatureEncoding(self.name, kind, "subset", tuple(self.listed))


@dataclass(frozen=True)
class Field:
    """What a test names: a column, and whether its numbers are rounded to 32 bits before they are compared."""

    column: Column
    is_narrow: bool


def typed(text: str, data_type: str) -> Value:
    """A text of the file in its type."""
    if data_type in NUMBERS:
        number = finite(text, data_type)
        return int(number) if data_type == "integer" and number == int(number) else number
    if data_type == "boolean":
        if text.lower() not in ("true", "false", "1", "0"):
            refuse(message("'{name}' is no truth value", name=text[:40]))
        return text.lower() in ("true", "1")
    return text


class Dictionary:
    """The fields that a file declares, by their names, and the target of its model."""

    def __init__(self, root: Element, model: Element) -> None:
        """InputError for types that no table here has, and for ways with cells that are not followed."""
        self._declared = {each.need("name"): each for each in root.within("DataDictionary", "DataField")}
        self.fields: dict[str, Field] = {}
        self._unread: dict[str, Element] = {}
        schema = {each.need("name"): each for each in model.within("MiningSchema", "MiningField")}
        targets = [name for name, each in schema.items() if each.get("usageType") in TARGETS]
        self.target = targets[0] if len(targets) == 1 else ""
        named = [name for name, each in schema.items() if each.get("usageType", "active") == "active"]
        if len(named) > MOST_FEATURES or len(self._declared) > MOST_FEATURES:
            refuse(message("it has more than {most:,} features", most=MOST_FEATURES))
        for name in named:
            if name not in self._declared:
                refuse(message("column '{name}' is not declared", name=name[:40]))
            self._add(schema[name], self._declared[name])
        self.columns = [each.column for each in self.fields.values()]
        self.derive(root.within("TransformationDictionary", "DerivedField"))

    def _add(self, used: Element, declared: Element) -> None:
        """A column of the table."""
        name, kind, data_type = used.need("name"), declared.get("optype"), declared.get("dataType")
        if data_type not in TYPES or (kind == "continuous" and data_type not in NUMBERS):
            refuse(message("column '{name}' is of type '{type}'", name=name[:40], type=data_type[:40]))
        used.refuse_other("missingValueTreatment", "asIs", "asMean", "asMode", "asMedian", "asValue")
        used.refuse_other("invalidValueTreatment", "returnInvalid", "asIs", "asMissing")
        used.refuse_other("outliers", "asIs")
        invalid = used.get("invalidValueTreatment", "returnInvalid")
        if invalid == "asMissing" and declared.first("Interval") is not None:
            refuse(message("numbers of column '{name}' outside an interval count as missing", name=name[:40]))
        values = []
        for each in declared.all("Value"):
            text, role = each.need("value"), each.get("property", "valid")
            if role == "missing" and text not in MISSING_MARKERS:
                refuse(
                    message("'{value}' of column '{name}' stands for a missing cell", value=text[:40], name=name[:40])
                )
            if role == "valid":
                values.append(text)
        is_category = kind in ("categorical", "ordinal")
        column = Column(name, len(self.fields), data_type, is_category, kind == "ordinal", values)
        column.replacement = used.get("missingValueReplacement")
        if is_category and values:
            column.hides_unseen, column.refuses_unseen = invalid == "asMissing", invalid == "returnInvalid"
        if is_category:
            for text in values:
                column.code(text)
        self.fields[name] = Field(column, data_type == "float")

    def derive(self, fields: Iterable[Element]) -> None:
        """Add fields that rename a column or change its type; any other is refused once a test names it."""
        for each in fields:
            name, source = each.need("name"), each.first("FieldRef")
            found = self.fields.get(source.get("field")) if source is not None else None
            data_type = each.get("dataType")
            made = None
            if found is None or source is None or source.get("mapMissingTo"):
                pass
            elif found.column.data_type in NUMBERS and data_type in ("float", "double"):
                made = Field(found.column, found.is_narrow or data_type == "float")
            elif data_type == found.column.data_type:
                made = found
            if self.fields.get(name, made) != made:  # each tree of an ensemble may define its own
                refuse(message("column '{name}' is defined twice", name=name[:40]))
            if made is None:
                self._unread[name] = each
            else:
                self.fields[name] = made

    def enter(self, model: Element) -> None:
        """Add the fields that a model defines for itself; InputError where it treats cells in a way of its own."""
        for each in model.within("MiningSchema", "MiningField"):
            found = self.fields.get(each.get("name"))
            own = each.get("missingValueReplacement")
            if own and (found is None or own != found.column.replacement):
                refuse(message("it has {name}='{value}'", name="missingValueReplacement", value=own[:40]))
        self.derive(model.within("LocalTransformations", "DerivedField"))

    def named(self, name: str) -> Field:
        """The field that a test names."""
        if name in self._unread:
            inner = next((each.tag for each in self._unread[name].children), "")
            refuse(message("column '{name}' is worked out by '{way}' before the trees", name=name[:40], way=inner[:40]))
        if name not in self.fields:
            refuse(message("column '{name}' is not declared", name=name[:40]))
        return self.fields[name]

    def classes(self, told: Iterable[str]) -> dict[str, Value]:
        """The classes by their texts: those that the target declares, then those that leaves tell."""
        declared = self._declared.get(self.target)
        data_type = "string" if declared is None else declared.get("dataType", "string")
        values = [] if declared is None else [each.need("value") for each in declared.all("Value")]
        texts = list(dict.fromkeys([*values, *told]))
        if len(texts) > MOST_CLASSES:
            refuse(message("its classes are not different"))
        found = {text: typed(text, data_type if data_type in TYPES else "string") for text in texts}
        if len(set(found.values())) < len(found) or len(found) < 2:
            refuse(message("its classes are not different"))
        return found
