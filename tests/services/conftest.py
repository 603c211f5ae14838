"""A PostgreSQL and a Redis of the tests' own, gone when the tests are done. bin/services knows how to run them."""

import os
import secrets
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.browser.conftest import ROOT, Site, manage


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A process of the site with a database of its own, for whatever is done to it."""
    site = Site(tmp_path)
    site.start()
    yield site
    site.kill()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Service:
    """One of the two servers, in a folder and at a port of its own."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        port = str(free_port())
        self.env = os.environ | {"SERVICES": str(folder), "POSTGRES_PORT": port, "REDIS_PORT": port}

    def start(self) -> str:
        """Its address, the same every time. The test fails where the program cannot be had."""
        return self._do("start").splitlines()[-1].partition("=")[2]

    def stop(self) -> None:
        self._do("stop")

    def _do(self, verb: str) -> str:
        output = self.folder / "output"  # a file, as a server that goes on would keep a pipe open
        with output.open("w") as both:
            command = ["bin/services", verb, self.name]
            done = subprocess.run(command, cwd=ROOT, env=self.env, stdout=both, stderr=both, check=False)
        if done.returncode:
            pytest.fail(output.read_text())
        return output.read_text()


@contextmanager
def running(name: str) -> Iterator[str]:
    """The address of a server for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix=f"{name}-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as somebody else than root, who must find its own folder in here
        service = Service(name, Path(folder))
        try:
            yield service.start()
        finally:
            service.stop()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of its first database."""
    with running("postgres") as address:
        yield address


@pytest.fixture(scope="session")
def new_database(postgres_server: str) -> Callable[[], str]:
    """Makes a database with every table and no row at each call, and gives its address."""
    manage("migrate", DATABASE_URL=postgres_server)

    def make() -> str:
        name = f"test_{secrets.token_hex(4)}"
        with psycopg.connect(postgres_server.removesuffix("postgres") + "template1", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE postgres".encode())
        return postgres_server.removesuffix("postgres") + name

    return make


@pytest.fixture
def postgres(new_database: Callable[[], str]) -> str:
    """The address of a database with every table and no row."""
    return new_database()


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    """The address of a Redis that keeps nothing."""
    with running("redis") as address:
        yield address
