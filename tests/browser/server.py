"""The app's server and the browser, started for tests and benchmarks alike."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.folders import ROOT

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"]


def chromium() -> str | None:
    """Where Chromium is, if it is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Server:
    """A server of the app on a free port, which it keeps when it is killed and started again."""

    def __init__(self, prefix: str = "", environment: Mapping[str, str] | None = None) -> None:
        """Start the server, its addresses under a prefix, with more variables in its environment."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self._command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
        self._command += ["--server.headless", "true", "--server.address", "127.0.0.1"]
        self._command += ["--server.baseUrlPath", prefix]
        self._environment = {**os.environ, **(environment or {})}
        self.address = f"http://127.0.0.1:{port}/{prefix}".rstrip("/")
        self.start()

    def start(self) -> None:
        """Start it, for the first time or again."""
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(self._command, cwd=ROOT, env=self._environment, stdout=quiet, stderr=quiet)
        _wait_until_healthy(self.address, self._process)

    @property
    def pid(self) -> int:
        """The id of its process."""
        return self._process.pid

    def kill(self) -> None:
        """End it at once, as a system does that is out of memory."""
        self._process.kill()
        self._process.wait(timeout=20)

    def stop(self) -> None:
        """End it in order, or at once where long work keeps it."""
        self._process.terminate()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.kill()


@contextmanager
def running_app(prefix: str = "") -> Iterator[str]:
    """A server of the app on a free port, ended after the block; gives its address, which may have a prefix."""
    with running_server(prefix) as server:
        yield server.address


@contextmanager
def running_server(prefix: str = "", environment: Mapping[str, str] | None = None) -> Iterator[Server]:
    """The same, with the server itself."""
    server = Server(prefix, environment)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def proxy(folder: Path, servers: Sequence[Server]) -> Iterator[str]:
    """The proxy with the configuration of `deploy/`, but for its port and the addresses of the processes."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    lines = (ROOT / "deploy" / "haproxy.cfg").read_text("utf-8")
    named = "\n".join(
        f"    server app{number} {server.address.removeprefix('http://')} check inter 1s"
        for number, server in enumerate(servers)
    )
    text = re.sub(r"(?m)^ *server-template .*$", named, lines).replace("bind :8501", f"bind 127.0.0.1:{port}")
    text = re.sub(r"(?ms)^resolvers.*?\n\n", "", text)
    (folder / "haproxy.cfg").write_text(text, "utf-8")
    running = subprocess.Popen(["haproxy", "-f", str(folder / "haproxy.cfg")], stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait(timeout=20)


def _wait_until_healthy(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if server.poll() is not None:
            raise RuntimeError("the app's server ended before it answered")
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise RuntimeError("the app's server did not answer within a minute")
