"""A real server with a database of its own, and Debian's Chromium to look at it."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connections
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

ROOT = Path(__file__).parents[2]
PATIENCE = 20  # seconds a server may take to start or stop


def manage(*arguments: str, **env: str) -> str:
    """Run a manage.py command; give what it prints."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | env, check=True, capture_output=True, text=True)
    return done.stdout


@cache
def empty() -> bytes:
    """A database of SQLite with every table and no row."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "empty.sqlite3"
        manage("migrate", DATABASE_URL=f"sqlite:///{file}")
        return file.read_bytes()


class Site:
    """A Daphne process as bin/serve starts it; its database outlives it, and others may share it.

    A file of SQLite is made where there is none yet; any other database has its tables already.
    """

    def __init__(self, folder: Path, **env: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self.log = folder / "server.log"
        self.env = os.environ | {
            "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "PORT": str(self.port),
            "DRAIN_SECONDS": "0",  # no proxy has to notice that it ends
            "VENV": sys.prefix,
            **env,
        }
        self.file = Path(urlsplit(self.env["DATABASE_URL"]).path)
        if self.env["DATABASE_URL"].startswith("sqlite:") and not self.file.exists():
            self.file.write_bytes(empty())

    def manage(self, *arguments: str) -> str:
        """Run a manage.py command on this site's database; give what it prints."""
        return manage(*arguments, **self.env)

    @contextmanager
    def models(self) -> Iterator[None]:
        """Inside, Django's models are those of this site: quicker than a command, which has to start first."""
        usual = connections["default"]
        ours = ConnectionHandler({"default": settings.DATABASES["default"] | {"NAME": self.file}})
        connections["default"] = ours["default"]
        try:
            with self.unblock():
                yield
        finally:
            ours["default"].close()
            connections["default"] = usual

    def start(self) -> None:
        with self.log.open("a") as log:
            self.process = subprocess.Popen(["bin/serve"], cwd=ROOT, env=self.env, stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE
        while not self.answers():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)

    def answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        """End it as a deployment does, with SIGTERM."""
        self.process.terminate()
        self.process.wait(PATIENCE)

    def kill(self) -> None:
        """End it as a power cut does, with SIGKILL."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def restart(self) -> None:
        self.stop()
        self.start()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Iterator[Site]:
    # Tests play ahead faster than a hand.
    site = Site(tmp_path_factory.mktemp("site"), REQUEST_BURST="1000")
    site.unblock = django_db_blocker.unblock
    site.start()
    yield site
    site.stop()


@pytest.fixture(scope="session")
def base_url(site: Site) -> str:
    """Playwright goes to page.goto("/…") from here."""
    return site.url


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    quiet = ("no-first-run", "disable-background-networking", "disable-component-update", "disable-sync")
    return {
        "executable_path": shutil.which("chromium-headless-shell") or shutil.which("chromium"),
        "args": [f"--{flag}" for flag in ("no-sandbox", "disable-gpu", "disable-quic", *quiet)],
    }


@pytest.fixture(scope="session", autouse=True)
def allow_async_unsafe() -> Iterator[None]:
    """Playwright's plain interface keeps an event loop running, in which Django would refuse its database."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
