"""A PostgreSQL or a Redis of one test's own, which may break it."""

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.browser.conftest import manage
from tests.services.conftest import Service

PIDS = {"postgres": "postgres/data/postmaster.pid", "redis": "redis/pid"}
CRASH = {"postgres": signal.SIGQUIT, "redis": signal.SIGKILL}  # nobody is asked to finish anything


class Own(Service):
    """Starts, stops, crashes, and starts again at the same address."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(name, folder)
        self.address = self.start()

    def crash(self) -> None:
        pid = (self.folder / PIDS[self.name]).read_text().split()[0]
        os.kill(int(pid), CRASH[self.name])

    def order(self, *statements: str) -> None:
        """Have PostgreSQL do something, outside of any transaction."""
        with psycopg.connect(self.address, autocommit=True) as server:
            for statement in statements:
                server.execute(statement.encode())


@contextmanager
def own(name: str, where: Path | None = None) -> Iterator[Own]:
    """A server that runs, PostgreSQL with every table and no row; at the end it does not, and nothing is left."""
    with tempfile.TemporaryDirectory(prefix=f"{name}-", dir=where, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as somebody else than root
        server = Own(name, Path(folder))
        try:
            if name == "postgres":
                manage("migrate", DATABASE_URL=server.address)
            yield server
        finally:
            server.stop()
