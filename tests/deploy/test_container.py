"""The image: what it copies exists, what it runs as, and that the app starts from it and writes nothing to it."""

import re
import socket
import subprocess
import time
from pathlib import Path

import pytest

from tests.deploy.container import Container, arguments_of, instructions
from tests.folders import ROOT

DEPLOY = ROOT / "deploy"


def test_every_copied_path_exists_and_is_let_through_to_the_builder() -> None:
    admitted = {line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line[:1] == "!"}
    copied = {path.removeprefix("./") for line in arguments_of("COPY") for path in line.split()[:-1]}
    assert copied == admitted
    assert all((ROOT / path).exists() for path in copied)


def test_it_runs_as_a_user_without_rights_and_asks_for_its_health() -> None:
    names = [step.name for step in instructions()]
    assert arguments_of("USER") == ["explorer"]
    assert names.index("USER") < names.index("CMD")
    assert len(arguments_of("HEALTHCHECK")) == 1


def test_compose_keeps_the_container_read_only_and_shares_the_uploads() -> None:
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    app = text[text.index("\n  app:") : text.index("\nvolumes:")]
    assert "read_only: true" in app
    assert 'volumes: ["uploads:/uploads"]' in app
    assert "cap_drop: [ALL]" in app
    assert "cookie PROCESS insert" in (DEPLOY / "haproxy.cfg").read_text("utf-8")


def test_every_setting_is_told_in_the_guide() -> None:
    guide = (ROOT / "docs" / "deployment.md").read_text("utf-8")
    sources = [*(ROOT / "pages").rglob("*.py"), *DEPLOY.iterdir()]
    names = {name for path in sources for name in re.findall(r"\bEXPLORER_[A-Z_]+\b", path.read_text("utf-8"))}
    assert names, "the app reads settings from its environment"
    assert names == set(re.findall(r"\bEXPLORER_[A-Z_]+\b", guide))


@pytest.mark.slow
def test_the_app_starts_from_the_steps_of_the_image_and_writes_nothing_to_it(tmp_path: Path) -> None:
    container = Container(tmp_path)
    container.build()
    before, port = container.files(), _free_port()
    environment = {**container.environment, "PORT": str(port), "ADDRESS": "127.0.0.1", "HOME": str(tmp_path / "tmp")}
    start, health = container.command(arguments_of("CMD")[0]), container.command(arguments_of("HEALTHCHECK")[0])
    server = subprocess.Popen(start, cwd=container.app, env=environment, stdout=subprocess.DEVNULL)
    try:
        assert _is_healthy(health, container.app, environment)
        assert _compiled_anew(container.app, environment) == 0
    finally:
        server.terminate()
        server.wait(timeout=20)
    assert container.files() == before


def _is_healthy(command: list[str], folder: Path, environment: dict[str, str]) -> bool:
    """Whether the health check passes within a minute."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        done = subprocess.run(command, cwd=folder, env=environment, stderr=subprocess.DEVNULL, check=False)
        if done.returncode == 0:
            return True
        time.sleep(0.5)
    return False


def _compiled_anew(folder: Path, environment: dict[str, str]) -> int:
    """How many loops a first tree compiles although the image has them."""
    cache = Path(environment["NUMBA_CACHE_DIR"])
    before = len(list(cache.rglob("*.nbc")))
    subprocess.run(["python", "-c", "import explorer; explorer.warm_up()"], cwd=folder, env=environment, check=True)
    return len(list(cache.rglob("*.nbc"))) - before


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
