"""Decks, tables and lines of play for tests: written out, or reached by random play from a seed."""

import random
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import settings, strategies as st

from games.engine.cards import ACE, RANK, Card, Rank, packs, parse_cards
from games.engine.catalogue import GAMES
from games.engine.game import Game, Seen
from games.engine.line import WORDS, Line
from games.engine.play import HOME, play
from games.engine.rules import up
from games.engine.table import Move, Pile, Table, parse_table

each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
frogs = pytest.mark.parametrize("slug", ["frog", "le-crapaud", "fly", "fanny", "dicks-frog"])

# The same examples every time, on any machine however slow.
some = settings(max_examples=25, derandomize=True, deadline=None, database=None)
many = settings(some, max_examples=200)

seeds = st.integers(0, 2**32)


def table(slug: str, text: str) -> Table:
    """A table from a text of `place: cards` lines, indented as a test likes it."""
    return parse_table(GAMES[slug].names, "\n".join(line.strip() for line in text.strip().splitlines()))


def moves(slug: str, at: Table) -> set[str]:
    """The texts of all legal moves."""
    return {str(move) for move in GAMES[slug].legal_moves(at)}


def faces(pile: Pile) -> list[int]:
    """The ranks of a pile, for tests that do not care for suits."""
    return [RANK[card] for card in pile]


def deck(game: Game, first: str, after: str = "") -> Pile:
    """A deck that begins with these cards, has those next, and then the others in order."""
    begun = parse_cards(f"{first} {after}")
    rest = list(packs(game.packs))
    for card in begun:
        rest.remove(card)
    return begun + tuple(rest)


def shuffled(cards: Pile, rng: random.Random) -> Pile:
    """The cards in an order that the generator gives."""
    return tuple(rng.sample(cards, len(cards)))


def start(game: Game, rng: random.Random) -> Table:
    """A random deal, with an order for a redeal whatever the game."""
    return game.setup(shuffled(packs(game.packs), rng), shuffled(packs(game.packs), rng))


def walk(game: Game, seed: int) -> Iterator[Table]:
    """The tables of a random game. Half of the players bring home what they can, so that games come near their end."""
    rng = random.Random(seed)
    eager = rng.random() < 0.5
    at = start(game, rng)
    yield at
    while legal := game.legal_moves(at):
        at = play(game, at, _choice(legal, rng, eager))
        yield at


def _choice(legal: list[Move], rng: random.Random, eager: bool) -> Move:
    going_home = [move for move in legal if move.target.startswith(HOME)]
    return rng.choice(going_home if going_home and eager else legal)


@st.composite
def tables(draw: st.DrawFn, game: Game, longest: int = 300) -> Table:
    """A table somewhere in a random game."""
    played = islice(walk(game, draw(seeds)), draw(st.integers(0, longest)) + 1)
    return list(played)[-1]


@st.composite
def logs(draw: st.DrawFn, game: Game, longest: int = 120) -> tuple[Table, list[str]]:
    """A deal and the entries of an attempt at it: moves, and now and then another word that is possible."""
    rng = random.Random(draw(seeds))
    eager, wordy = rng.random() < 0.5, rng.choice([0.02, 0.2, 0.6])
    at = start(game, rng)
    line, entries = Line.begin(game, at), []
    for _ in range(draw(st.integers(0, longest))):
        legal = game.legal_moves(line.at.table) if not line.closed else []
        words = [word for word in WORDS if line.can(word) and (word != "give-up" or rng.random() < 0.05)]
        if words and (not legal or rng.random() < wordy):
            entries.append(rng.choice(words))
        elif legal:
            entries.append(str(_choice(legal, rng, eager)))
        else:
            break
        line = line.after(entries[-1])
    return at, entries


def nearly_home(game: Game, rng: random.Random) -> Table:
    """A table with no card on one that must go up before it; one time in four perhaps with some such."""
    base = rng.randrange(13) if game.slug == "american-toad" else ACE
    piles: dict[str, list[Card]] = {name: [] for name in game.names.names}
    left: list[Card] = []
    most = rng.choice([1, 3, 13])
    for number, column in enumerate(_columns(game, base, rng), 1):
        up = 13 - rng.randint(0, most)
        piles[f"{HOME}{number}"] = column[:up]
        left += column[up:]
    left.sort(key=lambda card: (base - 1 - RANK[card]) % 13)
    if rng.random() < 0.25:
        rng.shuffle(left)
    spread = [name for name, seen in game.seen if seen is Seen.ALL and not name.startswith((HOME, "turned"))]
    single = {name for name in ("reserve", "turned") if name in piles}
    for card in left:
        name = rng.choice([*spread, *sorted(single)])
        single.discard(name)
        piles[name].append(card)
    laid = {name: tuple(pile) for name, pile in piles.items()}
    return Table(game.names, ((),) * len(piles), base).laid(laid)


def _columns(game: Game, base: Rank, rng: random.Random) -> list[list[Card]]:
    """Foundations as they may be when won."""
    suits = tuple(range(4)) * game.packs
    in_suit = up not in game.place[HOME].lay.values()
    rows = [suits if in_suit else shuffled(suits, rng) for _ in range(13)]
    return [
        [suit * 13 + (base + height) % 13 for height, suit in enumerate(column)] for column in zip(*rows, strict=True)
    ]
