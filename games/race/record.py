"""Entries of rounds as the journal writes them. What they mean is for `standing` to know."""

from collections.abc import Sequence
from contextlib import nullcontext
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from games.live.statements import Append, moments
from games.models import Deal
from games.race.models import Entry, Round
from games.race.standing import Standing

_APPEND = Append(
    Entry._meta.db_table,
    (("round_id", "bigint"), ("number", "integer"), ("side", "integer"), ("text", "text"), ("at", "timestamptz")),
)


class Ended(NamedTuple):
    """What a round's row says once its last entry is there."""

    winner: int
    reason: str
    first_home: int
    second_home: int
    first_misses: int
    second_misses: int
    started_at: datetime
    ended_at: datetime

    @classmethod
    def of(cls, standing: Standing) -> "Ended | None":
        """What follows from a log; None while the round is not over."""
        if standing.result is None:
            return None
        assert standing.go_at
        assert standing.ended_at
        first, second = standing.sides
        homes, misses = (first.home, second.home), (first.misses, second.misses)
        return cls(*standing.result, *homes, *misses, standing.go_at, standing.ended_at)


class RoundRecord(NamedTuple):
    """An entry to append; with `ended`, it is the one that ends the round and opens its deals."""

    round_id: int
    number: int
    side: int
    text: str
    at: datetime
    ended: Ended | None

    @staticmethod
    def write(records: Sequence["RoundRecord"]) -> None:
        """Insert the entries, all or none. Raises Conflict or IntegrityError."""
        ordered = sorted(records, key=lambda record: (record.round_id, record.number))  # in every process: no deadlock
        moment_of = moments()
        rows = [(*record[:4], moment_of(record.at)) for record in ordered]
        ending = [record for record in ordered if record.ended]
        with transaction.atomic() if ending else nullcontext():  # the entries alone are one statement
            _APPEND.execute(rows)
            for record in ending:
                _end(record)


def _end(record: RoundRecord) -> None:
    assert record.ended
    round_ = Round.objects.filter(pk=record.round_id)
    round_.update(**record.ended._asdict())
    deals = round_.values_list("first_deal", "second_deal").get()
    Deal.objects.filter(pk__in=deals).update(private=False)
