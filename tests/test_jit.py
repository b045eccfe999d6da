"""The cache of compiled loops: what a change of one module makes stale."""

from explorer.jit import stamps_of

SOURCES = {
    "explorer.a": "from explorer.b import f",
    "explorer.b": "    from explorer.c import g",
    "explorer.c": "def g(): pass",
    "explorer.apart": "from explorer.c.d import h\nimport explorer",
}


def stale_after(name: str, text: str) -> set[str]:
    before, after = stamps_of(SOURCES), stamps_of({**SOURCES, name: text})
    return {module for module in before if before[module] != after[module]}


def test_a_change_reaches_what_imports_the_module_however_far():
    assert stale_after("explorer.c", "def g(): return 1") == {"explorer.a", "explorer.b", "explorer.c"}


def test_a_change_leaves_what_does_not_import_the_module():
    assert stale_after("explorer.a", "") == {"explorer.a"}
    assert stale_after("explorer.apart", "x = 1") == {"explorer.apart"}


def test_modules_that_import_each_other_are_stale_together():
    circle = {"explorer.a": "from explorer.b import f", "explorer.b": "from explorer.a import f"}
    before, after = stamps_of(circle), stamps_of({**circle, "explorer.a": "from explorer.b import f\n"})
    assert all(before[name] != after[name] for name in circle)
