"""What docs/operations.md and deploy/ tell people to run does run, as far as no engine and no root is needed for it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from config.server import GRACE
from tests.browser.conftest import ROOT

PAGE = (ROOT / "docs" / "operations.md").read_text()


def run(*command: str | Path, **env: str) -> str:
    done = subprocess.run(command, cwd=ROOT, env=os.environ | env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_commands_of_the_page_run_in_its_order(tmp_path: Path) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    commands = "".join(blocks).replace("/var/backups/lilypad", str(tmp_path)).splitlines()
    commands.remove("python manage.py collectstatic --no-input")  # fixtures do, once in a test run
    told = run(
        *("sh", "-euxc", "\n".join(commands)),
        DATABASE_URL=f"sqlite:///{tmp_path}/site.sqlite3",
        PATH=f"{sys.prefix}/bin{os.pathsep}{os.environ['PATH']}",
        VENV=sys.prefix,
        HTTPS="1",
        SECRET_KEY="quite long enough, and not a letter of it from the page itself 0123",
        ALLOWED_HOSTS="lilypad.example",
    )
    assert "no issues" in told
    assert "holds all" in told
    assert "0 logs agree" in told


def test_a_service_that_there_is_not_is_answered_with_how_to_ask(tmp_path: Path) -> None:
    for asked in (["begin"], ["start", "mysql"], ["stop", "redis", "data"]):
        env = os.environ | {"SERVICES": str(tmp_path / "none")}
        done = subprocess.run(["bin/services", *asked], cwd=ROOT, env=env, check=False, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (2, "Usage: bin/services start|stop [postgres] [redis]\n"), asked
    assert not (tmp_path / "none").exists()


def test_the_table_of_settings_is_what_the_settings_are() -> None:
    run(sys.executable, "bin/settings", "check")


def test_a_process_is_given_the_time_that_it_takes_to_end() -> None:
    longest = 20
    with pytest.raises(AssertionError, match=f"at most {longest}:"):
        run(sys.executable, "manage.py", "check", DRAIN_SECONDS=f"{longest}.1")
    unit = (ROOT / "deploy" / "systemd" / "lilypad@.service").read_text()
    compose = (ROOT / "compose.yaml").read_text()
    given = re.findall(r"TimeoutStopSec=(\d+)", unit) + re.findall(r"stop_grace_period: (\d+)s # SIGTERM", compose)
    assert len(given) == 2
    assert min(map(int, given)) > longest + GRACE


def test_systemd_understands_its_units(tmp_path: Path) -> None:
    for unit in (ROOT / "deploy" / "systemd").iterdir():
        (tmp_path / unit.name).write_text(unit.read_text().replace("/srv/lilypad/", f"{ROOT}/"))
    units = [tmp_path / name for name in ("lilypad@8001.service", "lilypad-daily.service", "lilypad-daily.timer")]
    (tmp_path / "lilypad@.service").rename(units[0])
    told = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], check=False, capture_output=True, text=True
    )
    ours = [line for line in told.stderr.splitlines() if "lilypad" in line]
    assert (told.returncode, ours) == (0, [])
