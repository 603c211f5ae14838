"""What is kept of races: rooms, seats, rounds and their logs. Changing them is for `services` and the journal alone."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.models import Deal

ROOM_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"  # without I, L and O, which look like others or like digits
ROOM_LENGTH = 6
SIDES = (1, 2)
NOBODY = 0  # on the side of nobody: the server's own entries, a drawn round


def new_room_code() -> str:
    """Six letters that can be read out: 148 million rooms, and looking for them is throttled."""
    return "".join(secrets.choice(ROOM_LETTERS) for _ in range(ROOM_LENGTH))


class Sharing(models.TextChoices):
    """Whose cards the two gardens are."""

    SAME = "same"  # one winnable deal for both
    OWN = "own"  # each a shuffle of their own, as the book has it


class OpenTo(models.TextChoices):
    """Who may take the second seat."""

    FRIEND = "friend"  # whoever opens the link first
    ANYONE = "anyone"  # the same, and whoever asks for anybody to race
    GHOST = "ghost"  # nobody: an old round is run against


class Reason(models.TextChoices):
    """Why a round ended."""

    BEDS = "beds"  # emptied first
    COUNT = "count"  # both stuck, more cards home
    EARLIER = "earlier"  # both stuck at the same count, whose last card went up earlier
    DRAW = "draw"
    GAVE_UP = "gave-up"
    LEFT = "left"  # claimed by the one who stayed
    TIME = "time"  # called, and no card went up


class Race(models.Model):
    """A room where two people race, one round after another, for as long as they like."""

    code = models.CharField(max_length=ROOM_LENGTH, unique=True, default=new_room_code, editable=False)
    sharing = models.CharField(max_length=4, choices=Sharing, default=Sharing.SAME)
    redeal = models.BooleanField(default=False)
    best_of = models.PositiveSmallIntegerField(default=1)
    open_to = models.CharField(max_length=6, choices=OpenTo, default=OpenTo.FRIEND)
    # What the ghost does is what this side did in that round.
    ghost = models.ForeignKey("Round", null=True, blank=True, on_delete=models.PROTECT, related_name="haunted")
    ghost_side = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(sharing__in=Sharing.values), name="race_sharing_known"),
            models.CheckConstraint(condition=models.Q(best_of__in=(1, 3, 5)), name="race_best_of"),
            models.CheckConstraint(
                condition=models.Q(open_to=OpenTo.GHOST, ghost__isnull=False, ghost_side__in=SIDES)
                | (
                    models.Q(open_to__in=(OpenTo.FRIEND, OpenTo.ANYONE))
                    & models.Q(ghost=None)
                    & models.Q(ghost_side=None)
                ),
                name="race_ghost_is_a_side",
            ),
        ]

    def __str__(self) -> str:
        return f"race {self.code}"


class Seat(models.Model):
    """Who plays on a side of a race; the host on side 1."""

    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="seats")
    side = models.PositiveSmallIntegerField()
    # Without a player once the account is deleted: the race stays the rival's too.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="race_seats"
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["race", "side"], name="seat_of_one"),
            models.UniqueConstraint(fields=["player", "race"], name="seat_each"),
            models.CheckConstraint(condition=models.Q(side__in=SIDES), name="seat_of_two"),
        ]

    def __str__(self) -> str:
        return f"side {self.side} of {self.race}"


class Round(models.Model):
    """One run of both gardens. How it stands is told by the entries; the figures here follow from them at its end."""

    race = models.ForeignKey(Race, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveIntegerField()  # in the room, from 1
    match = models.PositiveIntegerField()  # in the room, from 1; a rematch is the next
    first_deal = models.ForeignKey(Deal, on_delete=models.PROTECT, related_name="+")
    second_deal = models.ForeignKey(Deal, on_delete=models.PROTECT, related_name="+")
    winner = models.PositiveSmallIntegerField(null=True, blank=True)  # a side; 0 for a draw
    reason = models.CharField(max_length=8, choices=Reason, blank=True)
    first_home = models.PositiveSmallIntegerField(default=0)
    second_home = models.PositiveSmallIntegerField(default=0)
    first_misses = models.PositiveIntegerField(default=0)  # wrong picks
    second_misses = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["race", "number"], name="round_numbered"),
            models.CheckConstraint(
                condition=models.Q(winner=None, reason="", ended_at=None)
                | models.Q(winner__in=(NOBODY, *SIDES), reason__in=Reason.values, ended_at__isnull=False),
                name="round_ended_whole",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["-ended_at", "-id"], condition=models.Q(ended_at__isnull=False), name="round_ended")
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.race}"


class Entry(models.Model):
    """One line of a round's log: what a side, or the server, did. Both sides share the numbers: one order for all."""

    # No index of its own: the constraint's begins with it, and each pick would have to write both.
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="entries", db_index=False)
    number = models.PositiveIntegerField()  # the version that it made, from 1
    side = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=32)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "number"], name="round_entry_numbered"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="round_entry_from_one"),
            models.CheckConstraint(condition=models.Q(side__in=(NOBODY, *SIDES)), name="round_entry_of_a_side"),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.side}: {self.text}"
