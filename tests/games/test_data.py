"""Your data are yours: everything, nothing of anybody else, no deck that may not be seen, and never all at once."""

import csv
import io
import json
import tracemalloc
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import call_command
from django.test import AsyncClient, Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import selectors, services
from games.data import export
from games.deals import notation
from games.models import Attempt, Deal, Entry, Kind, Outcome

pytestmark = pytest.mark.django_db(transaction=True)
FILES = ["/data/lilypad.json", "/data/lilypad.csv"]


def finish(attempt: Attempt, outcome: str = Outcome.GIVEN_UP, closed: bool = True, **figures: Any) -> None:
    now = timezone.now()
    ended = {"started_at": now, "ended_at": now, "outcome": outcome, "closed": closed}
    Attempt.objects.filter(pk=attempt.pk).update(**ended, **figures)


async def _whole(text: AsyncIterator[str]) -> str:
    return "".join([piece async for piece in text])


def told(user: User) -> list[dict[str, Any]]:
    """The attempts of a user's JSON file."""
    attempts: list[dict[str, Any]] = json.loads(async_to_sync(_whole)(export.as_json(user)))["attempts"]
    return attempts


def rows(user: User) -> list[dict[str, str]]:
    """The lines of a user's CSV file."""
    return list(csv.DictReader(io.StringIO(async_to_sync(_whole)(export.as_csv(user)))))


def test_both_files_tell_everything(owner: User, attempt: Attempt) -> None:
    for number, text in enumerate(["stock>turned", "undo"], 1):
        Entry.objects.create(attempt=attempt, number=number, text=text, at=timezone.now())
    finish(attempt, moves=1, version=2)
    (game,) = told(owner)
    assert [line["entry"] for line in game["log"]] == ["stock>turned", "undo"]
    assert (game["code"], game["outcome"], game["moves"]) == (attempt.code, "given-up", 1)
    assert (game["deal"]["code"], game["deal"]["game"]) == (attempt.deal.code, "frog")
    assert (game["deck"], game["nonce"]) == (attempt.deal.deck, attempt.deal.nonce)
    (row,) = rows(owner)
    assert row["log"] == "stock>turned undo"
    assert (row["code"], row["deal_game"], row["deck"]) == (attempt.code, "frog", attempt.deal.deck)


def test_the_import_reads_an_exported_layout(owner: User, attempt: Attempt) -> None:
    finish(attempt)
    (game,) = told(owner)
    assert rows(owner)[0]["layout"] == game["layout"]
    rules, shuffled = notation.read(game["layout"])
    assert rules.setup(*shuffled) == selectors.start_table(attempt.deal)


def test_the_terminal_plays_an_exported_deck(
    owner: User, attempt: Attempt, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finish(attempt)
    (game,) = told(owner)
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    call_command("play", game["deal"]["game"], "--deck", game["deck"])
    assert "playing" in capsys.readouterr().out


@pytest.mark.parametrize("standing", ["open", "stuck", "won", "again", "daily"])
def test_a_deck_that_may_not_be_seen_is_in_no_file(owner: User, attempt: Attempt, standing: str) -> None:
    secret = attempt.deal
    if standing in ("stuck", "won"):  # and not closed, so moves may still be taken back
        finish(attempt, standing, closed=False)
    if standing == "again":  # the first is still open, so a second one that is over opens nothing
        second = Attempt.objects.create(player=owner, deal=secret, game="frog", number=2)
        finish(second)
    if standing == "daily":
        finish(attempt)
        Deal.objects.update(kind=Kind.DAILY, day=timezone.now().date())
    text = async_to_sync(_whole)(export.as_json(owner)) + async_to_sync(_whole)(export.as_csv(owner))
    assert secret.commitment in text
    assert secret.nonce not in text
    assert secret.deck not in text


def test_the_deck_of_a_past_day_and_of_a_game_given_up_is_there(owner: User, attempt: Attempt) -> None:
    finish(attempt)
    assert told(owner)[0]["deck"] == attempt.deal.deck
    Deal.objects.update(kind=Kind.DAILY, day=timezone.now().date() - timedelta(days=1))
    assert told(owner)[0]["deck"] == attempt.deal.deck


def test_an_open_game_shows_no_deck_even_where_an_earlier_one_does(owner: User, attempt: Attempt) -> None:
    finish(attempt)
    services.play_deal(player=owner, deal=attempt.deal)
    first, second = told(owner)
    assert first["deck"]
    assert second["deck"] is None


def test_nobody_elses_games_are_in_it(owner: User, rival: User, attempt: Attempt) -> None:
    finish(attempt)
    theirs = services.play_deal(player=rival, deal=attempt.deal)
    (game,) = told(rival)
    assert game["code"] == theirs.code
    assert game["deck"] is None, "the owner's game is over, the rival's is not"
    text = async_to_sync(_whole)(export.as_json(rival))
    assert "owner" not in text
    assert attempt.code not in text


async def test_the_files_are_streamed_to_who_asks_for_their_own(owner: User, attempt: Attempt) -> None:
    client = AsyncClient(headers={"accept-encoding": "gzip"})
    await client.aforce_login(owner)
    for path in FILES:
        response = await client.post(path)
        assert response.streaming
        assert response.is_async
        assert attempt.code in b"".join([piece async for piece in response.streaming_content]).decode()  # type: ignore[union-attr]
        assert "attachment" in response.headers["Content-Disposition"]
        assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/data/", *FILES])
def test_strangers_are_asked_to_log_in(client: Client, path: str) -> None:
    for response in (client.get(path), client.post(path)):
        assert response.headers["Location"].startswith("/accounts/login/")


def test_each_sees_their_own_page(
    client: Client, stranger: User, attempt: Attempt, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(stranger)
    with django_assert_max_num_queries(4):
        page = client.get("/data/").text
    assert "We keep 0 games of yours" in page
    assert attempt.code not in page
    client.force_login(User.objects.create_user("guest-0", is_guest=True))
    assert "You play as a guest" in client.get("/data/").text


async def test_taking_copies_is_throttled(owner: User) -> None:
    client = AsyncClient()
    await client.aforce_login(owner)
    answers = [(await client.post(FILES[0])).status_code for _ in range(11)]
    assert answers == [200] * 10 + [429]


def test_memory_does_not_grow_with_the_games(owner: User, attempt: Attempt) -> None:
    async def drain() -> int:
        return sum([len(piece) async for piece in export.as_json(owner)])

    def peak() -> tuple[int, int]:
        tracemalloc.start()
        size = async_to_sync(drain)()
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return size, highest

    more = [Attempt(player=owner, deal=attempt.deal, game="frog", number=number) for number in range(2, 2002)]
    Attempt.objects.bulk_create(more[:200])
    peak()
    small, little = peak()
    Attempt.objects.bulk_create(more[200:])
    large, much = peak()
    assert large > 8 * small
    assert much - little < (large - small) / 3, "what is sent is not kept; the collector may lag a little"
