"""Copies the whole database into a file, as it was at one moment, while people play. `restore` is the other half."""

import os
import shutil
import sqlite3
import subprocess
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient


def run(program: str, *arguments: str | Path) -> str:
    """Run one of PostgreSQL's programs, on the site's database where it needs one; give what it prints."""
    found = shutil.which(program)
    if found is None:
        raise CommandError(f"{program} is missing. On Debian: apt-get install postgresql-client")
    known = connection.settings_dict
    where = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGDATABASE": "NAME"}
    _, secrets = DatabaseClient.settings_to_cmd_args_env(known, [])  # password and certificates, as variables
    env = os.environ | {variable: str(known[name]) for variable, name in where.items() if known[name]} | (secrets or {})
    done = subprocess.run([found, *arguments], env=env, check=False, capture_output=True, text=True)
    if done.returncode:
        raise CommandError(done.stderr.strip())
    return done.stdout


def from_sqlite(file: Path) -> None:
    """Copy by SQLite's online backup: in one step, so from one moment, and nobody's write waits for it."""
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as copy:
        connection.connection.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, that can be read where nothing can be written
        (state,) = copy.execute("PRAGMA integrity_check").fetchone()
    if state != "ok":
        raise CommandError(f"the copy is damaged, and so may be the database: {state}")


def from_postgres(file: Path) -> None:
    """Copy by pg_dump: all of it from one moment, and nobody waits for it."""
    run("pg_dump", "--format=custom", f"--file={file}")


class Command(BaseCommand):
    """manage.py backup FILE"""

    help = "Copy the whole database into a new file, as it is at this moment. People may go on playing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file's name."""
        parser.add_argument("file", type=Path, help="where to; must not be there yet")

    def handle(self, *, file: Path, **_options: Any) -> None:
        """Copy. The file bears its name only once it is whole."""
        if file.exists():
            raise CommandError(f"{file} is there already")
        unfinished = file.with_name(f"{file.name}.unfinished")
        try:
            unfinished.touch(mode=0o600, exist_ok=False)  # it holds addresses and hidden cards
        except OSError as error:
            raise CommandError(f"{unfinished} cannot be made: {error.strerror}") from error
        try:
            from_postgres(unfinished) if connection.vendor == "postgresql" else from_sqlite(unfinished)
            unfinished.rename(file)
        finally:
            unfinished.unlink(missing_ok=True)
        self.stdout.write(f"{file} holds all, {file.stat().st_size:,} bytes.")
