"""The only way to make a numbered, imported or daily deal, and to make a deal private. Playing is `games.services`'."""

from datetime import date, timedelta

from django.db import transaction

from accounts.models import User
from games import shuffling
from games.deals import notation, selectors
from games.engine.catalogue import GAMES
from games.models import Deal, Kind
from games.selectors import today
from games.services import play_deal


class NotYours(Exception):
    """The deal is not this player's to make private or to open, or others have played it."""


def play_numbered(*, player: User, deal: Deal) -> str:
    """The code of an attempt at a numbered deal, which is kept from now on."""
    Deal.objects.bulk_create([deal], ignore_conflicts=True)
    return play_deal(player=player, deal=Deal.objects.get(game=deal.game, number=deal.number)).code


def import_deal(*, player: User, text: str) -> Deal:
    """Make a deal of a text. Raises BadDeal."""
    game, shuffled = notation.read(text)
    sealed = shuffling.sealed(shuffled, shuffling.new_nonce())
    return Deal.objects.create(game=game.slug, kind=Kind.IMPORTED, made_by=player, **sealed)


@transaction.atomic
def set_private(*, player: User, code: str, private: bool) -> None:
    """Make a deal its maker's alone, or open it again. Raises NotYours."""
    deal = Deal.objects.select_for_update().filter(code=code).first()
    if deal is None or not selectors.may_close(deal, player):
        raise NotYours(code)
    deal.private = private
    deal.save(update_fields=["private"])


def deal_daily() -> None:
    """See to it that the deals of today and tomorrow are there; tomorrow's, so that their seals can be shown."""
    for day in (today(), today() + timedelta(days=1)):
        _deal_day(day)


def _deal_day(day: date) -> None:
    dealt = set(Deal.objects.filter(day=day).values_list("game", flat=True))
    missing = [game for slug, game in GAMES.items() if slug not in dealt]
    new = []
    for game in missing:
        shuffled = shuffling.shuffle(game, shuffling.kinds(game)[0])
        sealed = shuffling.sealed(shuffled, shuffling.new_nonce())
        new.append(Deal(game=game.slug, kind=Kind.DAILY, day=day, **sealed))
    if new:  # another process may be doing the same: whichever deal comes first stays
        Deal.objects.bulk_create(new, ignore_conflicts=True)
