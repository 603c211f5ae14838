"""A PostgreSQL and a Redis of the tests' own, from Debian's packages, gone when the tests are done."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser.conftest import PATIENCE

DEBIANS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))  # not on the PATH there


def program(name: str) -> str:
    """Where a program is; the test fails where it is not."""
    found = shutil.which(name, path=os.pathsep.join([os.environ["PATH"], *map(str, DEBIANS)]))
    if found is None:
        pytest.fail(f"needs {name}; bin/test installs it on Debian, as root")
    return found


@contextmanager
def serving(command: list[str], port: int, folder: Path) -> Iterator[None]:
    """Run a server until it is not needed any more."""
    log = folder / "log"
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output)
    try:
        deadline = time.monotonic() + PATIENCE
        while not _answers(port):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of an empty database."""
    initdb, server = program("initdb"), program("postgres")
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="postgres-") as name:
        folder = Path(name)
        nobody_special: list[str] = []
        if os.geteuid() == 0:  # as whom PostgreSQL refuses to run
            shutil.chown(folder, "postgres", "postgres")
            nobody_special = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        data = str(folder / "data")
        made = [*nobody_special, initdb, "--auth=trust", "--username=lilypad", "--encoding=UTF8", "--no-sync", data]
        subprocess.run(made, cwd=folder, check=True, capture_output=True)
        options = [f"-cport={port}", "-clisten_addresses=127.0.0.1", f"-cunix_socket_directories={folder}"]
        with serving([*nobody_special, server, "-D", data, *options], port, folder):
            yield f"postgres://lilypad@127.0.0.1:{port}/postgres"


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    """The address of a Redis that keeps nothing."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="redis-") as name:
        command = [program("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", name]
        with serving(command, port, Path(name)):
            yield f"redis://127.0.0.1:{port}/0"
