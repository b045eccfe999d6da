"""What stands on a page in no translation, in a language that puts brackets around all that it translates."""

import re

import explorer as ex

NEVER_TRANSLATED = {
    *(
        "ID",
        "C",
        "CART",
        "CF",
        "MDL",
        "AUC",
        "MSE",
        "CSV",
        "LogWorth",
        "JSON",
        "SVG",
        "PDF",
        "PowerPoint",
        "Excel",
        "PNG",
        "DOT",
        "SQL",
        "Python",
        "JavaScript",
        "ONNX",
        "CatBoost",
        "LightGBM",
        "XGBoost",
        "skops",
        "PMML",
        "Spark",
        "ML",
        "YDF",
        "H",
        "O",
        "Weka",
        "J",
        "REPTree",
        "R",
        "rpart",
        "randomForest",
        "ranger",
        "C",
        "Markdown",
    ),
    *(
        "LogWorth",
        "Graphviz",
        "XLSX",
        "Parquet",
        "TSV",
        "HTML",
        "LaTeX",
        "log",
        "gain",
        "scikit",
        "learn",
        "URL",
        "https",
    ),
    *(
        "A",
        "B",
        "C",
        "D",
        "H",
        "R",
        "T",
        "g",
        "t",
        "p",
        "df",
        "x",
        "y",
        "n",
        "K",
        "e",
        "SSE",
        "ȳ",
        "kB",
        "MB",
        "s",
        "ms",
    ),
    *("English", "简体中文"),
}
"""Names of algorithms, file formats and languages, and signs of mathematics."""
_MATH = re.compile(r"\$\$?.*?\$\$?|(?<=\]\()learn\?\S+|:material/\w+:|:[\w-]+(?=\[)|`[^`]*`", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+")
_KINDS = ("markdown", "caption", "subheader", "header", "info", "warning", "error", "success")
_WIDGETS = (
    *("button", "checkbox", "toggle", "selectbox", "radio", "multiselect", "number_input", "text_input", "text_area"),
    *("slider", "select_slider", "segmented_control", "pills", "color_picker", "file_uploader", "download_button"),
)


def without_brackets(text):
    """What stands outside of all brackets."""
    depth, kept = 0, []
    for letter in text:
        depth += letter == "⟦"
        if depth == 0:
            kept.append(letter)
        depth -= letter == "⟧"
    return "".join(kept)


def shown(app):
    """Every text on the page, with what shows it."""
    for kind in _KINDS:
        yield from ((kind, element.value) for element in app.get(kind) if hasattr(element, "value"))
    for kind in _WIDGETS:
        for widget in app.get(kind):
            proto = widget.proto
            for name in ("label", "help", "placeholder"):
                yield f"{kind} {name}", getattr(proto, name, "") or ""
            for option in getattr(proto, "options", ()):
                yield f"{kind} option", option if isinstance(option, str) else getattr(option, "content", "")
    yield from (("tab", each.label) for each in app.tabs)
    yield from (("expander", each.label) for each in app.expander)
    for block in app.get("popover"):
        yield "popover", block.proto.popover.label
        yield "popover help", block.proto.popover.help


def names_of_data(app):
    """The words of the table in use: columns, cells, classes, and what the table is called."""
    settings = app.session_state["settings"]
    sample = ex.SAMPLES[settings.sample]
    frame = ex.load_sample(settings.sample).frame
    cells = {str(cell) for name in frame.columns for cell in frame[name].dropna().unique()[:50]}
    texts = " ".join([*map(str, frame.columns), *cells, sample.title, sample.target, settings.sample])
    return set(_WORD.findall(texts))


def untranslated(app):
    """Words outside of brackets that nobody has excused, with what shows them."""
    known = NEVER_TRANSLATED | names_of_data(app)
    left = set()
    for kind, text in shown(app):
        plain = _MATH.sub(" ", without_brackets(text.replace("\\", "")))
        words = (word.rstrip("₀₁₂₃₄₅₆₇₈₉") for word in _WORD.findall(plain))
        left |= {(word, kind, text[:80]) for word in words if word not in known}
    return left
