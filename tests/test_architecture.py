"""The house rules that no single test would notice: who imports whom, how long a file is, what no text mentions."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LONGEST_FILE = 350
FACADE = "tree.py"  # its methods (predict, to_dict) call the modules below it when they run, not when it loads


def python_files(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [*sorted(ROOT.glob("*.py")), *found]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def reading_order() -> list[str]:
    """The modules as the README lists them: files, and folders with a slash at the end."""
    section = (ROOT / "README.md").read_text("utf-8").split("## The modules, in reading order")[1].split("\n## ")[0]
    return re.findall(r"^\| `([\w./]+)` \|", section, re.MULTILINE)


ORDER = reading_order()
EXPLORER = [path for path in python_files("explorer") if path.is_relative_to(ROOT / "explorer")]
MODULES = [path for path in EXPLORER if path != ROOT / "explorer" / "__init__.py"]


def place(module: str) -> int:
    """The line of the reading order that a path below explorer/ belongs to; the package itself comes last."""
    lines = (i for i, entry in enumerate(ORDER) if module == entry or (entry[-1] == "/" and module.startswith(entry)))
    return next(lines, len(ORDER))


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(node: ast.AST, inside_functions: bool) -> Iterator[str]:
    """Names of the modules imported under a node, without those for type checkers only."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom):
            yield child.module or ""
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        elif isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif not is_type_checking(child) and (inside_functions or not isinstance(child, ast.FunctionDef)):
            yield from imports(child, inside_functions)


def imports_of(path: Path, inside_functions: bool = True) -> set[str]:
    return set(imports(ast.parse(path.read_text("utf-8")), inside_functions))


def as_path(module: str) -> str | None:
    """The path below explorer/ of a module of the package; None for anything else."""
    parts = module.split(".")
    if parts[0] != "explorer" or len(parts) == 1:
        return None
    below = "/".join(parts[1:])
    for candidate in (f"{below}.py", f"{below}/__init__.py"):
        if (ROOT / "explorer" / candidate).is_file():
            return candidate
    return None


def test_the_reading_order_lists_every_module_once():
    assert len(ORDER) == len(set(ORDER)) > 10
    assert all((ROOT / "explorer" / entry).exists() for entry in ORDER)
    unlisted = [p.name for p in MODULES if not any(p.is_relative_to(ROOT / "explorer" / entry) for entry in ORDER)]
    assert unlisted == []


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_imports_point_up_the_reading_order(path: Path):
    own = place(path.relative_to(ROOT / "explorer").as_posix())
    used = [as_path(module) for module in imports_of(path, inside_functions=path.name != FACADE)]
    below = {name for name in used if name and place(name) > own}
    assert below == set()


@pytest.mark.parametrize("path", EXPLORER, ids=relative)
def test_the_package_knows_no_page(path: Path):
    roots = {module.split(".")[0] for module in imports_of(path)}
    assert not roots & {"streamlit", "pages", "tests", "app"}


@pytest.mark.parametrize("path", EXPLORER, ids=relative)
def test_every_module_says_what_it_is(path: Path):
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


@pytest.mark.parametrize("path", python_files("explorer", "pages", "tests"), ids=relative)
def test_no_file_is_long(path: Path):
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST_FILE


FORBIDDEN = {
    "../" + "shared": "a folder outside the repository",
    "/work/" + "shared": "a folder outside the repository",
    "unsafe_allow" + "_html": "HTML from data",
    "except " + "Exception": "an error that is not understood",
}


def texts() -> list[Path]:
    names = ["*.py", "*.md", "*.toml", "*.txt", "*.js", "*.css"]
    found = [path for name in names for path in ROOT.rglob(name)]
    kept = [path for path in found if not any(part.startswith((".venv", "__pycache__")) for part in path.parts)]
    return [*kept, ROOT / ".ci" / "run"]


def test_no_text_holds_what_it_should_not():
    found = [
        f"{relative(path)}: {what}"
        for path in texts()
        for phrase, what in FORBIDDEN.items()
        if phrase in path.read_text("utf-8", errors="replace")
    ]
    assert found == []
