"""What is kept for good: deals, attempts and their logs. Changing them is for `services` and the journal alone."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Case, F, When
from django.db.models.functions import Cast, Least
from django.utils import timezone

CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"  # no look-alikes


def new_code() -> str:
    """Twelve letters that nobody can guess (69 bits)."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(12))


class Kind(models.TextChoices):
    """How a deal's deck was made."""

    SHUFFLED = "shuffled"
    WINNABLE = "winnable"
    DAILY = "daily"  # one for everybody on a day
    NUMBERED = "numbered"  # made from its number, so open to everybody beforehand
    IMPORTED = "imported"  # brought along as text, so known to somebody beforehand
    RACED = "raced"  # of a race; private and nobody's until the round is over, open to everybody then


RANKED = (Kind.SHUFFLED, Kind.WINNABLE, Kind.DAILY)  # nobody could know these decks before playing


class Outcome(models.TextChoices):
    """How an attempt stands."""

    PLAYING = "playing"
    WON = "won"
    STUCK = "stuck"
    GIVEN_UP = "given-up"


class Deal(models.Model):
    """A shuffled deck for one game, in dealing order, sealed by a commitment before anyone plays it."""

    code = models.CharField(max_length=12, unique=True, default=new_code, editable=False)
    game = models.CharField(max_length=30)
    kind = models.CharField(max_length=10, choices=Kind)
    deck = models.CharField(max_length=320)
    spare = models.CharField(max_length=160, blank=True)  # the order in which a redeal lays the unplayed cards
    nonce = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    number = models.BigIntegerField(null=True, blank=True)  # of a numbered deal
    day = models.DateField(null=True, blank=True)  # of a daily deal, by UTC
    private = models.BooleanField(default=False)  # its maker's alone
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="deals"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="deal_of_a_number"),
            models.UniqueConstraint(fields=["game", "day"], name="deal_of_a_day"),
            models.CheckConstraint(
                condition=models.Q(kind=Kind.NUMBERED, number__isnull=False)
                | (~models.Q(kind=Kind.NUMBERED) & models.Q(number=None)),
                name="deal_numbered_has_number",
            ),
            models.CheckConstraint(
                condition=models.Q(kind=Kind.DAILY, day__isnull=False)
                | (~models.Q(kind=Kind.DAILY) & models.Q(day=None)),
                name="deal_daily_has_day",
            ),
            models.CheckConstraint(condition=models.Q(kind__in=Kind.values), name="deal_kind_known"),
            models.CheckConstraint(condition=~models.Q(deck="") & ~models.Q(commitment=""), name="deal_sealed"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["day"], condition=models.Q(day__isnull=False), name="deal_by_day"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.code}"


# More cards home first, then fewer moves (to a million), then less time (to a billion milliseconds).
_WHOLE = models.BigIntegerField()
_SCORE = (
    F("home") * 10**15
    + (10**6 - 1 - Least(Cast("moves", _WHOLE), 10**6 - 1)) * 10**9
    + (10**9 - 1 - Least(Cast(F("seconds") * 1000, _WHOLE), 10**9 - 1))
)


class Attempt(models.Model):
    """One player at one deal. Where the table stands is told by the entries; the figures here follow from them."""

    code = models.CharField(max_length=12, default=new_code, editable=False)
    # No index of its own: a constraint's begins with it. PostgreSQL writes every index of a row at each move.
    deal = models.ForeignKey(Deal, on_delete=models.PROTECT, related_name="attempts", db_index=False)
    # Without a player once the account is deleted: the result stays on the deal, nobody's name with it.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="attempts"
    )
    game = models.CharField(max_length=30)  # the deal's, kept here too so that lists need not ask for each deal
    number = models.PositiveIntegerField(default=1)  # the player's first, second … attempt at this deal
    version = models.PositiveIntegerField(default=0)  # entries in the log
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.PLAYING)
    closed = models.BooleanField(default=False)  # given up or deck shown: nothing can be undone any more
    moves = models.PositiveIntegerField(default=0)
    home = models.PositiveIntegerField(default=0)  # cards on the foundations
    undos = models.PositiveIntegerField(default=0)
    restarts = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)  # at play, a pause counted as a minute at most
    practice = models.BooleanField(default=False)  # begun in the middle of a replay: counts nowhere
    # Of the replay, once shared. An empty text would be refused to a process of the release before, which knows NULL.
    share_code = models.CharField(max_length=12, null=True, blank=True)  # noqa: DJ001
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)  # the first entry: from here on the game counts
    touched_at = models.DateTimeField(default=timezone.now)  # last played, and while it goes on to about a minute
    ended_at = models.DateTimeField(null=True, blank=True)
    score = models.GeneratedField(  # of a first attempt that ended: what it is compared by with others at the deal
        expression=Case(When(number=1, practice=False, ended_at__isnull=False, then=_SCORE)),
        output_field=_WHOLE,
        db_persist=True,
    )

    class Meta:
        constraints: ClassVar = [
            # Of a unique field Django makes a second index on PostgreSQL, for searches like LIKE.
            models.UniqueConstraint(fields=["code"], name="attempt_coded"),
            models.UniqueConstraint(
                fields=["share_code"], condition=models.Q(share_code__isnull=False), name="attempt_shared"
            ),
            models.UniqueConstraint(fields=["deal", "player", "number"], name="attempt_numbered"),
            models.CheckConstraint(condition=models.Q(outcome__in=Outcome.values), name="attempt_outcome_known"),
            models.CheckConstraint(condition=models.Q(home__lte=104), name="attempt_home_in_packs"),
            models.CheckConstraint(condition=~models.Q(game=""), name="attempt_of_a_game"),
            models.CheckConstraint(
                condition=~models.Q(outcome=Outcome.PLAYING) | models.Q(ended_at=None), name="attempt_open_not_ended"
            ),
            models.CheckConstraint(
                condition=models.Q(version=0) | models.Q(started_at__isnull=False), name="attempt_started"
            ),
        ]
        # A page of a player's history is a stretch of one or two of these, whatever it is filtered by. What a move
        # changes is in none of them (`touched_at` once a minute): PostgreSQL writes all of them, or none.
        indexes: ClassVar = [
            models.Index(
                fields=["player", "-touched_at", "-id"], condition=models.Q(ended_at=None), name="attempt_going_on"
            ),
            *(
                models.Index(
                    fields=["player", *by, "-touched_at", "-id"],
                    condition=models.Q(ended_at__isnull=False),
                    name="_".join(["attempt_ended", *by]),
                )
                for by in ([], ["game"], ["outcome"], ["game", "outcome"])
            ),
            models.Index(  # the table of results of a deal, as it stands on its page
                fields=["deal", "-score", "id"], condition=models.Q(score__isnull=False), name="attempt_scored"
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.code} at {self.deal_id}"


class Entry(models.Model):
    """One line of an attempt's log: a move or a word like `undo`, as the engine writes them."""

    # No index of its own: the constraint's begins with it, and each move would have to write both.
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="entries", db_index=False)
    number = models.PositiveIntegerField()  # the version that it made, from 1
    text = models.CharField(max_length=32)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["attempt", "number"], name="entry_numbered"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="entry_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.text}"
