"""One's own races: the list, the record of two, and figures of their own."""

from datetime import timedelta
from itertools import chain

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from accounts.services import claim, close
from games.race import results, seats
from games.race.models import Race, Round
from games.race.past import history
from games.race.results import Score
from games.race.seats import Terms
from tests.games.history.conftest import as_owner, client_of
from tests.games.race.runs import NOON, between, deal_next, picks, run, together, wrong

__all__ = ["as_owner"]  # a fixture
pytestmark = pytest.mark.django_db


def again(race: Race, minutes: int, by: int) -> Round:
    """Run the newest round, or the next one if that is over, until a side gives up."""
    deal_next(race)
    return run(race, at=NOON + timedelta(minutes=minutes), by=by)


@pytest.fixture
def three(owner: User, rival: User) -> Race:
    """Best of three between owner and rival, 2 : 1."""
    race = between(owner, rival, best_of=3)
    again(race, minutes=1, by=2)
    again(race, minutes=2, by=1)
    deal_next(race)
    run(race, together(picks(race, 1, 1.0), [wrong(race, 1, 0.2)]), at=NOON + timedelta(minutes=3))
    return race


def test_each_round_is_told_to_either_player(as_owner: Client, rival: User, three: Race) -> None:
    page = as_owner.get("/mine/races/")
    rounds = page.context["rounds"]
    assert [one["result"] for one in rounds] == ["won", "lost", "won"]
    assert [str(one["why"]) for one in rounds][1:] == ["you gave up", "your rival gave up"]
    assert [one["match"] for one in rounds] == ["match over at 2 : 1", "match at 1 : 1", "match at 1 : 0"]
    assert {one["rival"] for one in rounds} == {"rival"}
    assert rounds[0]["home"] > rounds[0]["rival_home"] == 0
    assert f"/race/{three.code}/3/" in page.text
    theirs = client_of(rival).get("/mine/races/").context["rounds"]
    assert [one["result"] for one in theirs] == ["lost", "won", "lost"]
    assert theirs[0]["match"] == "match over at 1 : 2"
    assert (theirs[0]["home"], theirs[0]["rival_home"]) == (rounds[0]["rival_home"], rounds[0]["home"])


def test_figures_are_of_races_and_of_matches(as_owner: Client, three: Race) -> None:
    figures = as_owner.get("/mine/races/").context["figures"]
    assert figures["rounds"] == Score(won=2, lost=1)
    assert figures["matches"] == Score(won=1)
    assert figures["fastest"] == f"0:{three.rounds.get(number=3).first_home}"
    assert figures["average_misses"] == pytest.approx(1 / 3)
    assert {(end["result"], end["count"]) for end in figures["ends"]} == {("won", 1), ("lost", 1)}
    assert "No game has ended yet" in as_owner.get("/mine/statistics/").text
    assert as_owner.get("/mine/").context["attempts"] == []


def test_a_match_that_goes_on_is_no_match_yet(as_owner: Client, owner: User, rival: User) -> None:
    race = between(owner, rival, best_of=3)
    run(race)
    figures = as_owner.get("/mine/races/").context["figures"]
    assert (figures["rounds"].played, figures["matches"].played) == (1, 0)


def test_the_record_of_two_is_theirs_alone(owner: User, rival: User, stranger: User, three: Race) -> None:
    run(between(stranger, owner), by=1)
    run(between(rival, owner), by=2)
    assert history.head_to_head(owner, rival) == Score(won=2, lost=2)
    assert history.head_to_head(rival, owner) == Score(won=2, lost=2)
    assert history.head_to_head(owner, stranger) == Score(won=1)
    assert history.head_to_head(rival, stranger) == Score()


def test_a_draw_counts_as_such(owner: User, rival: User) -> None:
    race = between(owner, rival)
    run(race)
    Round.objects.update(winner=0, reason="draw")
    assert history.head_to_head(owner, rival) == Score(drawn=1)
    everything, each = results.count(history.counted(history.rounds_of(owner), owner))
    assert everything.rounds == everything.matches == each[rival.pk].rounds == Score(drawn=1)


def test_one_rival_can_be_chosen_by_a_race_with_them(
    as_owner: Client, owner: User, rival: User, stranger: User, three: Race
) -> None:
    other = between(owner, stranger)
    run(other, by=1, at=NOON + timedelta(hours=1))
    page = as_owner.get(f"/mine/races/?rival={three.code}")
    assert page.context["rival"] == rival
    assert len(page.context["rounds"]) == 3
    assert page.context["figures"]["rounds"] == Score(won=2, lost=1)
    assert [one["name"] for one in page.context["rivals"] if one["is_chosen"]] == ["rival"]
    everything = as_owner.get("/mine/races/").context
    assert len(everything["rounds"]) == 4
    assert [(one["name"], one["code"]) for one in everything["rivals"]] == [
        ("rival", three.code),
        ("stranger", other.code),
    ]


