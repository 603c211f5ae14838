"""Who looks at what was played, and games to look at."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import User
from games.engine.catalogue import GAMES
from games.engine.line import Line
from games.engine.play import home
from games.models import Attempt, Deal, Entry
from games.selectors import played_seconds, start_table

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def client_of(user: User | None) -> Client:
    """A browser with this user's session; without a user, with none."""
    client = Client()
    if user:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def as_owner(owner: User) -> Client:
    return client_of(owner)


@pytest.fixture
def others(rival: User, stranger: User) -> list[Client]:
    """Everybody but the owner: the rival who plays the same deals, a stranger, and nobody known."""
    return [client_of(rival), client_of(stranger), client_of(None)]


def log_of(attempt: Attempt, entries: list[str], began: datetime = NOON, step: float = 5) -> Attempt:
    """Give a new attempt this log, an entry every few seconds, and the row that follows from it."""
    line = Line.begin(GAMES[attempt.deal.game], start_table(attempt.deal))
    seconds, last_at = 0.0, None
    rows = []
    for number, text in enumerate(entries, 1):
        at = began + timedelta(seconds=step * number)
        line, seconds, last_at = line.after(text), played_seconds(seconds, last_at, at), at
        rows.append(Entry(attempt=attempt, number=number, text=text, at=at))
    Entry.objects.bulk_create(rows)
    Attempt.objects.filter(pk=attempt.pk).update(
        version=line.version,
        outcome=line.outcome,
        closed=line.closed,
        moves=line.at.count,
        home=home(line.at.table),
        undos=line.undos,
        restarts=line.restarts,
        seconds=seconds,
        started_at=rows[0].at if rows else None,
        touched_at=last_at or began,
        ended_at=None if line.outcome == "playing" else last_at,
    )
    attempt.refresh_from_db()
    return attempt


def winning_entries(deal: Deal) -> list[str]:
    """A way to win a winnable garden: any card that fits goes up, and the last ones together."""
    line = Line.begin(GAMES[deal.game], start_table(deal))
    while not line.can("finish"):
        line = line.after(str(line.game.legal_moves(line.at.table)[0]))
    entries, at = ["finish"], line.at
    while at.before:
        entries.insert(0, at.entry)
        at = at.before
    return entries
