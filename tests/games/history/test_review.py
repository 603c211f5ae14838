"""Where a lost game could still be won: the right position, and nobody told who may not know the deck."""

import random

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import services, winning
from games.engine.catalogue import GAMES
from games.engine.line import Line, replay
from games.history import review, selectors
from games.models import Attempt, Deal, Kind
from games.selectors import start_table
from tests.games.history.conftest import log_of

pytestmark = pytest.mark.django_db


def winnable(owner: User, slug: str = "frog") -> Attempt:
    return services.start(player=owner, game=slug, kind="winnable")


def line_of(attempt: Attempt, entries: list[str]) -> Line:
    return replay(GAMES[attempt.game], start_table(attempt.deal), entries)


def good_moves(attempt: Attempt, count: int) -> list[str]:
    moves = winning.line(GAMES[attempt.game], start_table(attempt.deal))
    assert moves
    return [str(move) for move in moves[:count]]


def thrown_away(attempt: Attempt, entries: list[str]) -> list[str]:
    """Play on without a thought until nothing goes; again where that wins."""
    for seed in range(50):
        rng, line, played = random.Random(seed), line_of(attempt, entries), list(entries)
        while line.outcome == "playing":
            played.append(str(rng.choice(line.game.legal_moves(line.at.table))))
            line = line.after(played[-1])
        if line.outcome == "stuck":
            return played
    raise AssertionError("won without a thought, again and again")


def ask(client: Client, attempt: Attempt) -> str:
    """The status and where the answer leads."""
    answer = client.post(reverse("replay-review", args=[attempt.code]))
    return str(getattr(answer, "url", answer.status_code))


@pytest.mark.parametrize("slug", ["frog", "le-crapaud", "fanny"])
def test_it_is_the_last_position_that_the_player_wins_from(as_owner: Client, owner: User, slug: str) -> None:
    attempt = winnable(owner, slug)
    entries = [*thrown_away(attempt, good_moves(attempt, 40)), "reveal"]
    log_of(attempt, entries)
    wins = [
        bool(winning.line(GAMES[slug], line_of(attempt, entries[:count]).at.table)) for count in range(len(entries))
    ]
    last = max(count for count, won in enumerate(wins) if won)
    assert last >= 40
    assert ask(as_owner, attempt) == reverse("replay", args=[attempt.code]) + f"#last-win-{last}"


def test_a_game_given_up_too_early_was_not_lost_yet(as_owner: Client, owner: User) -> None:
    attempt = winnable(owner)
    log_of(attempt, [*good_moves(attempt, 20), "give-up"])
    assert ask(as_owner, attempt).endswith("#last-win-20")


def test_what_was_taken_back_or_begun_again_is_not_looked_at(as_owner: Client, owner: User) -> None:
    attempt = winnable(owner)
    good = good_moves(attempt, 10)
    undone = [*good, "undo", "undo", *good[8:], "give-up"]
    assert line_of(attempt, undone).undos == 2
    log_of(attempt, undone)
    assert ask(as_owner, attempt).endswith("#last-win-14")
    again = winnable(owner)
    good = good_moves(again, 10)
    log_of(again, [*good, "restart", "give-up"])
    assert ask(as_owner, again).endswith("#last-win-11")


def test_the_search_has_an_end_and_says_so(as_owner: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    attempt = winnable(owner)
    log_of(attempt, [*thrown_away(attempt, good_moves(attempt, 5)), "reveal"])
    monkeypatch.setattr(review, "MOST_TRIES", 1)
    assert ask(as_owner, attempt) == reverse("replay", args=[attempt.code]) + "#no-win"


def test_nobody_else_may_ask(others: list[Client], owner: User) -> None:
    attempt = winnable(owner)
    log_of(attempt, [*good_moves(attempt, 5), "give-up"])
    assert [ask(client, attempt) for client in others] == ["404"] * 3


@pytest.fixture
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is even looked for."""
    monkeypatch.setattr(review, "last_win", lambda attempt: pytest.fail("looked for a win"))


@pytest.mark.usefixtures("no_search")
def test_not_while_the_game_goes_on(as_owner: Client, owner: User) -> None:
    attempt = winnable(owner)
    log_of(attempt, good_moves(attempt, 5))
    assert ask(as_owner, attempt) == "404"


@pytest.mark.usefixtures("no_search")
def test_of_a_stuck_game_only_when_nothing_can_be_taken_back_any_more(as_owner: Client, owner: User) -> None:
    stuck = winnable(owner)
    log_of(stuck, thrown_away(stuck, good_moves(stuck, 5)))
    proof = reverse("proof", args=[stuck.code])
    assert ask(as_owner, stuck) == proof
    assert "look at the deck first" in as_owner.get(proof).content.decode()


@pytest.mark.usefixtures("no_search")
def test_not_before_the_first_attempt_at_the_deal_is_over(as_owner: Client, owner: User) -> None:
    first = winnable(owner)
    log_of(first, ["stock>turned"])
    second = Attempt.objects.create(player=owner, deal=first.deal, game=first.game, number=2)
    log_of(second, ["stock>turned", "give-up"])
    assert ask(as_owner, second) == reverse("proof", args=[second.code])


@pytest.mark.usefixtures("no_search")
def test_of_a_daily_deal_not_before_its_day_is_over(as_owner: Client, owner: User) -> None:
    attempt = winnable(owner)
    log_of(attempt, [*good_moves(attempt, 5), "give-up"])
    Deal.objects.filter(pk=attempt.deal_id).update(kind=Kind.DAILY, day=timezone.now().date())
    assert ask(as_owner, attempt) == reverse("proof", args=[attempt.code])


@pytest.mark.usefixtures("no_search")
def test_not_of_a_log_without_end(as_owner: Client, owner: User) -> None:
    attempt = winnable(owner)
    log_of(attempt, ["stock>turned", "give-up"])
    Attempt.objects.filter(pk=attempt.pk).update(version=selectors.LONGEST_REVIEW + 1)
    assert ask(as_owner, attempt) == "404"


def test_a_garden_knows_no_mistakes(as_owner: Client, owner: User) -> None:
    attempt = winnable(owner, "flower-garden")
    first = GAMES["flower-garden"].legal_moves(start_table(attempt.deal))[0]
    log_of(attempt, [str(first), "give-up"])
    assert ask(as_owner, attempt) == "404"


def test_asking_is_throttled(as_owner: Client, owner: User) -> None:
    attempt = winnable(owner)
    log_of(attempt, [*good_moves(attempt, 5), "give-up"])
    assert [ask(as_owner, attempt) for _ in range(7)][5:] == [
        reverse("replay", args=[attempt.code]) + "#last-win-5",
        "429",
    ]
