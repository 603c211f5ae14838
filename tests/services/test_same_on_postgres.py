"""What holds with SQLite holds with PostgreSQL and Redis: tests of writing, races and history, run with those."""

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.browser.conftest import ROOT

WRITTEN_AND_READ = [
    *("tests/live/test_journal.py", "tests/games/test_services.py"),
    *("tests/services/only_postgres.py", "tests/games/history/test_list.py", "tests/games/race/test_record.py"),
    "tests/games/race/test_entries.py",
]
# Where rows are locked against one another: seats, rematches, a guest who signs up, who leaves, a deal made private.
LOCKED = [
    *("tests/games/race/test_seats.py", "tests/games/race/test_rematch.py", "tests/games/race/test_pages.py"),
    *("tests/accounts/test_doors.py", "tests/games/test_leaving.py", "tests/games/deals/test_page.py"),
]
NONSENSE = ["tests/test_fuzz.py", "tests/test_security.py", "-k", "nul or no_session"]  # PostgreSQL takes no NUL


@pytest.mark.parametrize("files", [WRITTEN_AND_READ, LOCKED, NONSENSE], ids=["written and read", "locked", "nonsense"])
def test_the_same_holds_on_postgres_and_redis(files: list[str], new_database: Callable[[], str], redis: str) -> None:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env = plain | {"DATABASE_URL": new_database(), "REDIS_URL": redis}
    # The journal's thread stays connected, so the database cannot be dropped at the end; it goes with its server.
    options = ["-q", "--reuse-db", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command = [sys.executable, "-m", "pytest", *options, *files]
    done = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
