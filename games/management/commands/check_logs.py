"""Replay every stored log and compare what it says with the row that it belongs to. `manage.py check_logs`."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.cards import BadText
from games.engine.play import Refused, home
from games.models import Attempt
from games.parts import PARTS
from games.selectors import read_log


def differences(attempt: Attempt) -> Iterator[str]:
    """What the row of an attempt says otherwise than its log."""
    numbers = list(attempt.entries.order_by("number").values_list("number", flat=True))
    if numbers != list(range(1, attempt.version + 1)):
        yield f"version {attempt.version}, but the entries are numbered {numbers}"
        return
    try:
        log = read_log(attempt)
    except (BadText, Refused) as error:
        yield f"the log cannot be replayed: {error}"
        return
    line = log.line
    told = {
        "game": attempt.deal.game,
        "outcome": line.outcome,
        "closed": line.closed,
        "moves": line.at.count,
        "home": home(line.at.table),
        "undos": line.undos,
        "restarts": line.restarts,
        "seconds": round(log.seconds, 3),
    }
    kept = {name: getattr(attempt, name) for name in told} | {"seconds": round(attempt.seconds, 3)}
    yield from (f"{name} is {kept[name]}, its log says {told[name]}" for name in told if kept[name] != told[name])


def attempts() -> Iterator[tuple[str, list[str]]]:
    """Every attempt by name, with what its row says otherwise than its log."""
    for attempt in Attempt.objects.select_related("deal").iterator(chunk_size=500):
        yield f"attempt {attempt.code}", list(differences(attempt))


class Command(BaseCommand):
    help = "Replay every stored log and compare; exits 1 at any difference."

    def handle(self, *args: Any, **options: Any) -> None:
        checked = wrong = 0
        for name, found in chain(attempts(), *(part.checked() for part in PARTS.values())):
            checked, wrong = checked + 1, wrong + len(found)
            for difference in found:
                self.stderr.write(f"{name}: {difference}")
        if wrong:
            raise CommandError(f"{wrong} differences in {checked} logs")
        self.stdout.write(f"{checked} logs agree with what is stored.")
