"""A worked example for each game: how a deal begins, move by move. What is said of it stands on the rules page."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db import transaction

from accounts.models import User
from games import protocol, shuffling
from games.deals import numbers
from games.engine.cards import parse_cards
from games.engine.catalogue import GAMES
from games.engine.line import Line
from games.engine.player_view import player_view
from games.history import services
from games.models import Attempt, Deal, Entry, Kind
from games.shuffling import Shuffled


class Example(NamedTuple):
    """The number of a deal, or its deck as text; and the moves, with blanks between."""

    deal: int | str
    moves: str


PACE = timedelta(seconds=2)  # from move to move
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)

# The example of the old leaflets: the Ace of hearts is out, the 6 of spades on the Frog, the stock begins 2C 3D KS AC.
FROG = (
    "JS KC 8D TD AH 9S JC 4D 2D 3S JC TS 6D 6S 2C 3D KS AC 7D 4H 5C AC AD 8C 4S 2C 7C 5S JD 3D 3H 9D KH 2D 7S QS 3C 2H "
    "AD 9S 6D 6C 3H QC AS 8H QS 9C TS 5D KH 7D 6C TC 5H 8H TH 5S 4D 7H 9H 5H 3C TH 4C 8D KS TD KC TC QD KD 8S 9C KD 4S "
    "2S 7C JD 4H JH QD 8C 3S 6S JS AS 6H JH 2H 2S 7S 4C 8S QC 6H QH 5D 9H 5C 9D AH 7H QH"
)
EXAMPLES = {
    "frog": Example(
        FROG,
        "stock>turned turned>foundation1 stock>turned turned>foundation1 stock>turned turned>waste1 stock>turned "
        "turned>foundation2 stock>turned turned>waste2 stock>turned turned>foundation1 stock>turned turned>foundation1 "
        "reserve>foundation1",
    ),
    "le-crapaud": Example(
        18,
        "reserve>foundation1 stock>turned turned>waste1 stock>turned turned>waste1 stock>turned turned>waste2 "
        "stock>turned turned>waste1 stock>turned turned>foundation1 waste1>foundation1",
    ),
    "fly": Example(
        4,
        "stock>turned turned>waste1 stock>turned turned>waste1 stock>turned turned>waste2 stock>turned turned>waste3 "
        "stock>turned turned>waste4 stock>turned turned>foundation1 reserve>foundation1 waste1>foundation1",
    ),
    "fanny": Example(
        23,
        "stock>turned turned>foundation1 stock>turned turned>waste1 stock>turned turned>waste1 stock>turned "
        "turned>waste2 stock>turned turned>foundation1 waste1>foundation1 reserve>foundation1",
    ),
    "dicks-frog": Example(
        23,
        "stock>turned turned>waste1 stock>turned turned>waste2 stock>turned turned>foundation1 stock>turned "
        "turned>foundation1 waste1>foundation1 waste2>foundation1 reserve>foundation1",
    ),
    "flower-garden": Example(
        1,
        "bed4>foundation1 bed4>foundation1 bed5>foundation2 bed2>foundation2 bed6>foundation3 bed1>foundation3 "
        "bouquet5>foundation2 bed2>foundation2 bouquet7>foundation3 bouquet8>foundation1",
    ),
    "flower-garden-redeal": Example(
        1,
        "bed3>foundation1 bouquet4>foundation2 bouquet6>foundation1 bed5>foundation1 bouquet8>foundation2 "
        "bed4>foundation2 bouquet10>foundation3 bouquet13>foundation1 bouquet14>foundation3 bouquet9>foundation3",
    ),
    "american-toad": Example(
        11,
        "reserve>foundation1 reserve>foundation2 tableau4>tableau1 reserve>tableau2 stock>waste waste>foundation3 "
        "tableau5>foundation3 stock>waste waste>tableau3 stock>waste waste>tableau4 stock>waste stock>waste "
        "waste>foundation4",
    ),
}


def cards(slug: str) -> Shuffled:
    """The decks of a game's example."""
    deal = EXAMPLES[slug].deal
    return Shuffled(parse_cards(deal), ()) if isinstance(deal, str) else numbers.deck_of(GAMES[slug], deal)


def frames(slug: str) -> list[protocol.View]:
    """What its player sees, before the first move and after each."""
    line = Line.begin(GAMES[slug], GAMES[slug].setup(*cards(slug)))
    lines = [line]
    for entry in EXAMPLES[slug].moves.split():
        lines.append(lines[-1].after(entry))
    return [protocol.view_of("", line, player_view(line.game, line.at.table), 0.0) for line in lines]


def play_on(*, player: User, slug: str, entries: int) -> Attempt:
    """An attempt of practice that begins with so many moves of the example."""
    return services.take_over(player=player, attempt=_played(slug), entries=entries)


@transaction.atomic
def _played(slug: str) -> Attempt:
    """The example as an attempt of nobody's, made when it is first wanted."""
    shuffled = cards(slug)
    sealed = shuffling.sealed(shuffled, f"lilypad/example/{slug}")
    nobodys = {"game": slug, "kind": Kind.IMPORTED, "made_by": None, "deck": sealed["deck"]}
    deal, made = Deal.objects.get_or_create(**nobodys, defaults=sealed)
    if not made:
        return deal.attempts.filter(player=None).earliest("pk")
    moves = EXAMPLES[slug].moves.split()
    attempt = Attempt.objects.create(deal=deal, game=slug, practice=True, started_at=BEGAN + PACE)
    Entry.objects.bulk_create(
        Entry(attempt=attempt, number=number, text=text, at=BEGAN + number * PACE)
        for number, text in enumerate(moves, 1)
    )
    services.follow_log(attempt)
    return attempt
