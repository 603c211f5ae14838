"""The only way to change anything: new deals and attempts, entries at the version that the player saw."""

from dataclasses import dataclass
from datetime import UTC, datetime

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import transaction
from django.db.models import Max

from accounts.models import User
from games import metrics, protocol, selectors, shuffling
from games.engine.cards import BadText
from games.engine.catalogue import GAMES
from games.engine.game import Refusal
from games.engine.line import Line
from games.engine.play import Outcome, Refused, home
from games.engine.player_view import PlayerView, player_view
from games.live import hub, tables
from games.live.attempts import AttemptRecord
from games.live.journal import Conflict, Unavailable, journal
from games.live.tables import OpenTable
from games.models import Attempt, Deal


class Denied(Exception):
    """An entry that was not made; the log is as it was. `code` is one of the protocol's, `refusal` tells more."""

    def __init__(self, code: str, refusal: Refusal | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.refusal = refusal or Refusal(code, {})


@dataclass(frozen=True, slots=True)
class NoSuchKind(Exception):
    """The game is not dealt in this way."""

    kind: str


def start(*, player: User, game: str, kind: str) -> Attempt:
    """Deal a new game to a player. Raises KeyError for an unknown game, NoSuchKind and shuffling.NoneWon."""
    rules = GAMES[game]
    if kind not in shuffling.kinds(rules):
        raise NoSuchKind(kind)
    sealed = shuffling.sealed(shuffling.shuffle(rules, kind), shuffling.new_nonce())
    with transaction.atomic():
        return _attempt(player, Deal.objects.create(game=game, kind=kind, made_by=player, **sealed))


@transaction.atomic
def play_deal(*, player: User, deal: Deal) -> Attempt:
    """A player's open attempt at exactly this deal; a new one if there is none. Raises Deal.DoesNotExist."""
    # Locked, as its maker may make it private at this moment, or a second click ask for the same attempt.
    locked = selectors.deals_for(player).select_for_update().get(pk=deal.pk)
    going_on = selectors.open_attempts(player).filter(deal=locked, practice=False).first()
    return going_on or _attempt(player, locked)


def _attempt(player: User, deal: Deal) -> Attempt:
    last = Attempt.objects.filter(player=player, deal=deal).aggregate(last=Max("number"))["last"] or 0
    line = Line.begin(GAMES[deal.game], selectors.start_table(deal))
    return Attempt.objects.create(
        player=player, deal=deal, game=deal.game, number=last + 1, outcome=line.outcome, home=home(line.at.table)
    )


async def catch_up(*, attempt_id: int, version: int) -> None:
    """Have the table in memory at this version at least: another process may have played on, unheard so far."""
    known = tables.version_of(attempt_id)
    if known is not None and known < version:
        tables.drop(attempt_id)
    await tables.open_table(attempt_id)


async def view(*, attempt_id: int) -> str:
    """The newest view of an attempt as it goes over the wire. Raises Attempt.DoesNotExist."""
    return _message(await tables.open_table(attempt_id))


async def enter(*, attempt_id: int, version: int, entry: str) -> None:
    """Append an entry to the log that the player saw at `version`, then show the new view to all who listen.

    Returns once the entry is committed. Raises Denied. The same entry sent again for the same version counts once.
    """
    table = await tables.open_table(attempt_id)
    async with table.lock:
        if version != table.line.version:
            if table.entries[version : version + 1] == [entry]:
                hub.show(table.topic, table.code, _message(table))  # the acknowledgement was lost on the way
                return
            raise Denied("stale")
        line = _after(table.line, entry)
        before = (table.line.at.table, table.piles) if table.piles else None
        seen = player_view(line.game, line.at.table, before)
        await _commit(table, line, _record(table, line, seen, datetime.now(UTC)))
        table.piles = seen.piles
        message = _encoded(table, seen)
    metrics.moves(line.game.slug).inc()
    topic = table.topic
    if not hub.show(topic, table.code, message):
        tables.drop(attempt_id)
    hub.nudge(topic)


def _after(line: Line, entry: str) -> Line:
    try:
        return line.after(entry)
    except BadText:
        raise Denied("malformed") from None
    except Refused as refused:
        code = "over" if line.closed else "illegal"
        raise Denied(code, refused.refusal) from None


async def _commit(table: OpenTable, line: Line, record: AttemptRecord) -> None:
    """Log first, memory after it. Where it is not known whether the log has the entry, memory forgets the table."""
    try:
        await journal.submit(record)
    except Conflict:  # another process has played on
        tables.drop(table.attempt_id)
        raise Denied("stale") from None
    except Unavailable:
        tables.drop(table.attempt_id)
        raise Denied("unavailable") from None
    except BaseException:
        tables.drop(table.attempt_id)
        raise
    table.line = line
    table.entries.append(record.text)
    table.seconds, table.last_at = record.seconds, record.at


def _record(table: OpenTable, line: Line, seen: PlayerView, at: datetime) -> AttemptRecord:
    outcome = protocol.outcome_of(line, seen)
    return AttemptRecord(
        attempt_id=table.attempt_id,
        number=line.version,
        text=line.last,
        at=at,
        ended=outcome != Outcome.PLAYING.value,
        outcome=outcome,
        closed=line.closed,
        moves=line.at.count,
        home=seen.home,
        undos=line.undos,
        restarts=line.restarts,
        seconds=selectors.played_seconds(table.seconds, table.last_at, at),
    )


async def newest_version(attempt_id: int) -> int:
    """The version that the log is at; where other processes play too, theirs may have been added unheard."""
    if settings.REDIS_URL:
        await refresh(attempt_id)
    return (await tables.open_table(attempt_id)).line.version


async def refresh(attempt_id: int) -> None:
    """Catch up with the log after another process may have added to it, and show what is new."""
    known = tables.version_of(attempt_id)
    newest = await database_sync_to_async(_logged_version)(attempt_id)
    if known is not None and known < newest:
        tables.drop(attempt_id)
        table = await tables.open_table(attempt_id)
        hub.show(table.topic, table.code, _message(table))


hub.on_nudge(tables.KIND, refresh)


def _logged_version(attempt_id: int) -> int:
    return Attempt.objects.values_list("version", flat=True).get(pk=attempt_id)


def _message(table: OpenTable) -> str:
    return _encoded(table, player_view(table.line.game, table.line.at.table))


def _encoded(table: OpenTable, seen: PlayerView) -> str:
    return protocol.encode(protocol.view_of(table.code, table.line, seen, table.seconds))


def claim(*, guest: User, member: User) -> None:
    """Move a guest's attempts to a member, numbered after the member's own at the same deals."""
    with transaction.atomic():
        Deal.objects.filter(made_by=guest).update(made_by=member)
        for attempt in Attempt.objects.select_for_update().filter(player=guest).order_by("deal_id", "number"):
            last = Attempt.objects.filter(player=member, deal=attempt.deal_id).aggregate(last=Max("number"))["last"]
            attempt.player, attempt.number = member, (last or 0) + 1
            attempt.save(update_fields=["player", "number"])
