"""The replay of a round: what its frames show, and that no card leaves before the round is over."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Deal
from games.race import seats, selectors
from games.race.models import Race, Round
from games.race.seats import Terms
from tests.games.history.conftest import client_of
from tests.games.race.runs import Wish, picks, run, together, wrong

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(race: Race) -> Round:
    """The owner wins by emptying the beds; the rival, slower, picks wrongly once."""
    return run(race, together(picks(race, 1, 1.0), [wrong(race, 2, 0.5)], picks(race, 2, 1.7)))


def frames(round_: Round, client: Client | None = None) -> dict:
    address = reverse("race-frames", args=[round_.race.code, round_.number])
    return (client or Client()).get(address).json()


def test_both_gardens_are_shown_on_one_clock(ended: Round) -> None:
    told = frames(ended)
    one, two = told["sides"]
    assert (one["name"], two["name"]) == ("owner", "rival")
    assert (told["winner"], told["reason"]) == (1, "beds")
    assert [frame["home"] for frame in one["frames"]] == list(range(ended.first_home + 1))
    assert [frame["seconds"] for frame in one["frames"]][:3] == [0, 1, 2]
    assert told["seconds"] == one["frames"][-1]["seconds"] == ended.first_home
    assert two["frames"][-1]["home"] == ended.second_home
    assert ended.second_misses == 1
    numbers = sorted(frame["number"] for side in (one, two) for frame in side["frames"])
    assert numbers[:2] == [0, 0]
    assert len(set(numbers)) == len(numbers) - 1, "each moment is one side's, but the start"


def test_frames_show_what_the_log_says(ended: Round) -> None:
    opening = selectors.opening(ended)
    told = frames(ended)["sides"][1]["frames"]
    assert told[0]["piles"]["bed1"] == list(map(str, told[0]["piles"]["bed1"]))
    assert sum(len(pile) for pile in told[0]["piles"].values()) == 52
    assert told[1]["text"] == f"miss {wrong(ended.race, 2, 0)[2]}"
    assert told[1]["piles"] is None, "nothing has changed"
    assert told[2]["text"] == str(opening.side(2).moves[0])
    source = opening.side(2).moves[0].source
    assert told[2]["piles"][source] == told[0]["piles"][source][:-1]


@pytest.mark.parametrize("name", ["race-replay", "race-frames"])
@pytest.mark.parametrize("who", ["owner", "rival", "stranger", None])
def test_whoever_has_the_link_may_look_once_it_is_over(race: Race, stranger: User, name: str, who: str | None) -> None:
    client = client_of(User.objects.get(username=who) if who else None)
    address = reverse(name, args=[race.code, 1])
    assert client.get(address).status_code == 404, "not begun"
    run(race)
    assert client.get(address).status_code == 200
    assert client.get(reverse(name, args=[race.code.lower(), 1])).status_code == 200
    assert client.get(reverse(name, args=[race.code, 2])).status_code == 404
    assert client.get(reverse(name, args=["ZZZZZZ", 1])).status_code == 404


def test_a_round_that_is_run_shows_nothing_yet(race: Race) -> None:
    round_ = run(race, picks(race, 1, 1.0, count=3), end="luck")
    assert round_.ended_at is None
    for name in ("race-replay", "race-frames"):
        assert Client().get(reverse(name, args=[race.code, 1])).status_code == 404


def test_the_page_leads_on(ended: Round, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_max_num_queries(6):
        page = Client().get(reverse("race-replay", args=[ended.race.code, 1])).text
    assert "owner emptied the six beds first and wins." in page
    assert page.count(reverse("deal", args=[ended.first_deal.code])) == 2, "the same deal on both sides"
    assert reverse("race", args=[ended.race.code]) in page
    assert page.count(f'action="{reverse("race-ghost")}"') == 2
    assert Client().get(reverse("deal", args=[ended.first_deal.code])).status_code == 200
    assert not Deal.objects.get(pk=ended.first_deal_id).private


def test_guests_have_no_name_there(owner: User) -> None:
    guest = User.objects.create_user("guest-secret", is_guest=True)
    race = seats.invite(host=owner, terms=Terms())
    seats.join(player=guest, race=race)
    round_ = run(race)
    assert [side["name"] for side in frames(round_)["sides"]] == ["owner", "Guest 2"]
    assert "secret" not in Client().get(reverse("race-replay", args=[race.code, 1])).text


def test_a_race_against_a_ghost_is_shown_with_the_ghost(ended: Round, stranger: User) -> None:
    race = seats.haunt(player=stranger, round_=ended, side=2)
    told = frames(run(race, picks(race, 1, 0.5)))
    assert [side["name"] for side in told["sides"]] == ["stranger", "Ghost of rival"]
    theirs = frames(ended)["sides"][1]["frames"]
    seen = [(frame["seconds"], frame["text"]) for frame in told["sides"][1]["frames"]]
    assert seen == [(frame["seconds"], frame["text"]) for frame in theirs][: len(seen)]
    assert len(seen) > 10


@pytest.mark.parametrize(
    ("wishes", "reason", "text"),
    [
        ([], "gave-up", "give-up"),
        ([(5, 2, "closed"), (20, 1, "claim")], "left", "claim"),
        ([(61, 1, "call"), (90, 1, "luck")], "time", "time"),
    ],
)
def test_each_end_is_told(race: Race, wishes: list[Wish], reason: str, text: str) -> None:
    ended = run(race, wishes)
    assert (ended.reason, ended.winner) == (reason, 1)
    assert text in [frame["text"] for side in frames(ended)["sides"] for frame in side["frames"]]
