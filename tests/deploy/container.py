"""The steps of the Dockerfile, carried out in a folder that stands for the container's."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.folders import ROOT

DOCKERFILE = ROOT / "deploy" / "Dockerfile"


@dataclass(frozen=True)
class Instruction:
    """One instruction of a Dockerfile: its name in capitals, and its arguments as one line."""

    name: str
    arguments: str


def instructions() -> list[Instruction]:
    """The instructions of the Dockerfile in order, without comments."""
    lines = [line for line in DOCKERFILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [Instruction(*line.split(maxsplit=1)) for line in joined.splitlines()]


def arguments_of(name: str) -> list[str]:
    """The arguments of every instruction of this name."""
    return [step.arguments for step in instructions() if step.name == name]


@dataclass
class Container:
    """A folder in the place of /app, a folder for uploads and one for temporary files, and the environment so far."""

    folder: Path
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": _path_with_python(), "HOME": "/nonexistent"})

    @property
    def app(self) -> Path:
        """The folder of the app."""
        return self.folder / "app"

    def build(self) -> None:
        """Carry out the steps that make the image; packages are those of the running interpreter."""
        self.app.mkdir(parents=True)
        for name in ("tmp", "uploads"):
            (self.folder / name).mkdir()
        for step in instructions():
            if step.name == "COPY":
                self._copy(shlex.split(step.arguments))
            elif step.name == "ENV":
                pairs = (pair.partition("=")[::2] for pair in shlex.split(self._here(step.arguments)))
                self.environment.update(pairs)
            elif step.name == "RUN" and "explorer.warm_up" in step.arguments:
                self._keep_one_task()
                self._run(step.arguments)

    def command(self, arguments: str) -> list[str]:
        """A command in the form of a list, such as CMD has."""
        return re.findall(r'"([^"]*)"', arguments)

    def files(self) -> dict[str, tuple[int, int]]:
        """Every file of the app's folder, with its size and the time of its last change."""
        stats = ((path, path.stat()) for path in sorted(self.app.rglob("*")) if path.is_file())
        return {str(path.relative_to(self.app)): (stat.st_size, stat.st_mtime_ns) for path, stat in stats}

    def _copy(self, paths: list[str]) -> None:
        """Copy sources of the repository; a folder's content goes into the target."""
        *sources, target = paths
        for source in sources:
            origin, place = ROOT / source, self.app / target
            if origin.is_dir():
                shutil.copytree(origin, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                place = place / origin.name if target.endswith("/") else place
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(origin, place)

    def _keep_one_task(self) -> None:
        """Leave out most of what is compiled ahead: the rest takes two minutes, and is compiled and found alike."""
        path = self.app / "explorer" / "compiling.py"
        tasks = re.compile(r"^IN_ORDER_OF_NEED = \(.*?^\)", re.MULTILINE | re.DOTALL)
        text, changed = tasks.subn("IN_ORDER_OF_NEED = (RAISING,)", path.read_text("utf-8"))
        assert changed == 1
        path.write_text(text, "utf-8")

    def _run(self, line: str) -> None:
        subprocess.run(["sh", "-c", self._here(line)], cwd=self.app, env=self.environment, check=True)

    def _here(self, text: str) -> str:
        """The text with the container's folders replaced by those that stand for them."""
        return re.sub(r"(?<![\w/])/(app|tmp|uploads)\b", rf"{self.folder}/\1", text)


def _path_with_python() -> str:
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
