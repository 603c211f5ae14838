"""What an operator may look at of races. Nothing here can alter a log, nor show what would help in a round."""

from typing import TYPE_CHECKING, TypeAlias

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _

from games.admin import LINES, ReadOnly
from games.engine.cards import BadText
from games.engine.play import Refused
from games.engine.player_view import player_view
from games.race import selectors
from games.race.models import Race, Round, Seat
from games.terminal import draw

if TYPE_CHECKING:  # generic for the type checker only
    RaceBase: TypeAlias = admin.ModelAdmin[Race]
    RoundBase: TypeAlias = admin.ModelAdmin[Round]
    SeatBase: TypeAlias = admin.TabularInline[Seat, Race]
else:
    RaceBase = RoundBase = admin.ModelAdmin
    SeatBase = admin.TabularInline


class SeatInline(ReadOnly, SeatBase):
    """Who sits in a room."""

    model = Seat
    extra = 0
    can_delete = False


@admin.register(Race)
class RaceAdmin(ReadOnly, RaceBase):
    """Rooms with their seats."""

    list_display = ("code", "sharing", "redeal", "best_of", "open_to", "created_at")
    list_filter = ("sharing", "redeal", "open_to")
    search_fields = ("code__iexact", "seats__player__username__iexact")
    search_help_text = _("The code of a room, or the name of a player.")
    ordering = ("-id",)
    fields = ("code", "sharing", "redeal", "best_of", "open_to", "ghost", "ghost_side", "created_at", "its_rounds")
    inlines = (SeatInline,)

    @admin.display(description=_("rounds"))
    def its_rounds(self, race: Race) -> SafeString:
        """Where the rounds of the room are listed."""
        url = reverse("admin:race_round_changelist")
        return format_html('<a href="{}?race__id__exact={}">{}</a>', url, race.pk, gettext("Rounds of this race"))


@admin.register(Round)
class RoundAdmin(ReadOnly, RoundBase):
    """Rounds, each with its log; with both gardens and every pick once it is over."""

    list_display = ("race", "number", "winner", "reason", "first_home", "second_home", "ended_at")
    list_filter = ("reason",)
    list_select_related = ("race",)
    search_fields = ("race__code__iexact",)
    search_help_text = _("The code of a room.")
    ordering = ("-id",)
    fieldsets = (
        (None, {"fields": ("race", "number", "match", "first_deal", "second_deal")}),
        (_("How it ended"), {"fields": (
            "winner", "reason", "first_home", "second_home", "first_misses", "second_misses", "started_at", "ended_at",
        )}),
        (_("Gardens"), {"fields": ("gardens",), "description": _(
            "Until a round is over, its cards and its picks are hidden from you too."
        )}),
        (_("Log"), {"fields": ("log",)}),
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        """With what every page of it names."""
        return super().get_queryset(request).select_related("race__ghost", "first_deal", "second_deal")

    @admin.display(description=_("gardens"))
    def gardens(self, round_: Round) -> SafeString:
        """Both gardens as they lay at the end."""
        if round_.ended_at is None:
            return format_html("{}", gettext("The round is not over."))
        try:
            standing = selectors.standing_of(round_)
        except (BadText, Refused) as error:
            return format_html("{}", gettext("The log cannot be replayed: %(error)s") % {"error": error})
        game = standing.game
        drawn = ((draw(game, player_view(game, side.table)),) for side in standing.sides)
        return format_html_join("", "<pre>{}</pre>", drawn)

    @admin.display(description=_("entries"))
    def log(self, round_: Round) -> SafeString:
        """The newest entries, the last one on top."""
        is_over = round_.ended_at is not None
        lines = (
            f"{entry.number:>5}  {entry.at:%Y-%m-%d %H:%M:%S}  {entry.side}  "
            + (entry.text if is_over or not selectors.is_pick(entry.text) else gettext("a pick"))
            for entry in round_.entries.order_by("-number")[:LINES]
        )
        return format_html("<pre>{}</pre>", "\n".join(lines))
