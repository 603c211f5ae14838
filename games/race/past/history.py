"""Reading what was raced: one's own rounds, the record of two, what counts. How it is told is for `views`."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery

from accounts.models import User
from games.race.models import NOBODY, OpenTo, Round, Seat
from games.race.results import DRAWN, LOST, WON, Ran, Score
from games.race.selectors import race_for

BY = "ended_at"  # what rounds are in the order of


def seated(user: User) -> QuerySet[Round]:
    """The rounds of a user, each with the `side` that is the user's. Not in any order yet."""
    return Round.objects.filter(race__seats__player=user.pk).annotate(side=F("race__seats__side"))


def rounds_of(user: User) -> QuerySet[Round]:
    """Those that are over."""
    return seated(user).filter(ended_at__isnull=False)


def side_in(round_: Round) -> int:
    """The side that was the user's whose round this is."""
    side: int = round_.side  # type: ignore[attr-defined]
    return side


def against(rounds: QuerySet[Round], rival: User) -> QuerySet[Round]:
    """Those of these rounds that were run with somebody."""
    return rounds.filter(race__seats__player=rival.pk)


def with_people(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """The same rounds, read with all that a line about each tells."""
    seats = Seat.objects.select_related("player")
    return rounds.select_related("race__ghost__race").prefetch_related(
        Prefetch("race__seats", seats), Prefetch("race__ghost__race__seats", seats)
    )


def rival_in(user: User, code: str) -> User | None:
    """Who sat across from a user in the race of this code: a rival without telling anybody's number or name."""
    race = race_for(code)
    seats = list(race.seats.select_related("player")) if race else []
    if user.pk not in [seat.player_id for seat in seats]:
        return None
    return next((seat.player for seat in seats if seat.player and seat.player_id != user.pk), None)


def head_to_head(user: User, rival: User) -> Score:
    """How the rounds of two people went, as the first of them sees it."""
    theirs = against(rounds_of(user), rival)
    drawn = Q(winner=NOBODY)
    won = Q(winner=F("side"))
    counted = theirs.aggregate(
        won=Count("pk", filter=won), lost=Count("pk", filter=~won & ~drawn), drawn=Count("pk", filter=drawn)
    )
    return Score(**counted)


def scores(rounds: list[Round]) -> dict[int, Score]:
    """How the match stood after each of these rounds, as the user sees it whose rounds they are. One query."""
    matches = {(round_.race_id, round_.match): round_ for round_ in rounds if round_.race.best_of > 1}
    if not matches:
        return {}
    wanted = Q(*(Q(race=race, match=match) for race, match in matches), _connector=Q.OR)
    played: dict[tuple[int, int], list[tuple[int, int | None]]] = {}
    ended = Round.objects.filter(wanted, ended_at__isnull=False)
    for race, match, number, winner in ended.values_list("race", "match", "number", "winner"):
        played.setdefault((race, match), []).append((number, winner))
    return {
        round_.pk: _score(
            [winner for number, winner in played[round_.race_id, round_.match] if number <= round_.number],
            side_in(round_),
        )
        for round_ in rounds
        if round_.race.best_of > 1
    }


def _score(winners: list[int | None], side: int) -> Score:
    score = Score()
    for winner in winners:
        score.add(result(winner, side))
    return score


def result(winner: int | None, side: int) -> str:
    """What a round was to one of its sides."""
    if winner == NOBODY:
        return DRAWN
    return WON if winner == side else LOST


def counted(rounds: QuerySet[Round], user: User) -> Iterator[Ran]:
    """The rounds that enter the figures, in the order in which they ended: those with another person, not a ghost."""
    rival = Seat.objects.filter(race=OuterRef("race")).exclude(player=user.pk)
    people = rounds.exclude(race__open_to=OpenTo.GHOST).order_by("ended_at", "pk")
    rows = people.values(
        "match", "winner", "reason", "started_at", "ended_at",
        "first_home", "second_home", "first_misses", "second_misses",
        mine=F("side"), code=F("race__code"), best_of=F("race__best_of"), rival=Subquery(rival.values("player")[:1]),
    )  # fmt: skip
    for row in rows.iterator(chunk_size=2000):
        yield _ran(dict(row))


def _ran(row: dict[str, Any]) -> Ran:
    which = "first" if row["mine"] == 1 else "second"
    return Ran(
        rival=row["rival"],
        code=row["code"],
        match=row["match"],
        best_of=row["best_of"],
        result=result(row["winner"], row["mine"]),
        reason=row["reason"],
        home=row[f"{which}_home"],
        misses=row[f"{which}_misses"],
        seconds=(row["ended_at"] - row["started_at"]).total_seconds(),
    )
