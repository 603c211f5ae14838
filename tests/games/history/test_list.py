"""The list of one's games: what it shows to whom, filtered and paged, and at what cost."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import chain, product

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import services
from games.engine.catalogue import GAMES
from games.history import paging, selectors
from games.models import Attempt, Deal, Outcome
from games.selectors import open_attempts
from tests.games.history.conftest import NOON, log_of, winning_entries

pytestmark = pytest.mark.django_db


@pytest.fixture
def many(owner: User, rival: User) -> list[Attempt]:
    """160 rows of the owner's, every game with every outcome, five to a moment; and as many of the rival's."""
    deals = {slug: services.start(player=rival, game=slug, kind="shuffled").deal for slug in GAMES}
    Attempt.objects.all().delete()
    rows = []
    for player in (owner, rival):
        for number, (slug, outcome) in enumerate(list(product(GAMES, Outcome.values)) * 5, 1):
            at = NOON + timedelta(hours=7 * (number // 5))
            rows.append(
                Attempt(
                    deal=deals[slug],
                    game=slug,
                    player=player,
                    number=number,
                    outcome=outcome,
                    touched_at=at,
                    ended_at=None if outcome == "playing" else at,
                )
            )
    Attempt.objects.bulk_create(rows)
    return list(Attempt.objects.filter(player=owner).order_by("-touched_at", "-id"))


def pages(client: Client, query: str = "") -> Iterator[list[str]]:
    """The codes on each page, following the links to older ones."""
    while query is not None:
        page = client.get(f"/mine/?{query}")
        yield [attempt["code"] for attempt in page.context["attempts"]]
        query = page.context["older"]


def test_pages_show_every_attempt_once_the_newest_first(as_owner: Client, many: list[Attempt]) -> None:
    found = list(pages(as_owner))
    assert [len(codes) for codes in found] == [20] * 8
    assert list(chain(*found)) == [attempt.code for attempt in many]


def test_one_can_go_back_to_newer_pages(as_owner: Client, many: list[Attempt]) -> None:
    first = as_owner.get("/mine/")
    assert first.context["newer"] is None
    second = as_owner.get(f"/mine/?{first.context['older']}")
    third = as_owner.get(f"/mine/?{second.context['older']}")
    back = as_owner.get(f"/mine/?{third.context['newer']}")
    assert back.context["attempts"] == second.context["attempts"]
    home = as_owner.get(f"/mine/?{back.context['newer']}")
    assert home.context["attempts"] == first.context["attempts"]
    assert home.context["newer"] is None


@pytest.mark.parametrize("game", ["", "frog", "american-toad"])
@pytest.mark.parametrize("outcome", ["", "won", "playing"])
@pytest.mark.parametrize("days", [("", ""), ("2026-03-02", ""), ("", "2026-03-04"), ("2026-03-03", "2026-03-03")])
def test_filters_keep_what_they_say(
    as_owner: Client, many: list[Attempt], game: str, outcome: str, days: tuple[str, str]
) -> None:
    since, until = (day and date.fromisoformat(day) for day in days)
    wanted = [
        attempt.code
        for attempt in many
        if game in ("", attempt.game)
        and outcome in ("", attempt.outcome)
        and (not since or attempt.touched_at.date() >= since)
        and (not until or attempt.touched_at.date() <= until)
    ]
    query = f"game={game}&outcome={outcome}&since={days[0]}&until={days[1]}"
    assert list(chain(*pages(as_owner, query))) == wanted


@pytest.mark.parametrize(
    "query",
    [
        "game=klondike",
        "outcome=lost",
        "since=yesterday",
        "before=x",
        "before=2026-01-01_5",
        "after=_",
        "until=9999-12-31",
        "before=2026-01-01T00:00:00%2B00:00_99999999999999999999",
        "before=2026-01-01T00:00:00%2B00:00_-1",
        "before=0001-01-01T00:00:00%2B14:00_1",
        "after=9999-12-31T23:59:59-14:00_1",
        "page=3",
    ],
)
def test_what_cannot_be_read_filters_nothing(as_owner: Client, many: list[Attempt], query: str) -> None:
    page = as_owner.get(f"/mine/?{query}")
    assert page.status_code == 200
    assert [attempt["code"] for attempt in page.context["attempts"]] == [attempt.code for attempt in many[:20]]


def test_open_games_lead_to_their_table_and_ended_ones_to_their_replay(as_owner: Client, owner: User) -> None:
    going_on = services.start(player=owner, game="frog", kind="shuffled")
    ended = services.start(player=owner, game="flower-garden", kind="winnable")
    log_of(ended, winning_entries(ended.deal))
    page = as_owner.get("/mine/").content.decode()
    assert f'href="{reverse("table", args=[going_on.code])}"' in page
    assert f'href="{reverse("replay", args=[ended.code])}"' in page
    assert as_owner.get("/mine/?outcome=won").content.decode().count('href="/play/') == 1


def test_the_list_costs_the_same_however_long(
    as_owner: Client, many: list[Attempt], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    as_owner.get("/mine/")
    with django_assert_max_num_queries(4):
        as_owner.get(f"/mine/?before={paging.Mark(many[90].touched_at, many[90].pk)}".replace("+", "%2B"))


def test_everybody_sees_their_own_games_only(
    as_owner: Client, others: list[Client], many: list[Attempt], rival: User
) -> None:
    own = {attempt.code for attempt in many}
    as_rival, as_stranger, nobody = others
    theirs = set(chain(*pages(as_rival)))
    assert theirs == set(Attempt.objects.filter(player=rival).values_list("code", flat=True))
    assert not theirs & own
    assert list(pages(as_stranger)) == [[]]
    assert nobody.get("/mine/").headers["Location"].startswith(reverse("account_login"))


# What each way of filtering is answered from: a stretch of each of these, with no scan and nothing to sort.
INDEXES = {
    ("", ""): ["attempt_going_on", "attempt_ended"],
    ("frog", ""): ["attempt_going_on", "attempt_ended_game"],
    ("", "won"): ["attempt_ended_outcome"],
    ("frog", "won"): ["attempt_ended_game_outcome"],
    ("", "playing"): ["attempt_going_on"],
    ("frog", "playing"): ["attempt_going_on"],
}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL: tests/services/only_postgres.py")
@pytest.mark.parametrize(("wish", "indexes"), INDEXES.items())
@pytest.mark.parametrize("dated", [False, True])
@pytest.mark.parametrize("direction", ["first", "before", "after"])
def test_a_page_is_a_stretch_of_an_index(
    owner: User, wish: tuple[str, str], indexes: list[str], dated: bool, direction: str
) -> None:
    since = date(2026, 1, 1) if dated else None
    mark = paging.Mark(datetime(2026, 2, 1, tzinfo=UTC), 7)
    stretches = selectors.history(owner, game=wish[0], outcome=wish[1], since=since)
    for stretch, index in zip(stretches, indexes, strict=True):
        page = {
            "first": lambda stretch: paging.older(stretch, None),
            "before": lambda stretch: paging.older(stretch, mark),
            "after": lambda stretch: paging.newer(stretch, mark),
        }[direction](stretch)
        plan = page.explain()
        assert re.search(rf"SEARCH games_attempt USING INDEX {index} ", plan), plan
        assert "SCAN" not in plan
        assert "TEMP B-TREE" not in plan
        if dated or direction != "first":
            assert re.search(r"touched_at[<>]", plan), plan


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL: tests/services/only_postgres.py")
def test_the_games_to_go_on_with_are_a_stretch_too(owner: User) -> None:
    plan = open_attempts(owner)[:20].explain()
    assert "USING INDEX attempt_going_on" in plan
    assert "TEMP B-TREE" not in plan


def test_the_deals_of_a_page_are_not_asked_for(owner: User) -> None:
    for stretch in selectors.history(owner, game="frog"):
        assert Deal._meta.db_table not in str(stretch.query)
