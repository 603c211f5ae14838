"""The pages of races: who may come in, who takes the seat, and what a wrong address says."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Deal
from games.race import seats, selectors
from games.race.models import Entry, OpenTo, Race, Round, Seat
from games.race.seats import Terms

pytestmark = pytest.mark.django_db


@pytest.fixture
def room(owner: User) -> Race:
    """A room with its host; the second seat is free."""
    return seats.invite(host=owner, terms=Terms())


def address(race: Race, name: str = "race") -> str:
    return reverse(name, args=[race.code])


def test_looking_makes_nothing(client: Client, room: Race) -> None:
    for page in ("/race/", address(room), address(room, "race-qr"), f"/race/find/?code={room.code}"):
        assert client.get(page).status_code in (200, 302)
    assert User.objects.count() == 1
    assert Seat.objects.count() == 1


def test_a_stranger_opens_a_room_as_a_guest(client: Client) -> None:
    answer = client.post("/race/new/", {"sharing": "own", "redeal": "on", "best_of": "3"})
    race = Race.objects.get()
    assert answer.headers["Location"] == address(race)
    assert (race.sharing, race.redeal, race.best_of, race.open_to) == ("own", True, 3, OpenTo.FRIEND)
    assert Seat.objects.get().player == User.objects.get(is_guest=True)
    first, second = Deal.objects.all()
    assert {first.kind, second.kind} == {"raced"}
    assert first.deck != second.deck
    assert first.game == "flower-garden-redeal"


def test_what_is_not_said_is_the_same_winnable_deal_once(client: Client) -> None:
    client.post("/race/new/")
    race, deal = Race.objects.get(), Deal.objects.get()
    assert (race.sharing, race.redeal, race.best_of) == ("same", False, 1)
    round_ = Round.objects.get()
    assert round_.first_deal == round_.second_deal == deal


@pytest.mark.parametrize("terms", [{"sharing": "none"}, {"best_of": "2"}, {"best_of": "many"}])
def test_terms_that_are_not_offered_make_no_room(client: Client, terms: dict[str, str]) -> None:
    assert client.post("/race/new/", terms).status_code == 404
    assert not Race.objects.exists()
    assert not User.objects.exists()


def test_no_two_rooms_have_one_code(room: Race, rival: User, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter([room.code, room.code, "FREEAB"])
    monkeypatch.setattr(seats, "new_room_code", lambda: next(codes))
    assert seats.invite(host=rival, terms=Terms()).code == "FREEAB"


def test_the_first_to_come_sits_down_and_the_next_one_watches(client: Client, room: Race) -> None:
    assert client.get(address(room)).context["free"] is True
    client.post(address(room, "race-join"))
    assert client.get(address(room)).context["seat"] == 2
    late = Client()
    assert late.post(address(room, "race-join")).headers["Location"] == address(room)
    page = late.get(address(room)).context
    assert (page["seat"], page["free"]) == (0, False)
    assert User.objects.count() == 2  # nobody became a guest only to watch


def test_the_host_cannot_take_both_seats(client: Client, owner: User, room: Race) -> None:
    client.force_login(owner)
    client.post(address(room, "race-join"))
    page = client.get(address(room)).context
    assert (page["seat"], page["invites"]) == (1, True)
    assert Seat.objects.count() == 1


@pytest.mark.parametrize("typed", ["{}", " {} ", "{:l}", "{0[0]}{0[1]}{0[2]}-{0[3]}{0[4]}{0[5]}"])
def test_a_code_is_found_as_people_type_it(client: Client, room: Race, typed: str) -> None:
    written = typed.replace("{:l}", room.code.lower()).format(room.code)
    assert client.get("/race/find/", {"code": written}).headers["Location"] == address(room)


def test_a_wrong_code_is_told_and_asked_for_again(client: Client) -> None:
    for code in ("", "ABC", "ZZZZZZ", "ABCDEFG", "ÄÖÜÄÖÜ"):
        page = client.get("/race/find/", {"code": code}, follow=True)
        assert "six letters" in page.content.decode()
    assert client.get("/race/ZZZZZZ/").status_code == 404
    assert client.post("/race/ZZZZZZ/join/").status_code == 404
    assert not User.objects.exists()


def test_a_room_of_small_letters_leads_to_the_one_address(client: Client, room: Race) -> None:
    assert client.get(address(room).lower()).headers["Location"] == address(room)


def test_the_code_is_drawn(client: Client, room: Race) -> None:
    picture = client.get(address(room, "race-qr"))
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert picture.content.startswith(b"<svg")


def test_nobody_is_ready_before_the_page_can_hear_it(client: Client, room: Race, owner: User) -> None:
    client.force_login(owner)
    page = client.get(address(room)).content.decode()
    (button,) = re.findall('<button[^>]*data-entry="ready" aria-pressed[^>]*>', page)
    assert "disabled" in button


def is_here(race: Race) -> None:
    round_ = race.rounds.get()
    Entry.objects.create(round=round_, number=1, side=1, text="here", at=race.created_at)


def test_two_who_would_race_anyone_are_paired(owner: User, rival: User, stranger: User) -> None:
    waiting = seats.anyone(player=owner, terms=Terms())
    assert waiting.open_to == OpenTo.ANYONE
    assert seats.anyone(player=rival, terms=Terms()) != waiting  # nobody knows yet whether the host is there
    is_here(waiting)
    assert seats.anyone(player=stranger, terms=Terms(best_of=3)) != waiting  # on other terms
    assert seats.anyone(player=owner, terms=Terms()) == waiting  # nobody is paired with oneself
    assert waiting.seats.count() == 1
    assert seats.anyone(player=stranger, terms=Terms()) == waiting
    assert waiting.seats.count() == 2
    assert seats.anyone(player=rival, terms=Terms()) != waiting


def test_nobody_is_paired_with_a_host_who_has_gone(owner: User, rival: User) -> None:
    waiting = seats.anyone(player=owner, terms=Terms())
    is_here(waiting)
    round_ = waiting.rounds.get()
    Entry.objects.create(round=round_, number=2, side=1, text="closed", at=waiting.created_at)
    assert seats.anyone(player=rival, terms=Terms()) != waiting


def test_rooms_of_a_friend_are_nobody_elses_to_be_paired_with(owner: User, rival: User, room: Race) -> None:
    is_here(room)
    assert seats.anyone(player=rival, terms=Terms()) != room


def test_of_two_who_came_at_once_the_later_goes_to_the_other(owner: User, rival: User, stranger: User) -> None:
    older, newer = (seats.anyone(player=player, terms=Terms()) for player in (owner, rival))
    assert older != newer  # neither was there yet when the other asked
    for room in (older, newer):
        is_here(room)
    assert seats.look_again(host=owner, race=older) == older  # or they would change places
    assert not older.seats.filter(side=2).exists()
    assert seats.look_again(host=rival, race=newer) == older
    assert older.seats.get(side=2).player == rival
    assert seats.look_again(host=owner, race=older) == older  # its guest is on the way
    assert seats.look_again(host=rival, race=newer) == newer  # another tab of the same
    assert seats.anyone(player=stranger, terms=Terms()) not in (older, newer)  # nobody is left in the newer one


def test_who_waits_too_long_to_be_found_finds_the_next_one(owner: User, rival: User) -> None:
    old = seats.anyone(player=owner, terms=Terms())
    Race.objects.update(created_at=old.created_at - selectors.WAITING)
    is_here(old)
    new = seats.anyone(player=rival, terms=Terms())
    is_here(new)
    assert seats.look_again(host=rival, race=new) == new
    assert seats.look_again(host=owner, race=old) == new


def test_only_its_host_looks_again_from_a_room(client: Client, owner: User, rival: User) -> None:
    older, newer = (seats.anyone(player=player, terms=Terms()) for player in (owner, rival))
    is_here(older)
    here, there = address(newer, "race-look-again"), address(older)
    assert client.post(here).headers["Location"] == address(newer)
    client.force_login(owner)
    assert client.post(here).headers["Location"] == address(newer)
    assert Seat.objects.count() == 2
    client.force_login(rival)
    assert client.post(here).headers["Location"] == there
    assert client.get(here).status_code == 405


def test_whoever_has_a_rival_meanwhile_stays(
    owner: User, rival: User, stranger: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    older, newer = (seats.anyone(player=player, terms=Terms()) for player in (owner, rival))
    is_here(older)
    seats.join(player=stranger, race=newer)
    assert seats.look_again(host=rival, race=newer) == newer
    late = Race.objects.filter(pk=newer.pk)
    monkeypatch.setattr(selectors, "own_waiting", lambda player: late)  # as read before the stranger sat down
    assert seats.anyone(player=rival, terms=Terms()) == newer


def test_who_asks_for_anyone_never_only_watches(
    owner: User, rival: User, stranger: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = seats.anyone(player=owner, terms=Terms())
    is_here(room)
    seats.join(player=rival, race=room)
    late = Race.objects.filter(pk=room.pk)
    monkeypatch.setattr(selectors, "waiting", lambda player, before: late)  # as read before the rival sat down
    own = seats.anyone(player=stranger, terms=Terms())
    assert own.seats.get().player == stranger


def test_whoever_presses_twice_waits_in_one_room(owner: User) -> None:
    first = seats.anyone(player=owner, terms=Terms())
    assert seats.anyone(player=owner, terms=Terms()) == first


def test_a_ghost_comes_only_from_a_round_that_is_over(client: Client, owner: User, room: Race) -> None:
    wish = {"code": room.code, "round": "1", "side": "1"}
    assert client.post("/race/ghost/", wish).status_code == 404
    end(room)
    for wrong in ({"side": "3"}, {"side": ""}, {"round": "2"}, {"round": "x"}, {"round": "9" * 30}, {"code": "ZZZZZZ"}):
        assert client.post("/race/ghost/", wish | wrong).status_code == 404
    client.post("/race/ghost/", wish)
    race = Race.objects.get(open_to=OpenTo.GHOST)
    assert race.rounds.get().first_deal == room.rounds.get().first_deal
    assert client.get(address(race)).context["free"] is False


def end(race: Race) -> None:
    at = race.created_at
    race.rounds.update(winner=1, reason="gave-up", started_at=at, ended_at=at)
    race.rounds.get().first_deal.__class__.objects.update(private=False)


def test_pages_ask_few_questions(
    client: Client, owner: User, rival: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(15):
        race = seats.invite(host=owner, terms=Terms())
        seats.join(player=rival, race=race)
    client.force_login(owner)
    with django_assert_max_num_queries(7):
        client.get("/race/")
    with django_assert_max_num_queries(9):
        client.get(address(race))


def test_rooms_and_looking_for_them_are_throttled(client: Client) -> None:
    assert [client.post("/race/new/").status_code for _ in range(32)][-1] == 429  # the first was nobody’s
    assert [client.get("/race/find/?code=ABCDEF").status_code for _ in range(121)][-1] == 429


def test_rows_say_what_they_are(room: Race) -> None:
    entry = Entry.objects.create(round=room.rounds.get(), number=1, side=1, text="here", at=room.created_at)
    assert [str(one) for one in (room, room.seats.get(), room.rounds.get(), entry)] == [
        f"race {room.code}", f"side 1 of race {room.code}", f"round 1 of race {room.code}", "1. 1: here",
    ]  # fmt: skip
