"""What stands in the log of a race, and races dealt, aged and played behind the back of a test's sockets."""

from datetime import timedelta
from typing import Any

from channels.db import database_sync_to_async
from django.db.models import F

from accounts.models import User
from games.engine.cards import write_cards
from games.engine.catalogue import GAMES
from games.models import Deal
from games.race import rooms, seats, selectors
from games.race.models import Entry, Race
from games.race.seats import Terms
from games.race.standing import PRESENCE
from tests.engine.tables import deck
from tests.games.race.conftest import Racer

GARDEN = GAMES["flower-garden"]
STUCK = write_cards(deck(GARDEN, "AC AD AH AS KC KD"))  # all Aces lie below a King
ONE = write_cards(deck(GARDEN, "AD AH AS KC KD AC", "2C"))  # bed1 is the only move, and the last


@database_sync_to_async
def log_of(race: Race) -> list[tuple[int, str]]:
    """What stands in the log of the newest round, presences left out."""
    entries = Entry.objects.filter(round=selectors.newest_round(race.pk)).order_by("number")
    return [(entry.side, entry.text) for entry in entries if entry.text not in PRESENCE]


@database_sync_to_async
def entries_of(race: Race) -> int:
    return Entry.objects.filter(round__race=race).count()


@database_sync_to_async
def presences_of(race: Race, side: int) -> list[str]:
    entries = Entry.objects.filter(round__race=race, side=side, text__in=PRESENCE).order_by("number")
    return list(entries.values_list("text", flat=True))


@database_sync_to_async
def agrees(race: Race) -> bool:
    """What the row of the newest round says of its end is what its log says."""
    round_ = selectors.newest_round(race.pk)
    told = selectors.standing_of(round_)
    assert told.result
    homes = [side.home for side in told.sides]
    return (*told.result, told.go_at, told.ended_at, homes) == (
        round_.winner,
        round_.reason,
        round_.started_at,
        round_.ended_at,
        [round_.first_home, round_.second_home],
    )


@database_sync_to_async
def age(race: Race, seconds: float) -> None:
    """Let so much time pass: all that is in the log is so much longer ago."""
    Entry.objects.filter(round__race=race).update(at=F("at") - timedelta(seconds=seconds))
    rooms._open.pop(race.pk, None)


@database_sync_to_async
def behind_the_back(race: Race, side: int, text: str) -> None:
    """Another process adds to the log, and its nudge is lost."""
    round_ = selectors.newest_round(race.pk)
    number = Entry.objects.filter(round=round_).count() + 1
    at = Entry.objects.filter(round=round_).latest("number").at
    Entry.objects.create(round=round_, number=number, side=side, text=text, at=at)


def dealt(owner: User, rival: User, first: str, second: str = "", **terms: Any) -> Race:
    """A race at these decks: the same one for both unless there is a second."""
    race = seats.invite(host=owner, terms=Terms("own" if second else "same", **terms))
    seats.join(player=rival, race=race)
    round_ = race.rounds.get()
    Deal.objects.filter(pk=round_.second_deal_id).update(deck=second or first)
    Deal.objects.filter(pk=round_.first_deal_id).update(deck=first)
    return race


async def over(*racers: Racer) -> tuple[int, str]:
    """Wait for the end, the same one for all; who won and why."""
    views = [await racer.until(lambda view: view["phase"] == "over") for racer in racers]
    ends = {(view["winner"], view["reason"], view["ended_at"]) for view in views}
    ((winner, reason, _),) = ends
    return winner, reason
