"""Replays: what their frames show, who may look, sharing, and playing on from the middle."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import services
from games.engine.catalogue import GAMES
from games.engine.line import Line
from games.engine.player_view import player_view
from games.history import replay as replays, selectors
from games.models import Attempt, Deal, Kind
from games.selectors import start_table
from tests.games.history.conftest import log_of, winning_entries

pytestmark = pytest.mark.django_db


@pytest.fixture
def won(owner: User) -> Attempt:
    """A garden that the owner has won, in the end by one finish."""
    attempt = services.start(player=owner, game="flower-garden", kind="winnable")
    return log_of(attempt, winning_entries(attempt.deal))


@pytest.fixture
def given_up(owner: User) -> Attempt:
    """A Frog with an undo in it, given up."""
    attempt = services.start(player=owner, game="frog", kind="shuffled")
    return log_of(attempt, ["stock>turned", "undo", "redo", "give-up"], step=40)


def share(client: Client, attempt: Attempt) -> str:
    """Share a replay; the address of its link."""
    client.post(reverse("replay-share", args=[attempt.code]))
    attempt.refresh_from_db()
    return reverse("shared-replay", args=[attempt.share_code])


def part(client: Client, attempt: Attempt, after: int = 0) -> dict:
    return client.get(reverse("replay-frames", args=[attempt.code]), {"after": after}).json()


def test_frames_show_what_the_player_saw(as_owner: Client, given_up: Attempt) -> None:
    frames = part(as_owner, given_up)["frames"]
    assert [frame["view"]["last"] for frame in frames] == ["", "stock>turned", "undo", "redo", "give-up"]
    assert [frame["entry"] for frame in frames] == [0, 1, 2, 3, 4]
    assert [frame["seconds"] for frame in frames] == [0, 0, 40, 80, 120]
    line = Line.begin(GAMES["frog"], start_table(given_up.deal))
    for frame, entry in zip(frames, ["stock>turned", "undo", "redo", "give-up", None], strict=True):
        seen = player_view(line.game, line.at.table)
        assert frame["view"]["piles"] == seen.piles
        assert frame["view"]["outcome"] == ("given-up" if line.given_up else "playing")
        line = line.after(entry) if entry else line


def test_a_finish_is_shown_move_by_move(as_owner: Client, won: Attempt) -> None:
    frames = part(as_owner, won)["frames"]
    homes = [frame["view"]["home"] for frame in frames]
    assert homes == list(range(53))
    assert frames[-1]["view"]["last"] == "finish"
    assert frames[-1]["view"]["outcome"] == "won"
    assert frames[-1]["entry"] == won.version
    assert {frame["entry"] for frame in frames[-5:-1]} <= {won.version - 1, *range(won.version)}


def test_a_long_replay_comes_in_parts(as_owner: Client, given_up: Attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = part(as_owner, given_up)
    assert whole["next"] is None
    monkeypatch.setattr(replays, "A_PART", 2)
    first, second = part(as_owner, given_up), part(as_owner, given_up, after=2)
    assert (first["next"], second["next"]) == (2, None)
    assert first["frames"] + second["frames"] == whole["frames"]


@pytest.mark.parametrize("after", ["-1", "5", "x", "", "99999999999999999999", "²"])
def test_parts_that_are_not_there(as_owner: Client, given_up: Attempt, after: str) -> None:
    assert as_owner.get(reverse("replay-frames", args=[given_up.code]), {"after": after}).status_code == 404


OWN = ["replay", "replay-frames"]
OWN_CHANGES = ["replay-share", "replay-unshare", "replay-take-over"]


@pytest.mark.parametrize("name", OWN)
def test_ones_own_replay_is_ones_own(as_owner: Client, others: list[Client], won: Attempt, name: str) -> None:
    share(as_owner, won)  # a link opens the shared address, never this one
    address = reverse(name, args=[won.code])
    assert as_owner.get(address).status_code == 200
    assert [client.get(address).status_code for client in others] == [404] * 3


@pytest.mark.parametrize("name", OWN_CHANGES)
def test_nobody_else_shares_or_takes_over(others: list[Client], won: Attempt, name: str) -> None:
    address = reverse(name, args=[won.code])
    assert [client.post(address, {"entry": 1}).status_code for client in others] == [404] * 3
    won.refresh_from_db()
    assert won.share_code is None
    assert Attempt.objects.count() == 1


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL: tests/services/only_postgres.py")
def test_a_shared_replay_is_found_by_its_link(won: Attempt) -> None:
    with CaptureQueriesContext(connection) as asked:
        selectors.shared_replay(AnonymousUser(), "nobodyslink")
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {asked[0]['sql']}")
        plan = str(cursor.fetchall())
    assert "USING INDEX attempt_shared" in plan, plan
    assert "SCAN" not in plan, plan


@pytest.mark.parametrize("name", OWN + OWN_CHANGES)
def test_an_open_game_has_no_replay(as_owner: Client, owner: User, name: str) -> None:
    attempt = log_of(services.start(player=owner, game="frog", kind="shuffled"), ["stock>turned"])
    address = reverse(name, args=[attempt.code])
    assert (as_owner.get if name in OWN else as_owner.post)(address).status_code == 404


@pytest.mark.parametrize("name", OWN_CHANGES)
def test_looking_changes_nothing(as_owner: Client, won: Attempt, name: str) -> None:
    assert as_owner.get(reverse(name, args=[won.code])).status_code == 405


def test_a_shared_replay_opens_for_everybody_until_it_is_shared_no_more(
    as_owner: Client, others: list[Client], won: Attempt
) -> None:
    address = share(as_owner, won)
    everybody = [as_owner, *others]
    for client in everybody:
        page = client.get(address)
        assert page.status_code == 200
        assert won.code not in page.content.decode()
        assert won.deal.deck not in page.content.decode()
        assert client.get(f"{address}frames/").json() == part(as_owner, won)
    assert share(as_owner, won) == address
    as_owner.post(reverse("replay-unshare", args=[won.code]))
    assert [client.get(address).status_code for client in everybody] == [404] * 4
    assert [client.get(f"{address}frames/").status_code for client in everybody] == [404] * 4
    assert share(as_owner, won) != address


def test_a_game_that_goes_on_after_an_undo_is_shared_when_it_is_over_again(
    as_owner: Client, others: list[Client], won: Attempt
) -> None:
    address = share(as_owner, won)
    Attempt.objects.filter(pk=won.pk).update(outcome="playing", ended_at=None)  # as after an undo
    assert [client.get(address).status_code for client in [as_owner, *others]] == [404] * 4
    assert [client.get(f"{address}frames/").status_code for client in [as_owner, *others]] == [404] * 4
    Attempt.objects.filter(pk=won.pk).update(outcome="won", ended_at=timezone.now())
    assert [client.get(address).status_code for client in [as_owner, *others]] == [200] * 4


def test_a_daily_replay_opens_for_others_when_the_day_is_over(
    as_owner: Client, others: list[Client], won: Attempt
) -> None:
    address = share(as_owner, won)
    today = timezone.now().date()
    Deal.objects.filter(pk=won.deal_id).update(kind=Kind.DAILY, day=today)
    assert [client.get(address).status_code for client in others] == [404] * 3
    assert [client.get(f"{address}frames/").status_code for client in others] == [404] * 3
    assert as_owner.get(reverse("replay", args=[won.code])).status_code == 200
    Deal.objects.filter(pk=won.deal_id).update(day=today - timedelta(days=1))
    assert [client.get(address).status_code for client in others] == [200] * 3


def test_a_private_deal_stays_private(as_owner: Client, others: list[Client], won: Attempt, owner: User) -> None:
    address = share(as_owner, won)
    Deal.objects.filter(pk=won.deal_id).update(private=True, made_by=owner)
    assert [client.get(address).status_code for client in others] == [404] * 3


def test_a_replay_without_a_player_is_nobodys_to_show(as_owner: Client, others: list[Client], won: Attempt) -> None:
    address = share(as_owner, won)
    Attempt.objects.filter(pk=won.pk).update(player=None)  # the account is deleted
    assert [client.get(address).status_code for client in others] == [404] * 3


def test_taking_over_begins_practice_where_the_replay_stands(as_owner: Client, given_up: Attempt) -> None:
    answer = as_owner.post(reverse("replay-take-over", args=[given_up.code]), {"entry": 3})
    begun = Attempt.objects.exclude(pk=given_up.pk).get()
    assert answer.headers["Location"] == reverse("table", args=[begun.code])
    assert list(begun.entries.order_by("number").values_list("text", flat=True)) == ["stock>turned", "undo", "redo"]
    assert (begun.practice, begun.outcome, begun.version, begun.number) == (True, "playing", 3, 2)
    call_command("check_logs")
    given_up.refresh_from_db()
    assert (given_up.version, given_up.practice) == (4, False)


def test_taking_over_from_the_opening(as_owner: Client, given_up: Attempt) -> None:
    as_owner.post(reverse("replay-take-over", args=[given_up.code]), {"entry": 0})
    begun = Attempt.objects.exclude(pk=given_up.pk).get()
    assert (begun.version, begun.started_at, begun.practice) == (0, None, True)


def test_nothing_can_be_played_after_giving_up(as_owner: Client, given_up: Attempt) -> None:
    answer = as_owner.post(reverse("replay-take-over", args=[given_up.code]), {"entry": 4})
    assert answer.headers["Location"] == reverse("replay", args=[given_up.code])
    assert Attempt.objects.count() == 1


@pytest.mark.parametrize("entry", ["", "-1", "5", "x", "1e9"])
def test_taking_over_from_nowhere(as_owner: Client, given_up: Attempt, entry: str) -> None:
    assert as_owner.post(reverse("replay-take-over", args=[given_up.code]), {"entry": entry}).status_code == 404


def test_replays_cost_few_queries(
    as_owner: Client, won: Attempt, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    address = share(as_owner, won)
    for page in (reverse("replay", args=[won.code]), address, f"{address}frames/"):
        as_owner.get(page)
        with django_assert_max_num_queries(5):
            as_owner.get(page)
    with django_assert_max_num_queries(16):
        as_owner.post(reverse("replay-take-over", args=[won.code]), {"entry": 3})


@pytest.mark.parametrize("slug", GAMES)
def test_the_replay_of_each_game_has_its_places(as_owner: Client, owner: User, slug: str) -> None:
    attempt = services.start(player=owner, game=slug, kind="winnable" if "garden" in slug else "shuffled")
    move = str(GAMES[slug].legal_moves(start_table(attempt.deal))[0])
    log_of(attempt, [move, "give-up"])
    page = as_owner.get(reverse("replay", args=[attempt.code])).content.decode()
    assert page.count("data-pile=") == len(part(as_owner, attempt)["frames"][0]["view"]["piles"])
