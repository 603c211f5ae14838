"""Reading races: the only judge of who sits where, and of how a round in the log stands. Nothing is changed here."""

from collections.abc import Iterable
from datetime import timedelta

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from accounts.models import User
from games import selectors
from games.engine.catalogue import GAMES
from games.race import results
from games.race.models import ROOM_LENGTH, SIDES, Entry, OpenTo, Race, Round, Seat, Sharing
from games.race.standing import HASTY, MISS, PRESENCE, REDEAL, Ghost, Line, Standing, replay

WAITING = timedelta(minutes=30)  # so long a room waits for anyone


def race_for(code: str) -> Race | None:
    """The race of a room code, as typed: in any case, with blanks or hyphens."""
    letters = "".join(filter(str.isalpha, code)).upper()
    return Race.objects.filter(code=letters).first() if len(letters) == ROOM_LENGTH else None


def side_of(user: User | AnonymousUser, race: Race) -> int:
    """The side that somebody plays on; 0 for whoever only watches."""
    seat = Seat.objects.filter(race=race, player_id=user.pk).first() if user.pk else None
    return seat.side if seat else 0


def is_free(race: Race) -> bool:
    """Whether the second seat can be taken."""
    return race.open_to != OpenTo.GHOST and not race.seats.filter(side=2).exists()


def game_of(race: Race) -> str:
    """The slug of the game that is raced at."""
    return "flower-garden-redeal" if race.redeal else "flower-garden"


def going_on(user: User) -> QuerySet[Race]:
    """The races of a user whose newest round is not over, the newest first."""
    unended = Round.objects.filter(race=OuterRef("pk"), ended_at=None)
    return (
        Race.objects.filter(Exists(unended), seats__player=user)
        .order_by("-created_at", "-id")
        .prefetch_related("seats__player")
    )


def waiting(player: User, before: Race | None = None) -> QuerySet[Race]:
    """Rooms whose host is there and waits for anyone, the oldest first; not the player's own, nor newer than one."""
    presence = Entry.objects.filter(round__race=OuterRef("pk"), side=1, text__in=PRESENCE).order_by("-number")
    others = Race.objects.filter(open_to=OpenTo.ANYONE, created_at__gte=timezone.now() - WAITING)
    if before:
        others = others.filter(pk__lt=before.pk)
    return (
        others.exclude(Exists(Seat.objects.filter(Q(side=2) | Q(player=player), race=OuterRef("pk"))))
        .alias(presence=Subquery(presence.values("text")[:1]))
        .filter(presence="here")
        .order_by("pk")
    )


def ended_round(code: str, number: str) -> Round | None:
    """A round that is over, by what an address or a form says of it."""
    if not (number.isascii() and number.isdecimal() and len(number) < 6):
        return None
    race = race_for(code)
    rounds = Round.objects.select_related("race", "race__ghost", "first_deal", "second_deal")
    return rounds.filter(race=race, number=int(number), ended_at__isnull=False).first() if race else None


def own_waiting(player: User) -> QuerySet[Race]:
    """Rooms where the player waits for anyone."""
    others = Seat.objects.filter(side=2, race=OuterRef("pk"))
    mine = Race.objects.filter(open_to=OpenTo.ANYONE, created_at__gte=timezone.now() - WAITING, seats__player=player)
    return mine.exclude(Exists(others))


def newest_round(race_id: int) -> Round:
    """The round that is played, or was last. Every race has one; raises Round.DoesNotExist where there is no race."""
    rounds = Round.objects.select_related("race", "race__ghost", "first_deal", "second_deal")
    return rounds.filter(race=race_id).latest("number")


def earlier_winners(round_: Round) -> list[int | None]:
    """Who won the rounds of the same match before this one."""
    rounds = Round.objects.filter(race=round_.race_id, match=round_.match, number__lt=round_.number)
    return list(rounds.values_list("winner", flat=True))


def is_decided(best_of: int, winners: list[int | None]) -> bool:
    """Whether a match is over with these rounds."""
    return results.is_decided(best_of, len(winners), *map(winners.count, SIDES))


def opening(round_: Round) -> Standing:
    """A round before its first entry."""
    race = round_.race
    tables = (selectors.start_table(round_.first_deal), selectors.start_table(round_.second_deal))
    return Standing.begin(GAMES[game_of(race)], race.sharing == Sharing.OWN, tables, ghost_of(race))


def ghost_of(race: Race) -> Ghost | None:
    """What the ghost of a race will do, from the log of the round that it comes from."""
    if race.ghost is None or race.ghost_side is None:
        return None
    assert race.ghost.started_at
    return Ghost(
        tuple((line.at - race.ghost.started_at, line.text) for line in picks(lines(race.ghost.pk), race.ghost_side))
    )


def picks(log: Iterable[Line], side: int) -> list[Line]:
    """What a side has picked, right or wrong."""
    return [line for line in log if line.side == side and is_pick(line.text)]


def is_pick(text: str) -> bool:
    """A move, a miss, or faster than a hand."""
    return ">" in text or text.startswith(f"{MISS} ") or text in (HASTY, REDEAL)


def lines(round_id: int, after: int = 0) -> list[Line]:
    """The log of a round, from the entry after this number on."""
    entries = Entry.objects.filter(round=round_id, number__gt=after).order_by("number")
    return [Line(*values) for values in entries.values_list("side", "text", "at")]


def standing_of(round_: Round) -> Standing:
    """Replay a round's log. Raises BadText or Refused if the log was not written by these rules."""
    return replay(opening(round_), lines(round_.pk))


def players(race: Race) -> dict[int, User | None]:
    """Who sits on each side that is taken, or whose ghost; None for an account that is deleted."""
    seats = Q(race=race)
    if race.ghost:
        seats |= Q(race=race.ghost.race_id, side=race.ghost_side)
    found = Seat.objects.filter(seats).select_related("player")
    return {seat.side if seat.race_id == race.pk else 2: seat.player for seat in found}
