"""What becomes of races: in the copy of one's data, when accounts go, in the check of logs, and in the admin."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from accounts.services import close
from games import services
from games.data import export
from games.models import Attempt, Deal
from games.race import seats
from games.race.models import Entry, Race, Round, Seat
from games.race.seats import Terms
from tests.games.race.runs import NOON, between, deal_next, picks, run, together, wrong

pytestmark = pytest.mark.django_db(transaction=True)
LONG_AGO = timezone.now() - timedelta(days=100)


@pytest.fixture
def guest(db: None) -> User:
    return User.objects.create_user("guest-0", is_guest=True)


@pytest.fixture
def ended(race: Race) -> Round:
    return run(race, together(picks(race, 1, 1.0), [wrong(race, 2, 0.5)], picks(race, 2, 1.7)))


def alone(player: User) -> Race:
    return seats.invite(host=player, terms=Terms())


# The copy


def text_of(user: User) -> str:
    async def whole(text: AsyncIterator[str]) -> str:
        return "".join([piece async for piece in text])

    return async_to_sync(whole)(export.as_json(user))


def told(user: User) -> list[dict[str, Any]]:
    races: list[dict[str, Any]] = json.loads(text_of(user))["races"]
    return races


def test_the_copy_tells_each_round_with_its_log(owner: User, rival: User, ended: Round) -> None:
    (mine,), (theirs,) = told(owner), told(rival)
    assert (mine["side"], theirs["side"]) == (1, 2)
    assert mine["race"]["code"] == ended.race.code
    assert (mine["winner"], mine["reason"], mine["second_misses"]) == (1, "beds", 1)
    assert [line["entry"] for line in mine["log"]] == [entry.text for entry in ended.entries.order_by("number")]
    assert mine["deals"][0]["deck"] == ended.first_deal.deck
    assert mine | {"side": 2} == theirs


def test_a_copy_holds_no_card_and_no_pick_of_the_rivals_before_the_end(owner: User, race: Race) -> None:
    round_ = run(race, together(picks(race, 1, 1.0, count=3), picks(race, 2, 1.7, count=3)), end="luck")
    (mine,) = told(owner)
    assert round_.first_deal.deck not in text_of(owner)
    assert round_.first_deal.nonce not in text_of(owner)
    assert mine["deals"][0]["commitment"] == round_.first_deal.commitment
    assert {line["side"] for line in mine["log"]} == {0, 1}
    assert sum(">" in line["entry"] for line in mine["log"]) == 3


def test_the_next_round_is_sealed_in_the_copy_though_the_last_is_open(owner: User, ended: Round) -> None:
    deal_next(ended.race)
    first, second = told(owner)
    assert first["deals"][0]["deck"]
    assert second["deals"][0]["deck"] is None


def test_a_copy_is_of_ones_own_races(stranger: User, ended: Round) -> None:
    assert told(stranger) == []
    assert ended.race.code not in text_of(stranger)


def test_the_copy_asks_by_chunks(
    owner: User, race: Race, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(4):
        run(race)
        deal_next(race)
    with django_assert_max_num_queries(6):
        assert len(told(owner)) == 5


# Closing


def test_a_race_of_two_stays_the_rivals(owner: User, rival: User, ended: Round) -> None:
    before = list(Entry.objects.values())
    close(user=owner)
    ended.refresh_from_db()
    assert ended.winner == 1
    assert list(Entry.objects.values()) == before
    assert {seat.side: seat.player for seat in Seat.objects.all()} == {1: None, 2: rival}
    page = Client().get(f"/race/{ended.race.code}/1/")
    assert page.status_code == 200
    assert "owner" not in page.text
    assert Client().get(f"/race/{ended.race.code}/").status_code == 200


def test_a_race_that_both_have_left_goes(owner: User, rival: User, ended: Round) -> None:
    close(user=owner)
    close(user=rival)
    assert not Race.objects.exists()
    assert not Deal.objects.exists()


def test_a_room_that_nobody_else_joined_goes_with_its_deal(owner: User, rival: User) -> None:
    lonely, others = alone(owner), alone(rival)
    close(user=owner)
    assert not Race.objects.filter(pk=lonely.pk).exists()
    assert list(Deal.objects.all()) == [others.rounds.get().first_deal]


def test_a_raced_deal_that_somebody_plays_alone_stays(owner: User, rival: User, stranger: User, ended: Round) -> None:
    services.play_deal(player=stranger, deal=Deal.objects.get())
    close(user=owner)
    close(user=rival)
    assert Attempt.objects.get().deal == Deal.objects.get()
    assert not Race.objects.exists()


def test_a_race_stays_while_its_ghost_runs_elsewhere(owner: User, rival: User, stranger: User, ended: Round) -> None:
    haunted = seats.haunt(player=stranger, round_=ended, side=1)
    close(user=owner)
    close(user=rival)
    assert Race.objects.filter(pk=ended.race_id).exists()
    run(haunted, end="give-up", by=1)
    assert Client().get(f"/race/{haunted.code}/1/").status_code == 200
    close(user=stranger)
    assert not Race.objects.exists()
    assert not Deal.objects.exists()


def test_ones_own_ghosts_go_too(owner: User) -> None:
    race = alone(owner)
    guest = User.objects.create_user("guest-1", is_guest=True)
    seats.join(player=guest, race=race)
    round_ = run(race)
    first = seats.haunt(player=owner, round_=round_, side=1)
    seats.haunt(player=owner, round_=run(first, by=1), side=1)
    Seat.objects.filter(player=guest).update(player=None)
    close(user=owner)
    assert not Race.objects.exists()
    assert not Deal.objects.exists()


# Sweeping


def sweep() -> None:
    User.objects.update(date_joined=LONG_AGO)
    call_command("sweep_guests")


def test_a_guest_who_finished_a_round_stays(guest: User, rival: User) -> None:
    run(between(guest, rival))
    Race.objects.update(created_at=LONG_AGO)
    sweep()
    assert User.objects.filter(pk=guest.pk).exists()


@pytest.mark.parametrize("lately", ["opened", "played"])
def test_a_guest_who_was_in_a_race_lately_stays(guest: User, rival: User, lately: str) -> None:
    race = between(guest, rival)
    run(race, at=LONG_AGO, end="luck")
    Race.objects.update(created_at=timezone.now() if lately == "opened" else LONG_AGO)
    if lately == "played":
        Entry.objects.filter(number=1).update(at=timezone.now())
    sweep()
    assert User.objects.filter(pk=guest.pk).exists()


def test_an_idle_guest_goes_with_a_lonely_room_and_leaves_a_seat(guest: User, rival: User) -> None:
    lonely, shared = alone(guest), between(rival, guest)
    Race.objects.update(created_at=LONG_AGO)
    sweep()
    assert list(User.objects.all()) == [rival]
    assert not Race.objects.filter(pk=lonely.pk).exists()
    assert list(Deal.objects.all()) == [shared.rounds.get().first_deal]
    assert shared.seats.get(side=2).player is None


# Logs


def test_logs_of_races_agree(ended: Round, capsys: pytest.CaptureFixture[str]) -> None:
    deal_next(ended.race)
    haunted = seats.haunt(player=User.objects.create_user("third"), round_=ended, side=2)
    run(haunted, picks(haunted, 1, 0.5))
    call_command("check_logs")
    assert "3 logs agree" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("figure", "value"),
    [
        ("winner", 2),
        ("reason", "count"),
        ("first_home", 7),
        ("second_misses", 9),
        ("started_at", NOON),
        ("ended_at", NOON),
    ],
)
def test_a_row_that_says_otherwise_is_found(
    ended: Round, figure: str, value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    Round.objects.update(**{figure: value})
    with pytest.raises(CommandError, match="1 differences in 1 logs"):
        call_command("check_logs")
    assert f"round 1 of race {ended.race.code}: {figure} is" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda: Entry.objects.filter(number=5).delete(), "the entries are numbered"),
        (lambda: Entry.objects.filter(number=5).update(text="nonsense"), "cannot be replayed"),
        (lambda: Round.objects.update(winner=None, reason="", ended_at=None), "winner is None, its log says 1"),
    ],
)
def test_a_spoilt_log_is_found(ended: Round, spoil: Any, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    spoil()
    with pytest.raises(CommandError):
        call_command("check_logs")
    assert said in capsys.readouterr().err


def test_an_end_that_the_log_does_not_know_is_found(race: Race, capsys: pytest.CaptureFixture[str]) -> None:
    run(race, end="luck")
    Round.objects.update(winner=1, reason="beds", ended_at=NOON)
    with pytest.raises(CommandError):
        call_command("check_logs")
    assert "winner is 1, its log says None" in capsys.readouterr().err


# The admin

RACES, ROUNDS = "/admin/race/race/", "/admin/race/round/"


def test_an_ended_round_is_shown_with_gardens_and_log(admin_client: Client, ended: Round) -> None:
    page = admin_client.get(f"{ROUNDS}{ended.pk}/change/").text
    assert "bed1&gt;foundation" in page
    assert page.count("<pre>") == 3, "two gardens and the log"
    assert "owner" in admin_client.get(f"{RACES}{ended.race_id}/change/").text


def test_a_round_that_is_not_over_shows_no_card_and_no_pick(admin_client: Client, race: Race) -> None:
    round_ = run(race, together(picks(race, 1, 1.0, count=3), [wrong(race, 2, 0.5)]), end="luck")
    page = admin_client.get(f"{ROUNDS}{round_.pk}/change/").text
    assert "The round is not over." in page
    assert page.count("a pick") >= 4
    for secret in ("foundation", "miss bed", "bed1", round_.first_deal.nonce, round_.first_deal.deck[:20]):
        assert secret not in page
    assert "luck" in page


def test_nothing_there_alters_a_race(admin_client: Client, ended: Round) -> None:
    before = [list(model.objects.values()) for model in (Race, Round, Seat, Entry)]
    for path in (f"{RACES}{ended.race_id}", f"{ROUNDS}{ended.pk}"):
        for act in ("delete", "change"):
            assert admin_client.post(f"{path}/{act}/", {"winner": 2, "post": "yes"}).status_code == 403
    for path in (RACES, ROUNDS):
        assert admin_client.post(f"{path}add/", {}).status_code == 403
    assert [list(model.objects.values()) for model in (Race, Round, Seat, Entry)] == before


@pytest.mark.parametrize("path", [RACES, ROUNDS, f"{RACES}?q=owner", f"{ROUNDS}?q=ABCDEF"])
def test_lists_ask_the_same_however_long_they_are(
    admin_client: Client, owner: User, rival: User, path: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(12):
        between(owner, rival)
    with django_assert_max_num_queries(8):
        assert admin_client.get(path).status_code == 200


def test_the_admin_is_for_the_staff(client: Client, owner: User) -> None:
    client.force_login(owner)
    for path in (RACES, ROUNDS):
        assert client.get(path, follow=True).status_code == 403
