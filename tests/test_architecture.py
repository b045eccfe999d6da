"""The house rules that no single test would notice, one test a rule; docs/architecture.md is the same in words."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tests.folders import ROOT
from tests.oracles.python_text import contents, contents_of

LONGEST_FILE = 500
MOST_FILES = 18
TOP_LEVEL = {
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "app.py", "pyproject.toml", "requirements.txt"),
    "requirements",
    *("explorer", "pages", "tests", "docs", "examples", "deploy", "findings"),
    *(".ci", ".git", ".gitignore", ".pre-commit-config.yaml", ".streamlit"),
}
"""What may stand at the top; tools add their own folders, which .gitignore names."""

LEAVES = {
    "as_written.py",
    "compiling.py",
    "errors.py",
    "formatting.py",
    "jit.py",
    "jit_parts.py",
    "json_text.py",
    "memory.py",
    "plain_fields.py",
    "ranges.py",
    "scratch.py",
    "threads.py",
    "values.py",
    "messages",
}
PACKAGES = (
    *("data", "sources", "recipe", "candidates", "tree", "foreign", "growing", "optimal"),
    *("pruning", "evaluation", "explaining", "drawing", "export", "ensembles"),
)
"""The packages of explorer/ in reading order: each may import the leaves and the packages before it."""
ABOVE_THEM = {"sklearn_api.py", "compile_ahead.py", "compile_tasks.py", "__init__.py", "__main__.py", "commands"}
SUBPACKAGES = {
    "growing/engine",
    "growing/from_counts",
    "growing/plain",
    "growing/scans",
    "pruning/cost_complexity",
    "pruning/raising",
    "evaluation/comparison",
    "evaluation/deciding",
    "explaining/exercises",
    "explaining/formulas",
    "explaining/rules",
    "drawing/drawn_table",
    "drawing/ensemble_view",
    "drawing/figures",
    "drawing/pictures",
    "drawing/svg",
    "drawing/tree_view",
    "ensembles/boosting",
    "ensembles/formulas",
    "ensembles/picture",
    "ensembles/report",
    "ensembles/stability",
    "export/office",
    "foreign/h2o_files",
    "foreign/onnx_files",
    "foreign/r_files",
    "foreign/weka_text",
    "foreign/spark_files",
    "foreign/ydf_files",
    "foreign/pmml_files",
    "export/report",
    "data/codes",
    "data/formats",
    "data/samples",
    "data/suggestions",
    "data/text",
    "sources/blocks",
    "sources/encoding",
    "sources/mapped",
    "sources/origins",
    "sources/sql",
}
LAZY = {("explorer.tree.tree", "explorer.drawing.svg.svg")}
"""Imports inside functions that would close a circle: only `Tree._repr_svg_`, by which a notebook shows a tree."""

NOT_PUBLIC = {
    "numba.core": {"explorer.jit_parts"},
    "llvmlite": {"explorer.jit", "explorer.jit_parts"},
    "streamlit.runtime": {"pages.settings.session", "pages.results.memory.sessions"},
}
"""Parts of libraries that may change with any version, and the modules that alone use them."""

PAGE_LAYERS = ("text.py", "settings", "results", "uploads", "widgets", "layout")
"""What the pages share, each importing only what stands before it."""
PAGE_FOLDERS = ("data", "grow", "prune", "evaluate", "rules", "predict", "compare", "ensembles", "learn")
PAGE_GUESTS = {
    ("compare", "grow"),
    ("ensembles", "grow"),
    ("ensembles", "evaluate"),
    ("learn", "grow"),
    ("learn", "data"),
}
"""A page folder is used by nobody else, but for these."""


def python_files(*folders: str) -> list[Path]:
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    return [path for path in found if "node_modules" not in path.parts]


def dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {dotted(path): path for path in python_files("explorer", "pages", "tests")}


@cache
def imports_of(module: str) -> frozenset[str]:
    """The modules that a module imports: its own by their dotted names, foreign ones by their first part."""
    used = set()
    for source, name in contents(MODULES[module]).imports:
        inside = f"{source}.{name}" if f"{source}.{name}" in MODULES else source
        used.add(inside if inside in MODULES else source.split(".")[0])
    return frozenset(used - {module})


def graph(*roots: str) -> dict[str, set[str]]:
    """Modules below some folders with the modules of these that they import."""
    nodes = {module for module in MODULES if module.split(".")[0] in roots}
    return {module: set(imports_of(module)) & nodes for module in nodes}


def circle_in(edges: Mapping[str, set[str]]) -> list[str]:
    """The nodes left when all that lead nowhere are taken away again and again: empty without a circle."""
    left = {node: set(targets) for node, targets in edges.items()}
    while True:
        ends = {node for node, targets in left.items() if not targets & left.keys()}
        if not ends:
            return sorted(left)
        left = {node: targets for node, targets in left.items() if node not in ends}


def room(module: str) -> str:
    """The folder of a module below explorer/, or its file where it stands at the top."""
    path = MODULES[module].relative_to(ROOT / "explorer")
    return path.parent.as_posix() if path.parent != Path() else path.name


def package(module: str) -> str:
    """The package of explorer/ that a module belongs to, or its file at the top."""
    return room(module).split("/")[0]


def folder_of(module: str) -> str:
    """The folder of a module, or its file where it stands directly in explorer/ or pages/."""
    path = MODULES[module].relative_to(ROOT)
    return path.parent.as_posix() if len(path.parts) > 2 else path.as_posix()


def test_only_known_names_stand_at_the_top():
    ignored = {line.strip().rstrip("/") for line in (ROOT / ".gitignore").read_text("utf-8").splitlines()}
    found = {path.name for path in ROOT.iterdir()} - ignored
    assert {name for name in found if not name.endswith(".egg-info")} <= TOP_LEVEL


def test_the_packages_of_explorer_are_those_listed():
    explorer = ROOT / "explorer"
    folders = {path.name for path in explorer.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(PACKAGES) | {"messages", "commands"}
    assert {path.name for path in explorer.glob("*.py")} | {"messages", "commands"} == LEAVES | ABOVE_THEM
    inner = {path.parent.relative_to(explorer).as_posix() for path in explorer.glob("*/*/__init__.py")}
    assert inner == SUBPACKAGES


def test_a_package_imports_only_packages_before_it():
    wrong = []
    for module, used in graph("explorer").items():
        own = package(module)
        if own in ABOVE_THEM:
            continue
        before = PACKAGES[: PACKAGES.index(own) + 1] if own in PACKAGES else ()
        allowed = {*LEAVES, *before}
        wrong += [
            f"{module} → {other}" for other in used if package(other) not in allowed and (module, other) not in LAZY
        ]
    assert wrong == []


def test_imports_inside_functions_and_for_type_checkers_count():
    text = "if TYPE_CHECKING:\n    from explorer.tree.tree import Tree\ndef f():\n    import explorer.jit\n"
    assert set(contents_of(text).imports) == {("explorer.tree.tree", "Tree"), ("explorer.jit", "")}
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": set()}) == ["a", "b", "c"]


def test_there_is_no_circle_of_modules():
    edges = graph("explorer", "pages")
    for module, other in LAZY:
        edges[module].discard(other)
    assert circle_in(edges) == []


def test_there_is_no_circle_of_folders():
    """The face of a package, its __init__.py, stands above the folders below it: it names what they offer."""
    faces = {module for module, path in MODULES.items() if path.name == "__init__.py"}
    rooms: dict[str, set[str]] = {}
    for module, used in graph("explorer", "pages").items():
        if module not in faces:
            others = {folder_of(other) for other in used - faces if (module, other) not in LAZY}
            rooms.setdefault(folder_of(module), set()).update(others - {folder_of(module)})
    assert circle_in(rooms) == []


def test_only_growing_imports_the_compiled_loops():
    users = {
        package(module)
        for module, used in graph("explorer").items()
        for other in used
        if room(other) in ("growing/engine", "growing/plain", "growing/scans")
    }
    assert users == {"growing"}
    loops = ("explorer.growing.engine", "explorer.growing.plain", "explorer.growing.scans")
    assert not [module for module in graph("pages") for other in imports_of(module) if other.startswith(loops)]


def test_no_oracle_imports_the_compiled_loops():
    """What the loops are held against is the readable layer, `explorer/candidates`, or the oracle's own arithmetic."""
    loops = ("explorer.growing.engine", "explorer.growing.plain", "explorer.growing.scans")
    oracles = [module for module in graph("tests") if module.startswith("tests.oracles")]
    assert oracles
    assert [module for module in oracles for other in imports_of(module) if other.startswith(loops)] == []


