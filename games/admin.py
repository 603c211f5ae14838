"""What an operator may look at. Nothing here can alter a deal or a log."""

from typing import TYPE_CHECKING, Any, TypeAlias

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from games.models import Attempt, Deal, Entry

if TYPE_CHECKING:  # generic for the type checker only
    DealBase: TypeAlias = admin.ModelAdmin[Deal]
    AttemptBase: TypeAlias = admin.ModelAdmin[Attempt]
    EntryBase: TypeAlias = admin.TabularInline[Entry, Attempt]
else:
    DealBase = AttemptBase = admin.ModelAdmin
    EntryBase = admin.TabularInline


class _ReadOnly:
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class EntryInline(_ReadOnly, EntryBase):
    model = Entry


@admin.register(Deal)
class DealAdmin(_ReadOnly, DealBase):
    list_display = ("code", "game", "kind", "created_at")
    list_filter = ("game", "kind")
    search_fields = ("code",)


@admin.register(Attempt)
class AttemptAdmin(_ReadOnly, AttemptBase):
    list_display = ("code", "deal", "player", "outcome", "home", "moves", "touched_at")
    list_filter = ("outcome",)
    list_select_related = ("deal", "player")
    search_fields = ("code",)
    inlines = (EntryInline,)
