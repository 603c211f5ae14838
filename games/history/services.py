"""Changing what has been played: sharing a replay, and playing on from the middle of one. Entries never change."""

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from games import selectors
from games.engine.play import home
from games.models import Attempt, Deal, Entry, new_code
from games.services import Denied


def share(*, attempt: Attempt) -> None:
    """Give a replay a link that others may follow; one that has a link keeps it."""
    Attempt.objects.filter(pk=attempt.pk, share_code=None).update(share_code=new_code())


def unshare(*, attempt: Attempt) -> None:
    """Nobody who has the link can follow it any more, even if the replay is shared again."""
    Attempt.objects.filter(pk=attempt.pk).update(share_code=None)


def take_over(*, player: User, attempt: Attempt, entries: int) -> Attempt:
    """An attempt of practice that begins with so many entries of this one. Raises Denied where they close it."""
    with transaction.atomic():
        deal = Deal.objects.select_for_update().get(pk=attempt.deal_id)  # nobody else numbers an attempt meanwhile
        last = Attempt.objects.filter(player=player, deal=deal).aggregate(last=Max("number"))["last"] or 0
        begun = Attempt.objects.create(player=player, deal=deal, game=deal.game, number=last + 1, practice=True)
        log = list(attempt.entries.filter(number__lte=entries).order_by("number"))
        Entry.objects.bulk_create(
            Entry(attempt=begun, number=entry.number, text=entry.text, at=entry.at) for entry in log
        )
        begun.started_at = log[0].at if log else None
        follow_log(begun)
    return begun


def follow_log(attempt: Attempt) -> None:
    """Have the row say what a log says that was written all at once. Raises Denied where that closes it."""
    log = selectors.read_log(attempt)
    line = log.line
    if line.closed:
        raise Denied("over")
    attempt.version, attempt.outcome = line.version, line.outcome
    attempt.moves, attempt.home = line.at.count, home(line.at.table)
    attempt.undos, attempt.restarts = line.undos, line.restarts
    attempt.seconds = log.seconds
    attempt.save()