def test_nothing_of_others_is_told(as_owner: Client, rival: User, stranger: User, three: Race) -> None:
    theirs = between(rival, stranger)
    run(theirs)
    page = as_owner.get(f"/mine/races/?rival={theirs.code}")
    assert page.context["rival"] is None, "the owner sat at no side of it"
    assert "stranger" not in page.text
    assert f"/race/{theirs.code}/" not in page.text
    for code in ("", "ZZZZZZ", "x" * 500):
        assert as_owner.get("/mine/races/", {"rival": code}).context["rival"] is None


def test_a_round_that_goes_on_is_not_listed(as_owner: Client, race: Race) -> None:
    run(race, end="luck")
    assert as_owner.get("/mine/races/").context["rounds"] == []


def test_a_ghost_is_listed_and_not_counted(as_owner: Client, owner: User, three: Race) -> None:
    ghosts = seats.haunt(player=owner, round_=three.rounds.get(number=3), side=1)
    run(ghosts, end="give-up", by=1, at=NOON + timedelta(hours=1))
    page = as_owner.get("/mine/races/").context
    assert page["rounds"][0]["rival"] == "Ghost of owner"
    assert page["figures"]["rounds"].played == 3


def test_a_rival_who_has_left_has_no_name(as_owner: Client, owner: User, rival: User, three: Race) -> None:
    close(user=rival)
    page = as_owner.get("/mine/races/")
    assert {one["rival"] for one in page.context["rounds"]} == {"Somebody who has left"}
    assert page.context["rivals"] == []
    assert page.context["figures"]["rounds"] == Score(won=2, lost=1)


def test_what_a_guest_has_raced_becomes_the_members(rival: User, stranger: User) -> None:
    guest = User.objects.create_user("guest-0", is_guest=True)
    run(between(rival, guest), by=1)
    claim(guest=guest, member=stranger)
    page = client_of(stranger).get("/mine/races/").context
    assert [(one["rival"], one["result"]) for one in page["rounds"]] == [("rival", "won")]
    assert history.head_to_head(rival, stranger) == Score(lost=1)


def test_pages_show_every_round_once(as_owner: Client, owner: User, rival: User) -> None:
    race = between(owner, rival)
    first = run(race)
    rows = [
        Round(race=race, number=n, match=n, first_deal=first.first_deal, second_deal=first.first_deal)
        for n in range(2, 46)
    ]
    for row in rows:
        row.winner, row.reason, row.started_at = 1, "gave-up", NOON
        row.ended_at = NOON + timedelta(minutes=1 + row.number // 3)
    Round.objects.bulk_create(rows)
    query, found = "", []
    while query is not None:
        page = as_owner.get(f"/mine/races/?{query}").context
        found.append([one["number"] for one in page["rounds"]])
        query = page["older"]
    assert [len(numbers) for numbers in found] == [20, 20, 5]
    assert list(chain(*found)) == list(range(45, 0, -1))
    kept = as_owner.get(f"/mine/races/?rival={race.code}").context["older"]
    assert f"rival={race.code}" in kept


def test_the_page_asks_the_same_however_many_races_there_are(
    as_owner: Client, owner: User, rival: User, stranger: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for player in (rival, stranger):
        for _ in range(6):
            run(between(owner, player, best_of=3))
    ghosts = seats.haunt(player=owner, round_=Round.objects.first(), side=1)  # type: ignore[arg-type]
    run(ghosts, by=1)
    with django_assert_max_num_queries(12):
        page = as_owner.get("/mine/races/")
    assert len(page.context["rounds"]) == 13
    code = page.context["rivals"][0]["code"]
    with django_assert_max_num_queries(14):
        as_owner.get(f"/mine/races/?rival={code}")


def test_who_is_not_known_is_asked_to_log_in(client: Client) -> None:
    assert client.get("/mine/races/").headers["Location"].startswith("/accounts/login/")


def test_each_of_the_pages_leads_to_the_others(as_owner: Client) -> None:
    for path in ("/mine/", "/mine/races/", "/mine/statistics/"):
        page = as_owner.get(path).text
        for other in ("/mine/", "/mine/races/", "/mine/statistics/"):
            assert f'href="{other}"' in page


def test_the_room_knows_the_record_of_the_two(
    as_owner: Client, rival: User, three: Race, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(10):
        assert as_owner.get(f"/race/{three.code}/").context["head_to_head"] == Score(won=2, lost=1)
    theirs = client_of(rival).get(f"/race/{three.code}/")
    assert theirs.context["head_to_head"] == Score(won=1, lost=2)
    assert "1 won, 2 lost" in theirs.text
    assert Client().get(f"/race/{three.code}/").context["head_to_head"] is None, "whoever watches is no side of it"


def test_a_room_of_one_has_no_record(as_owner: Client, owner: User) -> None:
    race = seats.invite(host=owner, terms=Terms())
    assert as_owner.get(f"/race/{race.code}/").context["head_to_head"] is None
