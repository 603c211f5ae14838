"""The house rules that a program can check: who imports whom, and settings that keep people safe."""

import ast
import subprocess
import sys
from pathlib import Path

from django.test import Client

from config import settings

ROOT = Path(__file__).parents[1]
IMPURE = {
    "asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "socket", "subprocess", "threading",
    "time",
}  # fmt: skip


def test_imports_run_one_way() -> None:
    command = [Path(sys.prefix, "bin/lint-imports"), "--no-cache"]
    contracts = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert contracts.returncode == 0, contracts.stdout


def imports(file: Path) -> set[str]:
    """The modules that a file names in its imports."""
    nodes = list(ast.walk(ast.parse(file.read_text())))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}


def test_the_engine_is_pure() -> None:
    allowed = sys.stdlib_module_names - IMPURE
    for file in (ROOT / "games" / "engine").rglob("*.py"):
        for module in imports(file):
            assert module.startswith("games.engine") or module.split(".")[0] in allowed, f"{file} imports {module}"


def test_pages_forbid_what_is_not_from_this_site(client: Client) -> None:
    headers = client.get("/accounts/login/").headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_sqlite_is_durable_and_takes_its_lock_at_once() -> None:
    options = settings.DATABASES["default"]["OPTIONS"]
    assert "journal_mode=WAL" in options["init_command"]
    assert "synchronous=FULL" in options["init_command"]
    assert options["transaction_mode"] == "IMMEDIATE"


def test_passwords_are_kept_with_argon2() -> None:
    assert "Argon2" in settings.PASSWORD_HASHERS[0]  # tests themselves have a quicker one


def test_a_missing_page_tells_nothing_but_that(client: Client) -> None:
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert "Traceback" not in response.text
    assert "Nothing here" in response.text
