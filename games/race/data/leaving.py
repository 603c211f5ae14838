"""What becomes of races when accounts go: those of two stay the rival's, a room that nobody else has goes too."""

from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Deal, Kind
from games.race import rooms, seats
from games.race.models import Race, Round, Seat

CHUNK = 500


def kept(since: datetime) -> Exists:
    """Whether somebody has finished a round, or was in a race since then; about a user as OuterRef("pk")."""
    lively = Q(race__created_at__gte=since) | Q(race__rounds__entries__at__gte=since)
    return Exists(Seat.objects.filter(lively | Q(race__rounds__ended_at__isnull=False), player=OuterRef("pk")))


def release(players: list[int]) -> None:
    """Before accounts are deleted: races that nobody else has a part in go, with their cards."""
    with transaction.atomic():
        races = set(Seat.objects.filter(player__in=players).values_list("race", flat=True))
        while gone := list(_abandoned(players).filter(pk__in=races).values_list("pk", flat=True)[:CHUNK]):
            haunted = Race.objects.filter(pk__in=gone, ghost__isnull=False)
            races |= set(haunted.values_list("ghost__race", flat=True))  # whose players may have left before
            _delete(gone)
        for race_id in Seat.objects.filter(player__in=players).values_list("race", flat=True):
            seats.tell(race_id)  # the rival's, who sees that nobody of that name is there any more


def _abandoned(players: list[int]) -> QuerySet[Race]:
    """Races where none but these sits. One whose ghost runs elsewhere stays until that race has gone."""
    others = Seat.objects.filter(race=OuterRef("pk"), player__isnull=False).exclude(player__in=players)
    haunting = Race.objects.filter(ghost__race=OuterRef("pk"))
    return Race.objects.exclude(Exists(others)).exclude(Exists(haunting))


def _delete(races: list[int]) -> None:
    rounds = Round.objects.filter(race__in=races)
    deals = {deal for pair in rounds.values_list("first_deal", "second_deal") for deal in pair}
    Race.objects.filter(pk__in=races).delete()
    _orphans().filter(pk__in=deals).delete()
    transaction.on_commit(partial(_forget, races))


def _orphans() -> QuerySet[Deal]:
    """Deals of races that are gone; one that somebody plays alone stays."""
    raced = Round.objects.filter(Q(first_deal=OuterRef("pk")) | Q(second_deal=OuterRef("pk")))
    return Deal.objects.filter(kind=Kind.RACED, attempts=None).exclude(Exists(raced))


def _forget(races: list[int]) -> None:
    for race_id in races:
        rooms.drop(race_id)
