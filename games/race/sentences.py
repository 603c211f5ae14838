"""Why something was refused in a race, as a sentence in the reader's language; the rest is as at any table."""

from django.utils.translation import gettext as _

from games import sentences
from games.engine.game import Refusal


def why(refusal: Refusal) -> str:
    """The sentence for a refusal."""
    return {
        "early": _("The round has not begun yet."),
        "over": _("The round is over."),
        "begun": _("The round has begun already."),
        "locked": _("That card did not fit, so your table is locked for a moment."),
        "nothing_to_pick": _("There is no card to pick."),
        "no-call": _("Time can be called once your rival has not moved for a minute and still could."),
        "no-claim": _("Your rival has not been gone for long enough."),
        "watching": _("You are watching; only the two players can do that."),
    }.get(refusal.code) or sentences.why(refusal)
