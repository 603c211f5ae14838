"""Comparing each round's row with what its log says; `manage.py check_logs` asks."""

from collections.abc import Iterator

from games.engine.cards import BadText
from games.engine.play import Refused
from games.race import selectors
from games.race.models import Round
from games.race.record import Ended


def checked() -> Iterator[tuple[str, list[str]]]:
    """Every round by name, with what its row says otherwise than its log."""
    rounds = Round.objects.select_related("race__ghost", "first_deal", "second_deal")
    for round_ in rounds.iterator(chunk_size=500):
        yield f"round {round_.number} of race {round_.race.code}", list(differences(round_))


def differences(round_: Round) -> Iterator[str]:
    """What the row of a round says otherwise than its log."""
    numbers = list(round_.entries.order_by("number").values_list("number", flat=True))
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the entries are numbered {numbers}"
        return
    try:
        standing = selectors.standing_of(round_)
    except (BadText, Refused) as error:
        yield f"the log cannot be replayed: {error}"
        return
    ended = Ended.of(standing)
    told = ended._asdict() if ended else {"winner": None, "reason": "", "ended_at": None}
    kept = {name: getattr(round_, name) for name in told}
    yield from (f"{name} is {kept[name]}, its log says {told[name]}" for name in told if kept[name] != told[name])