def test_what_is_not_public_of_a_library_is_used_where_it_is_named():
    users: dict[str, set[str]] = {part: set() for part in NOT_PUBLIC}
    for module in graph("explorer", "pages"):
        names = [f"{source}.{name}." for source, name in contents(MODULES[module]).imports]
        for part in NOT_PUBLIC:
            if any(name.startswith(f"{part}.") for name in names):
                users[part].add(module)
    assert users == NOT_PUBLIC


def test_explorer_knows_no_page():
    foreign = {"streamlit", "pages", "tests", "app"}
    assert [
        module for module in graph("explorer") if {name.split(".")[0] for name in imports_of(module)} & foreign
    ] == []


def test_pages_import_in_one_direction():
    def layer(module: str) -> str:
        return module.split(".")[1] + ".py" * (len(module.split(".")) == 2 and MODULES[module].name != "__init__.py")

    wrong = []
    for module, used in graph("pages").items():
        own = layer(module) if "." in module else ""
        for other in used:
            their = layer(other) if "." in other else ""
            if own in PAGE_LAYERS:
                fits = their in PAGE_LAYERS[: PAGE_LAYERS.index(own) + 1]
            else:
                fits = their in PAGE_LAYERS or their == own or (own, their) in PAGE_GUESTS
            wrong += [] if fits else [f"{module} → {other}"]
    assert wrong == []


