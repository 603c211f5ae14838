"""What an operator may look at. Nothing here can alter a deal or a log."""

from typing import TYPE_CHECKING, Any, TypeAlias

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _

from games import selectors
from games.engine.cards import TEXT, BadText
from games.engine.play import Refused
from games.engine.player_view import player_view
from games.models import Attempt, Deal
from games.terminal import draw

if TYPE_CHECKING:  # generic for the type checker only
    DealBase: TypeAlias = admin.ModelAdmin[Deal]
    AttemptBase: TypeAlias = admin.ModelAdmin[Attempt]
else:
    DealBase = AttemptBase = admin.ModelAdmin

LINES = 500  # of a log on one page


class ReadOnly:
    """May be looked at, by those who may look, and no more."""

    show_full_result_count = False  # counting all rows twice is for small tables

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Deal)
class DealAdmin(ReadOnly, DealBase):
    """Deals without their decks: whoever looks after the site may be playing too."""

    list_display = ("code", "game", "kind", "day", "number", "private", "created_at")
    list_filter = ("game", "kind", "private")
    search_fields = ("code__exact",)
    search_help_text = _("The code of a deal.")
    ordering = ("-id",)
    fields = (
        "code", "game", "kind", "day", "number", "private", "made_by", "commitment", "created_at", "its_attempts",
    )  # fmt: skip
    list_select_related = ("made_by",)

    @admin.display(description=_("attempts"))
    def its_attempts(self, deal: Deal) -> SafeString:
        """Where the attempts at the deal are listed."""
        url = reverse("admin:games_attempt_changelist")
        return format_html('<a href="{}?deal__id__exact={}">{}</a>', url, deal.pk, gettext("Attempts at this deal"))


@admin.register(Attempt)
class AttemptAdmin(ReadOnly, AttemptBase):
    """Attempts, each with its log and the table as it lies now."""

    list_display = ("code", "game", "deal", "player", "outcome", "home", "moves", "touched_at")
    list_filter = ("game", "outcome", "practice")
    list_select_related = ("deal", "player")
    search_fields = ("code__exact", "deal__code__exact", "player__username__iexact")
    search_help_text = _("The code of an attempt or a deal, or the name of a player.")
    ordering = ("-id",)
    fieldsets = (
        (None, {"fields": ("code", "deal", "player", "number", "practice", "share_code")}),
        (_("How it stands"), {"fields": ("outcome", "closed", "home", "moves", "undos", "restarts", "seconds")}),
        (_("When"), {"fields": ("created_at", "started_at", "touched_at", "ended_at")}),
        (_("Table"), {"fields": ("position",), "description": _(
            "Face-down cards of a game that is not over, and of today’s daily deal, are hidden from you too."
        )}),
        (_("Log"), {"fields": ("version", "log")}),
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attempt]:
        """With the deal and the player, which every page of it names."""
        return super().get_queryset(request).select_related("deal", "player")

    @admin.display(description=_("table"))
    def position(self, attempt: Attempt) -> SafeString:
        """The table as its player sees it; all cards once the game is over."""
        try:
            line = selectors.read_log(attempt).line
        except (BadText, Refused) as error:
            return format_html("{}", gettext("The log cannot be replayed: %(error)s") % {"error": error})
        seen = player_view(line.game, line.at.table)
        if attempt.closed and selectors.may_see_deck(attempt):
            piles = zip(seen.piles, line.at.table.piles, strict=True)
            seen = seen._replace(piles={name: [TEXT[card] for card in pile] for name, pile in piles})
        return format_html("<pre>{}</pre>", draw(line.game, seen))

    @admin.display(description=_("entries"))
    def log(self, attempt: Attempt) -> SafeString:
        """The newest entries, the last one on top."""
        entries = attempt.entries.order_by("-number")[:LINES]
        lines = (f"{entry.number:>5}  {entry.at:%Y-%m-%d %H:%M:%S}  {entry.text}" for entry in entries)
        return format_html("<pre>{}</pre>", "\n".join(lines))
