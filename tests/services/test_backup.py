"""A backup made while people play holds the whole of one moment, and the site goes on from it, on either database."""

import asyncio
import io
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from subprocess import CalledProcessError

import pytest
from django.core.management import CommandError, call_command
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

from games.management.commands import restore
from tests.browser.conftest import Site
from tests.services.people import Client, check_at_rest, guests, log_of, playing, under_way


@pytest.fixture(params=["sqlite", "postgres"])
def sites(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Site, Site]]:
    """Two sites of one kind, each with a database of its own; they share the key that signs sessions."""
    both = []
    for name in ("played", "spare"):
        (tmp_path / name).mkdir()
        where = {} if request.param == "sqlite" else {"DATABASE_URL": request.getfixturevalue("new_database")()}
        both.append(Site(tmp_path / name, SECRET_KEY="of both", REQUESTS_PER_SECOND="1000", **where))
    yield both[0], both[1]
    for site in both:
        if hasattr(site, "process"):
            site.kill()


async def test_a_backup_holds_the_whole_of_one_moment_and_can_be_played_on(
    sites: tuple[Site, Site], tmp_path: Path
) -> None:
    played, spare = sites
    played.start()
    clients = await guests(played, 2)
    async with playing(clients, lambda: played.port):
        await under_way(clients)
        before = [len(client.acknowledged) for client in clients]
        await asyncio.to_thread(played.manage, "backup", str(tmp_path / "copy"))
        await under_way(clients)
    (tmp_path / "letter").write_text("Dear Sir or Madam")
    with pytest.raises(CalledProcessError) as refused:
        await asyncio.to_thread(spare.manage, "restore", "--no-input", str(tmp_path / "letter"))
    assert "letter is no backup of Lilypad" in refused.value.stderr
    await asyncio.to_thread(spare.manage, "restore", "--no-input", str(tmp_path / "copy"))
    going_on = []
    for client, least in zip(clients, before, strict=True):
        kept = log_of(spare, client)
        assert least <= len(kept) < len(client.acknowledged)
        assert kept == client.acknowledged[: len(kept)]
        going_on.append(Client(client.code, client.cookie, acknowledged=kept))
    spare.start()
    async with playing(going_on, lambda: spare.port):
        await under_way(going_on)
    spare.stop()
    await check_at_rest(spare, going_on)


def test_a_backup_never_takes_the_place_of_another_file(tmp_path: Path) -> None:
    there = tmp_path / "older"
    there.write_text("older")
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", there)
    with pytest.raises(CommandError, match="cannot be made"):
        call_command("backup", tmp_path / "no such folder" / "file")
    assert there.read_text() == "older"
    assert list(tmp_path.iterdir()) == [there]


def holding(file: Path, *tables: str) -> Path:
    """A database with such tables, each of several pages."""
    with closing(sqlite3.connect(file)) as made:
        for table in tables:
            made.execute(f"CREATE TABLE {table} (app TEXT)")
            made.executemany(f"INSERT INTO {table} VALUES (?)", [("games" * 200,)] * 20)
        made.commit()
    return file


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker: DjangoDbBlocker) -> Iterator[Path]:
    """The file of the database that `restore` writes to."""
    file = holding(tmp_path / "site", "dear")
    handler = ConnectionHandler({"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": file}})
    monkeypatch.setattr(restore, "connection", handler["default"])
    with django_db_blocker.unblock():
        yield file
    handler["default"].close()


def test_a_damaged_or_foreign_file_is_not_restored(site: Path, tmp_path: Path) -> None:
    before = site.read_bytes()
    damaged = holding(tmp_path / "damaged", *restore.MARKS)
    with damaged.open("r+b") as page:
        page.seek(5 * 4096)
        page.write(bytes(4096))
    foreign = holding(tmp_path / "foreign", "django_migrations", "blog_post")
    for file, why in ((damaged, "is damaged. Nothing was changed"), (foreign, "is no backup of Lilypad")):
        with pytest.raises(CommandError, match=why):
            call_command("restore", file, "--no-input")
        assert site.read_bytes() == before
    call_command("restore", holding(tmp_path / "whole", *restore.MARKS), "--no-input")
    assert site.read_bytes() != before


def test_a_restore_that_nobody_can_agree_to_changes_nothing(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = site.read_bytes()
    for nobody in (io.StringIO(), None):
        monkeypatch.setattr("sys.stdin", nobody)
        with pytest.raises(CommandError, match="Nobody is there to say yes"):
            call_command("restore", holding(tmp_path / f"whole{nobody is None}", *restore.MARKS))
    assert site.read_bytes() == before
