"""A PostgreSQL and a Redis for a measurement, gone afterwards; bin/services knows how to run them."""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def services() -> Iterator[dict[str, str]]:
    """An environment in which the site uses them, its tables made."""
    with tempfile.TemporaryDirectory(prefix="services-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as somebody else than root
        ports = {"POSTGRES_PORT": str(free_port()), "REDIS_PORT": str(free_port())}
        env = os.environ | ports | {"SERVICES": folder}
        try:
            yield _at(env, Path(folder))
        finally:
            subprocess.run(["bin/services", "stop"], cwd=ROOT, env=env, check=True)


def _at(env: dict[str, str], folder: Path) -> dict[str, str]:
    printed = folder / "addresses"  # a file: the servers would keep a pipe open
    with printed.open("w") as output:
        subprocess.run(["bin/services", "start"], cwd=ROOT, env=env, check=True, stdout=output)
    env |= dict(line.split("=", 1) for line in printed.read_text().split() if "_URL=" in line)
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, env=env, check=True)
    return env


def elsewhere(part: str, quick: bool) -> str:
    """A part of the report as measured by a process that uses PostgreSQL and Redis."""
    with services() as env:
        command = [sys.executable, "-m", "bench", part, *(["--quick"] if quick else [])]
        return subprocess.run(command, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":  # run a module of ours with them: python -m bench.services bench.soak …
    with services() as env:
        sys.exit(subprocess.run([sys.executable, "-m", *sys.argv[1:]], cwd=ROOT, env=env).returncode)
