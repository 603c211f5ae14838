"""Puts what `backup` has copied in the place of all that the database holds; all of it, or nothing changes."""

import sqlite3
import tempfile
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.management.commands.backup import run

NOT_OURS = "{} is no backup of Lilypad on this kind of database"
MARKS = ("django_migrations", "accounts_user", "games_attempt")  # tables that the backup of any release has
STOP = "--set=ON_ERROR_STOP=1"


def into_sqlite(file: Path) -> None:
    """Write the copy over the database, in one transaction."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as copy:
        if not _is_ours(copy):
            raise CommandError(NOT_OURS.format(file))
        if not _is_whole(copy):
            raise CommandError(f"{file} is damaged. Nothing was changed.")
        connection.ensure_connection()
        copy.backup(connection.connection)


def _is_ours(copy: sqlite3.Connection) -> bool:
    try:
        tables = {name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return tables.issuperset(MARKS)
    except sqlite3.DatabaseError:
        return False


def _is_whole(copy: sqlite3.Connection) -> bool:
    try:
        return bool(copy.execute("PRAGMA integrity_check").fetchone() == ("ok",))
    except sqlite3.DatabaseError:  # too damaged to be looked through
        return False


def into_postgres(file: Path) -> None:
    """Drop all tables, those of a newer release too, and make those of the copy, in one transaction."""
    try:
        listed = run("pg_restore", "--list", file)
        found = all(f" {table} " in listed for table in MARKS)
    except CommandError:
        found = False
    if not found:
        raise CommandError(NOT_OURS.format(file))
    tables = ", ".join(map(connection.ops.quote_name, connection.introspection.table_names()))
    connection.close()
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:  # where there is room for so much
        script = Path(folder, "script.sql")  # whole before it runs, or the half of one might be taken for all
        run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", file)
        drop = [f"--command=DROP TABLE {tables} CASCADE"] if tables else []
        wait = "--command=SET LOCAL lock_timeout = '5s'"  # a site that still runs holds on to its tables
        run("psql", "--no-psqlrc", "--quiet", "--single-transaction", STOP, wait, *drop, f"--file={script}")


def _agreed(question: str) -> bool:
    try:
        return input(question) == "yes"
    except (EOFError, RuntimeError) as error:  # Python's word for a standard input that is closed
        raise CommandError("Nobody is there to say yes; --no-input does not ask. Nothing was changed.") from error


class Command(BaseCommand):
    """manage.py restore FILE"""

    help = "Put what `backup` has copied in the place of all that the database holds. Stop the site first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file's name, and whether to ask."""
        parser.add_argument("file", type=Path, help="what `backup` has made, of this kind of database")
        parser.add_argument("--no-input", action="store_false", dest="ask", help="do not ask first")

    def handle(self, *, file: Path, ask: bool, **_options: Any) -> None:
        """Ask, and restore."""
        if not file.is_file():
            raise CommandError(f"{file} is no file")
        name = connection.settings_dict["NAME"]
        if ask and not _agreed(f"All that {name} holds now will be lost. Type yes to go on: "):
            raise CommandError("Nothing was changed.")
        try:
            into_postgres(file) if connection.vendor == "postgresql" else into_sqlite(file)
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be made: {error.strerror}. Nothing was changed.") from error
        self.stdout.write(f"{name} holds what {file} holds. `manage.py migrate` brings it up to this release.")
