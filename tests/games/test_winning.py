"""Winnable deals that are shuffled: they were won, by the engine's rules and without a look at hidden cards."""

import random
from collections.abc import Sequence

import pytest
from django.test import Client

from games import shuffling, winning
from games.engine.catalogue import GAMES
from games.engine.line import replay
from games.engine.play import play
from games.engine.table import Table
from games.models import Attempt, Deal
from games.shuffling import SHUFFLED, WINNABLE, NoneWon, shuffle
from tests.engine.test_properties import with_hidden_cards_shuffled

WON = list(winning.PREFERENCES)


def winnable(slug: str, seed: int) -> Table:
    return GAMES[slug].setup(*shuffle(GAMES[slug], WINNABLE, random.Random(seed)))


@pytest.mark.parametrize("slug", WON)
def test_a_winnable_deal_comes_with_a_line_that_wins_it(slug: str) -> None:
    for seed in range(3):
        start = winnable(slug, seed)
        moves = winning.line(GAMES[slug], start)
        assert moves
        won = replay(GAMES[slug], start, map(str, moves))
        assert (won.outcome, won.version, won.clean) == ("won", len(moves), True)
        assert replay(GAMES[slug], start, map(str, moves[:-1])).outcome == "playing"


@pytest.mark.parametrize("slug", WON)
def test_the_player_sees_no_hidden_card(slug: str) -> None:
    game, rng, table = GAMES[slug], random.Random(1), winnable(slug, 1)
    for move in winning.line(game, table) or []:
        other = with_hidden_cards_shuffled(game, table, rng)
        prefers, legal = winning.PREFERENCES[slug], game.legal_moves(table)
        assert [prefers(table, each) for each in legal] == [prefers(other, each) for each in legal]
        table = play(game, table, move)


@pytest.mark.parametrize("slug", WON)
def test_what_the_player_loses_is_not_offered(slug: str) -> None:
    """The deck is the first of the shuffles that was won, so chance is asked in the same order as for any deal."""
    game, chance = GAMES[slug], random.Random(2)
    lost = []
    while not winning.line(game, game.setup(deck := shuffle(game, SHUFFLED, chance).deck)):
        lost.append(deck)
    offered = shuffle(game, WINNABLE, random.Random(2)).deck
    assert offered == deck
    assert offered not in lost


class Stubborn:
    """The same order of the cards for ever."""

    asked = 0

    def sample(self, population: Sequence[int], k: int, /) -> list[int]:
        self.asked += 1
        return random.Random(0).sample(population, k)


def test_the_search_ends_without_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffling, "TRIES", 3)
    game, chance = GAMES["fanny"], Stubborn()
    assert winning.line(game, game.setup(*shuffle(game, SHUFFLED, Stubborn()))) is None
    with pytest.raises(NoneWon):
        shuffle(game, WINNABLE, chance)
    assert chance.asked == 3 * 2  # the deck, and what lies after a searched Ace


@pytest.mark.django_db
def test_who_has_no_luck_is_told_and_nothing_is_left_behind(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffling, "TRIES", 0)
    answer = client.post("/new/", {"game": "frog", "kind": "winnable"}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "once more" in answer.content.decode()
    assert not Deal.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("slug", WON)
def test_whoever_asks_gets_one_and_the_next_deal_is_alike(client: Client, slug: str) -> None:
    page = client.post("/new/", {"game": slug, "kind": "winnable"}, follow=True).content.decode()
    attempt = Attempt.objects.get()
    assert (attempt.deal.game, attempt.deal.kind) == (slug, "winnable")
    assert '<input type="hidden" name="kind" value="winnable">' in page
    assert attempt.deal.deck not in page
