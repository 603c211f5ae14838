"""The first command of the README, as somebody new would give it."""

import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parents[2]


def test_bin_run_serves_the_lobby(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    env = os.environ | {"PORT": port, "DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}"}
    process = subprocess.Popen([ROOT / "bin/run"], cwd=tmp_path, env=env)
    try:
        assert b"Lilypad" in first_answer(f"http://localhost:{port}/")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def first_answer(url: str) -> bytes:
    """The page, as soon as there is one."""
    for _ in range(300):
        time.sleep(0.2)
        with suppress(URLError), urlopen(url) as page:  # nobody listens yet
            return bytes(page.read())
    raise AssertionError("bin/run did not answer within a minute")
