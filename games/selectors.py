"""Reading deals and attempts, and the only judge of who may look. Nothing is changed here."""

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games.engine.cards import parse_cards
from games.engine.catalogue import GAMES
from games.engine.line import Line, replay
from games.engine.table import Table
from games.models import RANKED, Attempt, Deal, Outcome
from games.shuffling import Shuffled


class Log(NamedTuple):
    """An attempt rebuilt from its log."""

    line: Line
    entries: list[str]
    seconds: float
    last_at: datetime | None


PAUSE = 60.0  # seconds: a longer pause between two entries counts as this much play


def own_attempt(user: User, code: str) -> Attempt | None:
    """An attempt that this user plays, with its deal; None for everybody else."""
    return Attempt.objects.select_related("deal").filter(code=code, player_id=user.pk).first()


def attempts_of(user: User) -> QuerySet[Attempt]:
    """All attempts of a user, the one last touched first."""
    return Attempt.objects.filter(player_id=user.pk).select_related("deal").order_by("-touched_at", "-id")


def open_attempts(user: User) -> QuerySet[Attempt]:
    """The attempts that a user can go on with."""
    return attempts_of(user).filter(outcome=Outcome.PLAYING, ended_at=None)


def is_first(attempt: Attempt) -> bool:
    """Whether its player has played no other attempt at this game."""
    others = Attempt.objects.filter(player=attempt.player_id, game=attempt.game).exclude(pk=attempt.pk)
    return not others.exists()


def deals_for(user: User | AnonymousUser) -> QuerySet[Deal]:
    """The deals that somebody may look at and play: not another's private one, and no daily one before its day."""
    theirs = Q(made_by_id=user.pk or 0)  # nobody has the id 0; None would find the deals that lost their maker
    return Deal.objects.exclude(day__gt=today()).filter(Q(private=False) | theirs)


def deal_for(user: User | AnonymousUser, code: str) -> Deal | None:
    """A deal, for whoever has its code and may look; its deck is another question (see `may_see_deck`)."""
    return deals_for(user).filter(code=code).first()


def today() -> date:
    """The day of the daily deals, by UTC."""
    return timezone.now().date()


def opens_at(day: date) -> datetime:
    """When the decks and replays of a day are shown: as soon as it is over everywhere at once, by UTC."""
    return datetime.combine(day + timedelta(days=1), time.min, UTC)


def deck_is_open(deal: Deal) -> bool:
    """Whether everybody who may look at a deal may see its deck: there is nothing left to win by it."""
    if deal.day:
        return deal.day < today()
    return deal.kind not in RANKED


def first_attempt(user: User, deal: Deal) -> Attempt | None:
    """The attempt that ranks on a deal."""
    return attempts_of(user).filter(deal=deal, number=1).first()


def may_see_deck(attempt: Attempt) -> bool:
    """Deck and nonce are open to a player whose first attempt is over, so that seeing them cannot help it.

    Those of a daily deal open to all when the day is over, and to nobody before.
    """
    if attempt.deal.day:
        return deck_is_open(attempt.deal)
    return deck_is_open(attempt.deal) or attempt.closed


def shuffled(deal: Deal) -> Shuffled:
    """The cards of a deal. For the engine and for those who may see the deck."""
    return Shuffled(parse_cards(deal.deck), parse_cards(deal.spare))


def start_table(deal: Deal) -> Table:
    """The table before the first move."""
    return GAMES[deal.game].setup(*shuffled(deal))


def played_seconds(seconds: float, last_at: datetime | None, at: datetime) -> float:
    """The time at play after one more entry; the first entry starts the clock."""
    return seconds + (min(max((at - last_at).total_seconds(), 0), PAUSE) if last_at else 0)


def read_log(attempt: Attempt) -> Log:
    """Replay an attempt's log. Raises BadText or Refused if the log was not written by these rules."""
    seconds, last_at = 0.0, None
    texts = []
    for text, at in attempt.entries.order_by("number").values_list("text", "at"):
        seconds, last_at = played_seconds(seconds, last_at, at), at
        texts.append(text)
    return Log(replay(GAMES[attempt.deal.game], start_table(attempt.deal), texts), texts, seconds, last_at)
