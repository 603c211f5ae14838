"""Decks are fair: every order as likely as another, by a fixed generator on many deals; and they can be proved."""

import hashlib
import inspect
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from math import comb, sqrt

import pytest

from games.engine.cards import ACE, RANK, packs, write_cards
from games.engine.catalogue import GAMES
from games.engine.game import Game
from games.engine.play import Outcome, home, outcome, play
from games.engine.table import Pile, Table
from games.shuffling import SHUFFLED, SYSTEM, WINNABLE, Shuffled, commitment, kinds, new_nonce, sealed_text, shuffle

DEALS = 2000
GARDENS = ["flower-garden", "flower-garden-redeal"]
SEARCHING = ["frog", "le-crapaud", "dicks-frog"]
ALL_KINDS = [(slug, kind) for slug, game in GAMES.items() for kind in kinds(game)]
SOME = 3  # of deals that have to be won first


@cache
def deals(slug: str, kind: str = SHUFFLED) -> list[Shuffled]:
    count = SOME if kind == WINNABLE and slug not in GARDENS else DEALS
    randomness = random.Random(f"{slug} {kind}")
    return [shuffle(GAMES[slug], kind, randomness) for _ in range(count)]


def assert_even(
    counts: Counter[object], cells: Iterable[object], share: Callable[[object], float] = lambda _: 1
) -> None:
    """Chi-square: five standard deviations off would be chance once in millions; the generator is fixed anyway."""
    shares = {cell: share(cell) for cell in cells}
    assert set(counts) <= set(shares)
    unit = sum(counts.values()) / sum(shares.values())
    square = sum((counts[cell] - unit * part) ** 2 / (unit * part) for cell, part in shares.items())
    freedom = len(shares) - 1
    assert abs(square - freedom) < 5 * sqrt(2 * freedom), f"{square:.0f} at {freedom} degrees of freedom"


def assert_every_card_everywhere(decks: list[Pile]) -> None:
    """Each card is as often at each position as any other, all positions taken together and each by itself."""
    length = len(decks[0])
    counts = Counter((position, card) for deck in decks for position, card in enumerate(deck))
    assert_even(counts, [(position, card) for position in range(length) for card in range(52)])
    for position in range(length):
        assert_even(Counter(deck[position] for deck in decks), range(52))


def opened(slug: str, shuffled: Shuffled) -> Table:
    return GAMES[slug].setup(*shuffled)


def searched(slug: str) -> list[Pile]:
    """The decks of which the first thirteen cards hold no Ace."""
    return [deck for deck, _ in deals(slug) if all(RANK[card] != ACE for card in deck[:13])]


@pytest.mark.parametrize("slug", ["fly", "fanny", "american-toad", *GARDENS])
def test_every_card_is_as_likely_everywhere(slug: str) -> None:
    assert_every_card_everywhere([deck for deck, _ in deals(slug)])


@pytest.mark.parametrize("kind", [SHUFFLED, WINNABLE])
def test_the_second_deck_is_as_even(kind: str) -> None:
    assert_every_card_everywhere([spare for _, spare in deals("flower-garden-redeal", kind)])


def test_neighbours_are_independent() -> None:
    pairs = Counter((RANK[deck[at]], RANK[deck[at + 1]]) for deck, _ in deals("fanny") for at in range(0, 104, 2))
    same, other = 8 * 7, 8 * 8  # of so many cards of a rank
    cells = [(one, two) for one in range(13) for two in range(13)]
    assert_even(pairs, cells, lambda pair: same if pair[0] == pair[1] else other)


@pytest.mark.parametrize("slug", SEARCHING)
def test_one_frog_in_three_has_no_ace_in_time(slug: str) -> None:
    exact = comb(96, 13) / comb(104, 13)
    assert exact == pytest.approx(0.33, abs=0.005)
    assert len(searched(slug)) / DEALS == pytest.approx(exact, abs=4 * sqrt(exact * (1 - exact) / DEALS))


@pytest.mark.parametrize("slug", SEARCHING)
def test_after_the_search_the_stock_is_shuffled_again(slug: str) -> None:
    stocks = []
    for deck in searched(slug):
        table = opened(slug, Shuffled(deck, ()))
        assert RANK[deck[13]] == ACE
        assert (table.pile("foundation1"), table.pile("reserve")) == (deck[13:14], deck[:13])
        stocks.append(table.pile("stock")[::-1])
        assert stocks[-1] == deck[14:]
    aces = Counter(at for stock in stocks for at, card in enumerate(stock) if RANK[card] == ACE)
    assert_even(aces, range(90))  # not shuffled again, the seven Aces left would lie deep
    assert sum(at < 9 for at in aces.elements()) / len(list(aces.elements())) == pytest.approx(0.1, abs=0.02)
    for rank in range(1, 13):
        assert_even(Counter(at for stock in stocks for at, card in enumerate(stock) if RANK[card] == rank), range(90))


