"""What the people of a race are called, and how a round ended, in words: for its players, and for whoever looks."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from games.race.models import OpenTo, Race, Reason, Round, Sharing
from games.race.results import DRAWN, LOST, WON

Text = str | Promise

RESULTS: dict[str, Text] = {WON: gettext_lazy("won"), LOST: gettext_lazy("lost"), DRAWN: gettext_lazy("drawn")}

# Why, said to a player.
WHY: dict[tuple[str, str], Text] = {
    (WON, Reason.BEDS): gettext_lazy("you emptied the beds first"),
    (WON, Reason.COUNT): gettext_lazy("nothing fitted any more, and you had more cards home"),
    (WON, Reason.EARLIER): gettext_lazy("equally far, and your last card went up earlier"),
    (WON, Reason.GAVE_UP): gettext_lazy("your rival gave up"),
    (WON, Reason.LEFT): gettext_lazy("your rival had left"),
    (WON, Reason.TIME): gettext_lazy("your rival’s time was up"),
    (LOST, Reason.BEDS): gettext_lazy("your rival emptied the beds first"),
    (LOST, Reason.COUNT): gettext_lazy("nothing fitted any more, and your rival had more cards home"),
    (LOST, Reason.EARLIER): gettext_lazy("equally far, and your rival’s last card went up earlier"),
    (LOST, Reason.GAVE_UP): gettext_lazy("you gave up"),
    (LOST, Reason.LEFT): gettext_lazy("you had left"),
    (LOST, Reason.TIME): gettext_lazy("your time was up"),
    (DRAWN, Reason.DRAW): gettext_lazy("nothing fitted any more, and both came equally far"),
}

# The same, said to whoever looks.
TOLD: dict[str, Text] = {
    Reason.BEDS: gettext_lazy("%(winner)s emptied the six beds first and wins."),
    Reason.COUNT: gettext_lazy("Nothing fits any more; %(winner)s has more cards home and wins."),
    Reason.EARLIER: gettext_lazy("Both came equally far; %(winner)s wins, whose last card went up earlier."),
    Reason.DRAW: gettext_lazy("Nothing fits any more, and both came equally far: a draw."),
    Reason.GAVE_UP: gettext_lazy("%(loser)s gave up, so %(winner)s wins."),
    Reason.LEFT: gettext_lazy("%(loser)s had left, and %(winner)s claimed the round."),
    Reason.TIME: gettext_lazy("%(winner)s called time, and %(loser)s sent no card up within it."),
}


def told(round_: Round, names: list[str]) -> str:
    """Why a round ended, for whoever looks."""
    winner = round_.winner or 1
    return str(TOLD[round_.reason]) % {"winner": names[winner - 1], "loser": names[2 - winner]}


def mode(race: Race) -> str:
    """What a host chose."""
    shuffle = _("own shuffles") if race.sharing == Sharing.OWN else _("same deal")
    rounds = _("best of %(number)s") % {"number": race.best_of} if race.best_of > 1 else ""
    return ", ".join(filter(None, [shuffle, _("with a redeal") if race.redeal else "", rounds]))


def name(race: Race, side: int) -> str:
    """Who played a side, for whoever looks."""
    if side == 2 and race.open_to == OpenTo.GHOST:
        return _ghost(race)
    player = next((seat.player for seat in race.seats.all() if seat.side == side), None)
    return player.username if player and not player.is_guest else _("Guest %(number)s") % {"number": side}


def rival(race: Race, side: int) -> str:
    """Who played against a side, for whoever sat there."""
    other = 3 - side
    if race.open_to == OpenTo.GHOST:
        return _ghost(race)
    player = next((seat.player for seat in race.seats.all() if seat.side == other), None)
    return player.display_name if player else _("Somebody who has left")


def _ghost(race: Race) -> str:
    assert race.ghost
    player = next((seat.player for seat in race.ghost.race.seats.all() if seat.side == race.ghost_side), None)
    if player is None or player.is_guest:
        return _("A ghost")
    return _("Ghost of %(name)s") % {"name": player.username}
