"""How the tests run: markers by folder, workers, how many examples a law gets, and a line on what was left out."""

import gc
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

pytest.register_assert_rewrite("tests.oracles")

HERE = Path(__file__).parent
MARKER_OF_FOLDER = {"pages": "app", "browser": "browser"}
DEFAULT_SELECTION = "not slow"
"""What `addopts` in pyproject.toml selects by -m."""

os.environ["EXPLORER_UPLOADS"] = tempfile.mkdtemp(prefix="uploads-of-tests-")  # before any server starts
in_ci = os.environ.get("CI") == "true"  # there the same examples every time
untimed = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}  # a busy machine fails no law
settings.register_profile("fast", derandomize=in_ci, max_examples=10, **untimed)
settings.register_profile("full", derandomize=in_ci, max_examples=100, **untimed)
settings.load_profile("fast")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.markexpr == DEFAULT_SELECTION and any(
        "::" in arg or "tests/browser" in arg for arg in config.args
    ):
        config.option.markexpr = ""  # what is asked for by its name runs, slow or not
    config.pluginmanager.register(LeftOut(config), "left-out")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A worker for each core; none for one file or tests by name, which are done before workers have started."""
    files = {name.split("::")[0] for name in config.args}
    return 0 if len(files) == 1 and files.pop().endswith((".py", ".md")) else min(os.cpu_count() or 1, 8)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        folder = item.path.relative_to(HERE).parts[0] if item.path.is_relative_to(HERE) else ""
        if folder in MARKER_OF_FOLDER:
            item.add_marker(MARKER_OF_FOLDER[folder])
        if folder == "browser" and not item.get_closest_marker("journey"):
            item.add_marker("slow")
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("law")


def pytest_collection_finish() -> None:
    """Ten thousand tests and all modules stay to the end: the garbage collector need not look through them again."""
    gc.collect()
    gc.freeze()


class LeftOut:
    """Counts in every worker what a run leaves out, and says so at its end."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.counts = {"slow": 0, "browser": 0, "laws": 0}

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        slow = [item for item in items if item.get_closest_marker("slow")]
        self.counts["slow"] += len(slow)
        self.counts["browser"] += sum(item.get_closest_marker("browser") is not None for item in slow)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if settings.get_current_profile_name() == "fast":
            self.counts["laws"] = sum(item.get_closest_marker("law") is not None for item in session.items)

    def pytest_sessionfinish(self) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["left out"] = self.counts

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node) -> None:
        self.counts = getattr(node, "workeroutput", {}).get("left out", self.counts)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        slow, browser, laws = self.counts["slow"], self.counts["browser"], self.counts["laws"]
        parts = [f"{slow} slow tests" + f" ({browser} in the browser)" * (browser > 0)] * (slow > 0)
        parts += [f"nine tenths of the examples of {laws} laws"] * (laws > 0)
        if parts:
            command = 'run them with: -m "slow or law" --hypothesis-profile=full'
            terminalreporter.write_line(f"left out: {' and '.join(parts)} ({command})")
        skipped = [report.nodeid for report in terminalreporter.stats.get("skipped", [])]
        browser = sum(name.startswith("tests/browser/") for name in skipped)
        if browser:
            reason = "Chromium is not installed, get it with: apt install chromium"
            terminalreporter.write_line(f"left out: {browser} browser tests ({reason})")