@pytest.mark.parametrize("slug", SEARCHING)
def test_any_ace_may_be_the_one_taken_out(slug: str) -> None:
    assert_even(Counter(deck[13] for deck in searched(slug)), [card for card in range(52) if RANK[card] == ACE])


@pytest.mark.parametrize(("slug", "kind"), ALL_KINDS)
def test_every_deal_can_be_set_up(slug: str, kind: str) -> None:
    for shuffled in deals(slug, kind)[:200]:
        table = opened(slug, shuffled)
        assert sorted(card for pile in table.piles for card in pile) == sorted(packs(GAMES[slug].packs))
        assert sorted(table.spare) == (sorted(packs(1)) if slug == "flower-garden-redeal" else [])


def greedy(game: Game, table: Table, randomness: random.Random) -> tuple[Table, list[int]]:
    """Play whatever can be played until nothing can; also how many cards could be played each time."""
    choices = []
    while targets := {move.source: move for move in game.legal_moves(table) if move.target}:
        choices.append(len(targets))
        table = play(game, table, randomness.choice(list(targets.values())))
    return table, choices


@pytest.mark.parametrize("slug", GARDENS)
def test_winnable_gardens_are_won_whatever_is_played_first(slug: str) -> None:
    game, randomness, choices = GAMES[slug], random.Random(1), []
    for shuffled in deals(slug, WINNABLE)[:300]:
        table = opened(slug, shuffled)
        assert [len(pile) for pile in table.group("bed")] == [6] * 6
        assert [len(pile) for pile in table.group("bouquet")] == [1] * 16
        table, could = greedy(game, table, randomness)
        assert outcome(game, table, game.legal_moves(table)) is Outcome.WON
        choices += could
    assert sum(choices) / len(choices) == pytest.approx(2.6, abs=0.1)


@pytest.mark.parametrize("rank", [ACE, 5, 12])
def test_winnable_gardens_spread_their_cards(rank: int) -> None:
    places = Counter(
        name
        for shuffled in deals("flower-garden", WINNABLE)
        for name, pile in zip(GAMES["flower-garden"].names.names, opened("flower-garden", shuffled).piles, strict=True)
        for card in pile
        if RANK[card] == rank
    )
    homes = [name for name in GAMES["flower-garden"].names.names if not name.startswith("foundation")]
    assert_even(places, homes, lambda name: 6 if name.startswith("bed") else 1)


def test_winnable_gardens_treat_all_suits_alike() -> None:
    decks = [deck for deck, _ in deals("flower-garden", WINNABLE)]
    for position in (0, 5, 17, 35, 36, 51):
        assert_even(Counter(deck[position] // 13 for deck in decks), range(4))
    assert len(set(decks)) == DEALS


def test_shuffled_gardens_are_as_hard_as_the_rules_say() -> None:
    game, randomness, up, without_a_move = GAMES["flower-garden"], random.Random(1), 0, 0
    for shuffled in deals("flower-garden"):
        table, choices = greedy(game, opened("flower-garden", shuffled), randomness)
        up += home(table)
        without_a_move += not choices
    assert up / DEALS == pytest.approx(3.05, abs=0.2)
    assert without_a_move / DEALS == pytest.approx(0.1, abs=0.025)


@pytest.mark.parametrize("slug", GAMES)
def test_the_kinds_of_deal(slug: str) -> None:
    assert kinds(GAMES[slug]) == ((WINNABLE, SHUFFLED) if slug in GARDENS else (SHUFFLED, WINNABLE))


def test_the_systems_randomness_is_the_default() -> None:
    assert isinstance(SYSTEM, secrets.SystemRandom)
    assert inspect.signature(shuffle).parameters["randomness"].default is SYSTEM
    assert len({shuffle(game, kind).deck for game in GAMES.values() for kind in kinds(game) for _ in range(5)}) == 80


def test_a_nonce_is_32_bytes_and_never_the_same() -> None:
    nonces = {new_nonce() for _ in range(100)}
    assert len(nonces) == 100
    assert {len(bytes.fromhex(nonce)) for nonce in nonces} == {32}


@pytest.mark.parametrize(("slug", "kind"), ALL_KINDS)
def test_the_commitment_can_be_computed_by_anyone(slug: str, kind: str) -> None:
    shuffled, nonce = deals(slug, kind)[0], new_nonce()
    text = nonce + "\n" + write_cards(shuffled.deck)
    if slug == "flower-garden-redeal":
        text += "\n" + write_cards(shuffled.spare)
    assert sealed_text(nonce, shuffled) == text
    assert commitment(nonce, shuffled) == hashlib.sha256(text.encode()).hexdigest()


def test_the_commitment_is_of_this_nonce_and_these_decks() -> None:
    (deck, spare), (other, _), *_ = deals("flower-garden-redeal", WINNABLE)
    one, two = new_nonce(), new_nonce()
    assert (
        len(
            {
                commitment(nonce, Shuffled(*decks))
                for nonce in (one, two)
                for decks in [
                    (deck, spare),
                    (other, spare),
                    (deck, spare[::-1]),
                    (deck, ()),
                ]
            }
        )
        == 8
    )
