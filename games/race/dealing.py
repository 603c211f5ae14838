"""Dealing the rounds of a race. Their cards are sealed, and nobody's to see before the round has begun."""

from django.db import transaction
from django.utils import timezone

from games import shuffling
from games.engine.catalogue import GAMES
from games.models import Deal, Kind
from games.race import selectors
from games.race.models import Entry, Race, Round, Sharing

LIKE = {Sharing.SAME: shuffling.WINNABLE, Sharing.OWN: shuffling.SHUFFLED}


def deal(race: Race, *, number: int, match: int) -> Round:
    """A round with its cards; a ghost's are those of its own round."""
    if race.ghost:
        first = second = race.ghost.first_deal if race.ghost_side == 1 else race.ghost.second_deal
    else:
        first = _deck(race)
        second = first if race.sharing == Sharing.SAME else _deck(race)
    return Round.objects.create(race=race, number=number, match=match, first_deal=first, second_deal=second)


def _deck(race: Race) -> Deal:
    game = selectors.game_of(race)
    sealed = shuffling.sealed(shuffling.shuffle(GAMES[game], LIKE[Sharing(race.sharing)]), shuffling.new_nonce())
    return Deal.objects.create(game=game, kind=Kind.RACED, private=True, **sealed)


@transaction.atomic
def next_round(*, race_id: int, number: int) -> None:
    """The round after this one, once it is over; of the next match, if it decided its own. A second time nothing."""
    race = Race.objects.select_for_update(of=("self",)).select_related("ghost").get(pk=race_id)
    last = selectors.newest_round(race.pk)
    if last.number != number or last.ended_at is None:
        return
    decided = selectors.is_decided(race.best_of, [*selectors.earlier_winners(last), last.winner])
    new = deal(race, number=number + 1, match=last.match + decided)
    _still_here(last, new)


def _still_here(last: Round, new: Round) -> None:
    """The new log begins with who is here, as the last one ended."""
    there = [(number, side) for number, side in enumerate(selectors.standing_of(last).sides, 1) if side.since]
    Entry.objects.bulk_create(
        Entry(round=new, number=count, side=number, text=side.presence, at=timezone.now())
        for count, (number, side) in enumerate(there, 1)
    )
