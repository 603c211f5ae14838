"""The daily deals: sealed the day before, shut until the day is over, and a streak by the player's own date."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import services
from games.deals import selectors, services as making
from games.deals.selectors import Streak, count_streak
from games.engine.catalogue import GAMES
from games.models import Attempt, Deal
from games.selectors import today
from tests.games.deals.conftest import Ended

BERLIN = ZoneInfo("Europe/Berlin")
pytestmark = pytest.mark.django_db


@pytest.fixture
def daily() -> Deal:
    """Today's Frog."""
    making.deal_daily()
    return Deal.objects.get(day=today(), game="frog")


@pytest.fixture
def tomorrows(daily: Deal) -> Deal:
    return Deal.objects.get(day=today() + timedelta(days=1), game="frog")


def move_days(days: int) -> None:
    """As if so many days had gone by since the deals were made."""
    for deal in Deal.objects.filter(day__isnull=False).order_by("day"):
        deal.day = deal.day and deal.day - timedelta(days=days)
        deal.save()


def test_two_days_are_dealt_once(client: Client) -> None:
    call_command("deal_daily")
    before = sorted(Deal.objects.values_list("day", "game", "commitment"))
    assert len(before) == 2 * len(GAMES)
    call_command("deal_daily")
    client.get("/daily/")
    assert sorted(Deal.objects.values_list("day", "game", "commitment")) == before


def test_what_is_missing_is_dealt_and_the_rest_left(daily: Deal) -> None:
    Deal.objects.filter(game="fly").delete()
    making.deal_daily()
    assert Deal.objects.count() == 2 * len(GAMES)
    assert Deal.objects.get(day=daily.day, game="frog").commitment == daily.commitment


def test_a_view_deals_what_no_command_did(client: Client) -> None:
    page = client.get("/daily/")
    assert len(page.context["deals"]) == len(page.context["seals"]) == len(GAMES)
    assert not User.objects.exists()


def test_of_tomorrow_there_is_the_seal_and_nothing_else(as_owner: Client, owner: User, tomorrows: Deal) -> None:
    page = as_owner.get("/daily/").content.decode()
    assert tomorrows.commitment in page
    for secret in (tomorrows.code, tomorrows.nonce, tomorrows.deck):
        assert secret not in page
    for file in ("", "picture.webp", "picture.png", "qr.svg", "deal.txt"):
        assert as_owner.get(f"/deals/{tomorrows.code}/{file}").status_code == 404
    assert as_owner.post(f"/deals/{tomorrows.code}/play/").status_code == 404
    assert as_owner.get(f"/daily/{tomorrows.day}/").status_code == 404
    with pytest.raises(Deal.DoesNotExist):
        services.play_deal(player=owner, deal=tomorrows)
    assert not Attempt.objects.exists()


def test_the_deck_opens_with_the_end_of_the_day_and_not_before(
    as_rival: Client, rival: User, daily: Deal, ended: Ended
) -> None:
    attempt = ended(rival, daily, at=timezone.now(), closed=True)
    text, proof = f"/deals/{daily.code}/deal.txt", reverse("proof", args=[attempt.code])
    for client in (as_rival, Client()):
        assert client.get(text).status_code == 404
    page = as_rival.get(proof)
    assert not page.context["revealed"]
    assert "shown to everybody when its day is over" in page.content.decode()
    assert daily.nonce not in page.content.decode()
    move_days(1)
    for client in (as_rival, Client()):
        assert client.get(text).status_code == 200
    assert daily.nonce in as_rival.get(proof).content.decode()


def test_asking_for_the_deck_of_a_stuck_daily_deal_does_not_close_it(
    as_rival: Client, rival: User, daily: Deal, ended: Ended
) -> None:
    attempt = ended(rival, daily, outcome="stuck", home=3)
    proof = reverse("proof", args=[attempt.code])
    assert not as_rival.get(proof).context["may_reveal"]
    as_rival.post(proof)
    attempt.refresh_from_db()
    assert (attempt.closed, attempt.version) == (False, 1)


def test_only_what_ended_on_the_day_ranks(owner: User, rival: User, stranger: User, daily: Deal, ended: Ended) -> None:
    midnight = datetime.combine(today() + timedelta(days=1), datetime.min.time(), UTC)
    ended(owner, daily, at=midnight - timedelta(seconds=1), moves=200)
    ended(rival, daily, at=midnight)
    ended(stranger, daily, number=2)
    assert [attempt.player for attempt in selectors.results(daily)] == [owner]
    assert (selectors.place(daily, owner), selectors.place(daily, rival)) == (1, None)
    assert [players for _, players in selectors.of_day(today())] == [1, *[0] * 7]


