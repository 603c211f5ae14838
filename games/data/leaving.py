"""What becomes of a player's games when the account goes. Accounts themselves are the business of accounts/."""

from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.live import tables
from games.models import Attempt, Deal, Kind
from games.parts import PARTS

CHUNK = 500
LASTING = (Kind.DAILY, Kind.NUMBERED, Kind.RACED)  # deals that are there without anybody playing them alone


def release(*, user: User) -> None:
    """Before an account is deleted: what nobody else has a part in goes, results stay and lose their link and name."""
    others = Attempt.objects.filter(deal=OuterRef("pk")).exclude(player=user)
    hidden = Deal.objects.filter(made_by=user, private=True).exclude(Exists(others))
    mine = Attempt.objects.filter(player=user)
    with transaction.atomic():
        _delete(mine.filter(Q(ended_at=None) | Q(practice=True) | Q(deal__in=hidden)), made_by=[user.pk])
        mine.exclude(share_code=None).update(share_code=None)
        _release([user.pk])


def sweep(*, since: datetime) -> int:
    """Delete guests who have not played since then and have finished nothing, a chunk at a time. Returns how many."""
    swept = last = 0
    while True:
        with transaction.atomic():
            ids = list(_idle(since).filter(pk__gt=last).select_for_update().values_list("pk", flat=True)[:CHUNK])
            _delete(Attempt.objects.filter(player__in=ids), made_by=ids)
            _release(ids)
            User.objects.filter(pk__in=ids).delete()
        if not ids:
            return swept
        swept, last = swept + len(ids), ids[-1]


def _idle(since: datetime) -> QuerySet[User]:
    lively = Attempt.objects.filter(Q(touched_at__gte=since) | Q(ended_at__isnull=False), player=OuterRef("pk"))
    guests = User.objects.filter(is_guest=True, date_joined__lt=since).exclude(last_login__gte=since)
    for kept in [Exists(lively), *(part.kept(since) for part in PARTS.values())]:
        guests = guests.exclude(kept)
    return guests.order_by("pk")


def _release(players: list[int]) -> None:
    for part in PARTS.values():
        part.release(players)


def _delete(attempts: QuerySet[Attempt], *, made_by: list[int]) -> None:
    """Delete attempts with their logs, then the deals of these makers that nobody has played any more."""
    while pairs := list(attempts.values_list("pk", "deal_id")[:CHUNK]):
        ids, deals = [pk for pk, _ in pairs], {deal for _, deal in pairs}
        Attempt.objects.filter(pk__in=ids).delete()
        _orphans().filter(made_by=None, pk__in=deals).delete()
        transaction.on_commit(partial(_forget, ids))
    _orphans().filter(made_by__in=made_by).delete()


def _orphans() -> QuerySet[Deal]:
    return Deal.objects.exclude(kind__in=LASTING).filter(attempts=None)


def _forget(ids: list[int]) -> None:
    for attempt_id in ids:
        tables.drop(attempt_id)
