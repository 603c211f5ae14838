"""What is photographed: who plays, at which tables, and the addresses where that is seen. Browsers are camera.py's."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from accounts.models import User
from bench import races
from bench.races import Racing
from bench.site import Recorded, deal, recorded
from games.deals import services as deals
from games.engine.catalogue import GAMES
from games.engine.line import Line
from games.engine.play import HOME
from games.engine.table import Table
from games.history.services import follow_log
from games.models import Attempt, Entry
from games.selectors import start_table

A_MOVE = timedelta(seconds=4)
STAGES = {"start": timedelta(days=30), "middle": timedelta(hours=2), "end": timedelta(days=1)}  # and how long ago
PAGES = {
    "lobby": "/",
    "daily": "/daily/",
    "deals": "/deals/",
    "race-lobby": "/race/",
    "rules": "/rules/american-toad/",
    "settings": "/settings/",
    "history": "/mine/",
    "statistics": "/mine/statistics/",
    "data": "/data/",
    "log-in": "/accounts/login/",
    "sign-up": "/accounts/signup/",
    "nowhere": "/nowhere/",
}


class Scene(NamedTuple):
    """A page to be seen. A table fills its window; other pages may be longer."""

    name: str
    path: str
    fills: bool = False


class Stage(NamedTuple):
    """The site before anybody looks: two who are about to race, and what the first of them may see besides."""

    race: Racing
    scenes: list[Scene]


def set_up() -> Stage:
    """Fill an empty database."""
    deals.deal_daily()
    (race,) = races.made(1)
    player, rival = User.objects.order_by("pk")
    for user, name in ((player, "Ada"), (rival, "Konstantin")):
        user.username = name
        user.save()
    tables = [scene for game in recorded() for scene in _tables(player, game)]
    won = Attempt.objects.filter(player=player, outcome="won").latest("pk")
    pages = [Scene(name, path) for name, path in PAGES.items()]
    pages += [Scene("deal", f"/deals/{won.deal.code}/"), Scene("replay", f"/play/{won.code}/replay/", fills=True)]
    return Stage(race, [*pages, *tables])


def _tables(player: User, game: Recorded) -> Iterator[Scene]:
    """A won game before its first move, where its piles are longest, and after its last move."""
    dealt = deal(game)
    line = Line.begin(GAMES[game.slug], start_table(dealt))
    lengths = [_longest(line.at.table)]
    for move in game.moves:
        line = line.after(move)
        lengths.append(_longest(line.at.table))
    middle = len(lengths) - 1 - lengths[::-1].index(max(lengths))  # the last such moment: more lies on the foundations
    played = dict(zip(STAGES, (0, middle, len(game.moves)), strict=True))
    for number, (stage, moves) in enumerate(played.items(), start=1):
        attempt = Attempt.objects.create(player=player, deal=dealt, game=game.slug, number=number)
        ended = datetime.now(UTC) - STAGES[stage] - timedelta(minutes=len(game.moves))
        Entry.objects.bulk_create(
            Entry(attempt=attempt, number=at, text=move, at=ended - (moves - at) * A_MOVE)
            for at, move in enumerate(game.moves[:moves], start=1)
        )
        attempt.touched_at = ended
        attempt.started_at = ended - moves * A_MOVE if moves else None
        attempt.ended_at = ended if stage == "end" else None
        follow_log(attempt)
        yield Scene(f"{game.slug}-{stage}", f"/play/{attempt.code}/", fills=True)


def _longest(table: Table) -> int:
    """How many cards lie in the longest fan."""
    named = zip(table.places.names, table.piles, strict=True)
    return max(len(pile) for name, pile in named if name[-1].isdigit() and not name.startswith(HOME))