def test_the_page_of_today(as_owner: Client, owner: User, daily: Deal, ended: Ended) -> None:
    fly = Deal.objects.get(day=today(), game="fly")
    going_on = services.play_deal(player=owner, deal=daily)
    ended(owner, fly)
    page = as_owner.get("/daily/")
    lines = {line["slug"]: line for line in page.context["deals"]}
    assert (lines["frog"]["open"], lines["fly"]["open"], lines["fanny"]["mine"]) == (True, False, None)
    assert reverse("table", args=[going_on.code]) in page.content.decode()
    assert page.context["streak"] == Streak(1, True)
    assert [square.day for week in page.context["weeks"] for square in week if square.won] == [today()]
    assert "data-local" in page.content.decode()
    assert as_owner.get(f"/daily/{today()}/").headers["Location"] == "/daily/"


def test_past_days_can_be_looked_up_and_played(client: Client, daily: Deal) -> None:
    move_days(40)
    making.deal_daily()
    day = today() - timedelta(days=40)
    page = client.get(f"/daily/{day}/")
    assert [line["slug"] for line in page.context["deals"]] == list(GAMES)
    assert page.context["later"] == today() - timedelta(days=39) or page.context["later"] == today()
    assert client.get("/daily/").context["earlier"] == max(
        found for found in (day, day + timedelta(days=1)) if found < today().replace(day=1)
    )
    assert client.post(f"/deals/{daily.code}/play/").status_code == 302


@pytest.mark.parametrize("day", ["2020-01-01", "0000-00-00", "2026-13-01", "yesterday", "9999-12-31", "1-1-1"])
def test_days_without_deals_are_not_found(client: Client, day: str) -> None:
    assert client.get(f"/daily/{day}/").status_code == 404
    assert not Deal.objects.exists()


def test_the_cost_of_a_day_is_bounded(
    as_owner: Client, owner: User, daily: Deal, ended: Ended, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for deal in Deal.objects.filter(day=today()):
        ended(owner, deal)
        for number in range(3):
            ended(User.objects.create_user(f"{deal.game}{number}"), deal)
    with django_assert_max_num_queries(11):
        as_owner.get("/daily/")
    with django_assert_max_num_queries(8):
        Client().get("/daily/")


@pytest.mark.parametrize(
    "zone", ["", "Europe/Berlin", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "x" * 300, "a\0b"]
)
def test_any_time_zone_may_be_named(as_owner: Client, zone: str) -> None:
    as_owner.cookies["timezone"] = zone
    assert as_owner.get("/daily/").status_code == 200


@pytest.mark.parametrize(
    ("played", "streak"),
    [
        ("", Streak(0, False)),
        ("0", Streak(1, True)),
        ("1", Streak(1, False)),
        ("2", Streak(1, False)),  # yesterday is forgiven, and today is not over
        ("3", Streak(0, False)),
        ("0 1 2 3", Streak(4, True)),
        ("0 2 4", Streak(3, True)),
        ("0 1 4 5", Streak(2, True)),
        ("1 3 4 7", Streak(3, False)),
    ],
)
def test_a_streak_forgives_one_date_in_a_row(played: str, streak: Streak) -> None:
    now = date(2026, 3, 1)
    assert count_streak([now - timedelta(days=int(ago)) for ago in played.split()], now) == streak


def test_the_streak_goes_by_the_players_own_date(owner: User, ended: Ended) -> None:
    """Half past eleven in the evening by UTC is the next date in Berlin."""
    for day in (date(2026, 3, 1), date(2026, 3, 4)):
        making._deal_day(day)
        deal = Deal.objects.get(day=day, game="frog")
        ended(owner, deal, at=datetime(day.year, day.month, day.day, 23, 30, tzinfo=UTC))
    making._deal_day(date(2026, 3, 3))
    ended(owner, Deal.objects.get(day=date(2026, 3, 3), game="frog"), at=datetime(2026, 3, 3, 1, tzinfo=UTC))
    assert selectors.streak(owner, date(2026, 3, 5), BERLIN) == Streak(3, True)  # the 2nd, 3rd and 5th
    assert selectors.streak(owner, date(2026, 3, 4), ZoneInfo("UTC")) == Streak(3, True)  # the 1st, 3rd and 4th
    assert selectors.streak(owner, date(2026, 3, 8), BERLIN) == Streak(0, False)


def test_late_and_second_games_make_no_streak(owner: User, daily: Deal, ended: Ended) -> None:
    ended(owner, daily, number=2)
    ended(owner, daily, practice=True)
    move_days(1)
    ended(owner, Deal.objects.get(day=today() - timedelta(days=1), game="fly"))
    assert selectors.streak(owner, today(), BERLIN).dates == 0
