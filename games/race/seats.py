"""Rooms and seats: who races whom, and on what terms. What happens in a round is for `services`."""

from dataclasses import asdict, dataclass
from typing import Any

from asgiref.sync import async_to_sync
from django.db import IntegrityError, transaction

from accounts.models import User
from games.race import dealing, selectors, services
from games.race.models import OpenTo, Race, Round, Seat, Sharing, new_room_code

HOST, GUEST = 1, 2


@dataclass(frozen=True, slots=True)
class Terms:
    """What the host chooses."""

    sharing: str = Sharing.SAME
    redeal: bool = False
    best_of: int = 1


def invite(*, host: User, terms: Terms, open_to: str = OpenTo.FRIEND) -> Race:
    """A new room with its first round dealt; the host sits on side 1."""
    return _room(host, **asdict(terms), open_to=open_to)


def haunt(*, player: User, round_: Round, side: int) -> Race:
    """A room to race against what a side did in a round that is over, at its deal. Raises ValueError if it is not."""
    if round_.ended_at is None or round_.started_at is None:
        raise ValueError("a ghost comes from a round that is over")
    return _room(player, redeal=round_.race.redeal, open_to=OpenTo.GHOST, ghost=round_, ghost_side=side)


def _room(host: User, **terms: Any) -> Race:
    with transaction.atomic():
        race = Race.objects.create(code=_free_code(), **terms)
        Seat.objects.create(race=race, side=HOST, player=host)
        dealing.deal(race, number=1, match=1)
    return race


def _free_code() -> str:
    """A code that no room has: with 10 000 rooms, two of them would share one in 1 case of 4."""
    return next(code for code in iter(new_room_code, "") if not Race.objects.filter(code=code).exists())


def join(*, player: User, race: Race) -> int:
    """Take the second seat if it is free. Returns the side that the player now has, 0 for none."""
    if not selectors.side_of(player, race) and selectors.is_free(race):
        try:
            with transaction.atomic():
                Seat.objects.create(race=race, side=GUEST, player=player)
        except IntegrityError:  # somebody was faster, perhaps this player in another tab
            pass
        else:
            tell(race.pk)
    return selectors.side_of(player, race)


def anyone(*, player: User, terms: Terms) -> Race:
    """Pair the player with whoever has waited longest for a race on these terms, or let the player wait."""
    with transaction.atomic():
        mine = selectors.own_waiting(player).filter(**asdict(terms)).select_for_update(of=("self",)).first()
        if mine and not selectors.is_free(mine):  # somebody has come this very moment
            return mine
        race = _pair(player, terms, mine)
    return race or mine or invite(host=player, terms=terms, open_to=OpenTo.ANYONE)


def look_again(*, host: User, race: Race) -> Race:
    """Where a host who waits for anyone should be: with somebody who waits as well, or still here.

    Two who came at the same moment each have a room. The host of the newer one goes to the other, never both.
    """
    with transaction.atomic():
        race = Race.objects.select_for_update().get(pk=race.pk)
        if race.open_to != OpenTo.ANYONE or not selectors.is_free(race):
            return race
        mine = selectors.own_waiting(host).filter(pk=race.pk).first()  # none once it has waited too long to be found
        return _pair(host, Terms(race.sharing, race.redeal, race.best_of), mine) or race


def _pair(player: User, terms: Terms, mine: Race | None) -> Race | None:
    """Sit down in a room that waits, one older than the player's own. In that one nobody is to be sent any more."""
    rooms = selectors.waiting(player, before=mine).filter(**asdict(terms))
    race = rooms.select_for_update(of=("self",), skip_locked=True).first()
    if race is None or join(player=player, race=race) != GUEST:
        return None
    selectors.own_waiting(player).update(open_to=OpenTo.FRIEND)
    return race


def claim(*, guest: User, member: User) -> None:
    """Move a guest's seats to a member; where the member sits at the same race already, the guest's stays nobody's."""
    with transaction.atomic():
        theirs = Seat.objects.filter(player=member).values("race")
        seats = Seat.objects.filter(player=guest).exclude(race__in=theirs)
        races = list(seats.values_list("race", flat=True))
        seats.update(player=member)
    for race_id in races:
        tell(race_id)


def name_anew(player: User) -> None:
    """Show the name that a player has now wherever a race goes on."""
    for race_id in selectors.going_on(player).values_list("pk", flat=True):
        tell(race_id)


def tell(race_id: int) -> None:
    """Show who sits where now, and under which name, once it is so."""
    transaction.on_commit(lambda: async_to_sync(services.announce)(race_id))