def test_every_page_has_a_folder_with_its_script():
    folders = {path.parent.name for path in (ROOT / "pages").glob("*/page.py")}
    assert folders == set(PAGE_FOLDERS)
    first_visits = {f"_{name}.py" for name in PAGE_FOLDERS}
    own = {path.name for path in (ROOT / "pages").iterdir() if path.is_file()}
    assert own == {"__init__.py", "text.py"} | first_visits, "see pages/settings/first_visit.py"


def test_every_module_says_what_it_is():
    assert [module for module in graph("explorer", "pages") if not contents(MODULES[module]).docstring] == []


def test_every_folder_has_one_sentence():
    """Of several, the first is the folder's rule; it ends with a full stop or before a further explanation."""
    faces = [path for path in python_files("explorer", "pages") if path.name == "__init__.py"]
    first = {path: contents(path).docstring.split("\n")[0] for path in faces}
    assert [path.as_posix() for path, line in first.items() if not line.endswith(".")] == []


def source_files(*folders: str) -> list[Path]:
    names = ("*.py", "*.js", "*.css")
    found = (path for folder in folders for name in names for path in (ROOT / folder).rglob(name))
    return sorted(path for path in found if "node_modules" not in path.parts)


def test_no_file_is_long():
    long = {path.name: len(path.read_text("utf-8").splitlines()) for path in source_files("explorer", "pages", "tests")}
    assert {name: lines for name, lines in long.items() if lines > LONGEST_FILE} == {}


def test_no_folder_is_crowded():
    folders: dict[str, int] = {}
    for path in source_files("explorer", "pages"):
        folder = path.parent.relative_to(ROOT).as_posix()
        folders[folder] = folders.get(folder, 0) + 1
    assert {folder: files for folder, files in folders.items() if files > MOST_FILES} == {}


def test_no_test_imports_from_a_test():
    tests = {
        module
        for module, path in MODULES.items()
        if path.name.startswith("test_") and path.is_relative_to(ROOT / "tests")
    }
    assert [f"{module} → {other}" for module in graph("tests") for other in imports_of(module) & tests] == []


def test_the_architecture_lists_the_packages_in_order():
    section = (ROOT / "docs" / "architecture.md").read_text("utf-8").split("## The packages")[1].split("\n## ")[0]
    assert tuple(re.findall(r"^\| `explorer/(\w+)/?` \|", section, re.MULTILINE)) == PACKAGES


def test_the_diagram_of_the_architecture_draws_the_imports():
    """Every arrow is an import that exists, and every import follows from the arrows."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    drawn: dict[str, set[str]] = {name: set() for name in PACKAGES}
    for source, target in re.findall(r"^ +(\w+) --> (\w+)$", text, re.MULTILINE):
        drawn[source].add(target)
    imported: dict[str, set[str]] = {name: set() for name in PACKAGES}
    for module, used in graph("explorer").items():
        others = {package(other) for other in used if (module, other) not in LAZY}
        imported.setdefault(package(module), set()).update(others & set(PACKAGES) - {package(module)})
    assert [name for name in PACKAGES if not drawn[name] <= imported[name]] == []
    below: dict[str, set[str]] = {}
    for name in PACKAGES:
        below[name] = drawn[name].union(*(below[target] for target in drawn[name]))
    assert [name for name in PACKAGES if not imported[name] <= below[name]] == []


FORBIDDEN = {
    "../" + "shared": "a folder outside the repository",
    "/work/" + "shared": "a folder outside the repository",
    "unsafe_allow" + "_html": "HTML from data",
    "except " + "Exception": "an error that is not understood",
}


def texts() -> list[Path]:
    names = ("*.py", "*.md", "*.toml", "*.txt", "*.js", "*.css", "*.yaml", "*.yml")
    found = [path for name in names for path in ROOT.rglob(name)]
    foreign = (".venv", "__pycache__", "node_modules")
    kept = [path for path in found if not any(part.startswith(foreign) for part in path.parts)]
    return [*kept, ROOT / ".ci" / "run"]


def test_what_a_program_reads_is_not_built_from_translated_words():
    """In Chinese, `listing` joins names by another sign, which no SQL, CSS, JSON or file name may depend on."""
    bad = 'def f(names):\n    listed = listing(names)\n    return f"SELECT {listed} FROM t"\n'
    assert contents_of(bad).machine_texts == ((3, "SELECT \0 FROM t"),)
    found = {
        (module, *text)
        for module, path in MODULES.items()
        if module.startswith(("explorer", "pages"))
        for text in contents(path).machine_texts
    }
    assert found == set()


def test_no_text_holds_what_it_should_not():
    found = [
        f"{path.relative_to(ROOT)}: {what}"
        for path in texts()
        for phrase, what in FORBIDDEN.items()
        if phrase in path.read_text("utf-8", errors="replace")
    ]
    assert found == []
