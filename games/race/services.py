"""What happens in a round: the only way to add to its log, and to show what comes of it. Seats are elsewhere."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from contextvars import Context
from datetime import UTC, datetime

from channels.db import database_sync_to_async
from django.conf import settings

from games import metrics
from games.engine.cards import BadText
from games.engine.game import Refusal
from games.engine.play import Refused
from games.live import hub
from games.live.journal import Conflict, Unavailable, journal
from games.race import dealing, protocol, rooms
from games.race.models import SIDES
from games.race.record import Ended, RoundRecord
from games.race.rooms import Room
from games.race.standing import HASTY, MISS, PRESENCE, TIME, WORDS, Line, Standing
from games.services import Denied

logger = logging.getLogger(__name__)
TRIES = 8  # another process may have added to the log; a rival's entry is no reason to refuse ours
_ticking: set[asyncio.Task[None]] = set()


async def enter(*, race_id: int, side: int, number: int, version: int, entry: str) -> None:
    """Do what a player asks for in a round, seen at `version`, then show the new view to all who are there.

    Returns once it is in the log. Raises Denied. The same entry sent again for the same version counts once.
    """

    hasty = False

    async def enter_in(room: Room) -> None:
        nonlocal hasty
        if (number, version) > (room.round.number, room.standing.version):
            await rooms.catch_up(room)  # it was seen in another process
        # Both wanted the next round at the same moment.
        late = entry == "ready" and 0 < number == room.round.number - 1
        seen = 0 if late else version
        if (number != room.round.number and not late) or seen > room.standing.version:
            raise Denied("stale")
        if answered(room.lines[seen:], side, entry):
            return
        if room.standing.result and entry == "ready":
            await _next_round(room, side)
            return
        at = await _catch_up(room)
        text = _asked(room.standing, side, entry, at)
        await _append(room, Line(side, text, at))
        hasty = text == HASTY

    await _in_room(race_id, enter_in)
    if hasty:
        raise Denied("too-fast")


async def arrive(*, race_id: int, seat: int) -> None:
    """Somebody is here, and has begun to listen. Raises Denied."""
    await _present(race_id, seat, "here")


async def sits(*, race_id: int, seat: int, player_id: int | None) -> bool:
    """Whether a seat is still this player's: guests log in as somebody else, and accounts are deleted."""
    room = await _opened(race_id)
    if seat and not _is_at(room, seat, player_id):
        async with room.lock:
            await rooms.catch_up(room)  # who sits there may have been told to another process only
    return not seat or _is_at(room, seat, player_id)


def _is_at(room: Room, seat: int, player_id: int | None) -> bool:
    player = room.players.get(seat)
    return player is not None and player.pk == player_id


async def depart(*, race_id: int, seat: int, closed: bool) -> None:
    """A socket has gone: its tab was closed, or its connection lost. Raises Denied."""
    await _present(race_id, seat, "closed" if closed else "lost")


async def _present(race_id: int, seat: int, presence: str) -> None:
    """Players are on record, once for all their tabs; those who watch are only counted."""

    async def enter_in(room: Room) -> None:
        if settings.REDIS_URL:
            await rooms.catch_up(room)
        here = hub.audience(room.topic, seat) > 0
        if seat and room.standing.side(seat).presence != presence and here == (presence == "here"):
            at = await _catch_up(room)
            await _append(room, Line(seat, presence, at))

    await _in_room(race_id, enter_in)


async def _in_room(race_id: int, act: Callable[[Room], Awaitable[None]]) -> None:
    """Act with the room's lock held and its log brought up to now; again, if another process was faster."""
    for _ in range(TRIES):
        room = await rooms.open_room(race_id)
        async with room.lock:
            if rooms.find(race_id) is not room:
                continue
            try:
                await _catch_up(room)
                await act(room)
            except Conflict:
                await rooms.read_on(room)
                continue
            except Denied:
                raise
            except BaseException:
                rooms.drop(race_id)
                raise
        await show(race_id)
        hub.nudge(rooms.topic(race_id))
        return
    raise Denied("unavailable")


def answered(since: Sequence[Line], side: int, entry: str) -> bool:
    """Whether an entry is in the log since its player last saw it: sent again, as the acknowledgement was lost.

    Raises Denied if the player's log has gone on with something else.
    """
    own = [line.text for line in since if line.side == side and line.text not in (*PRESENCE, TIME)]
    if own and not _answers(own[0], entry):
        raise Denied("stale")
    return bool(own)


def _answers(text: str, entry: str) -> bool:
    """Whether this line of the log is what came of a player's entry."""
    if entry in WORDS:
        return text == entry
    return text in (entry, f"{MISS} {entry}", HASTY) or text.startswith(f"{entry}>")


def now() -> datetime:
    """The time by this server's clock."""
    return datetime.now(UTC)


def _asked(standing: Standing, side: int, entry: str, at: datetime) -> str:
    try:
        return standing.read(side, entry, at)
    except Refused as refused:
        raise _denied(refused.refusal) from None


def _denied(refusal: Refusal) -> Denied:
    code = refusal.code if refusal.code in ("over", "locked", "early", "too-fast") else "illegal"
    return Denied(code, refusal)


async def _catch_up(room: Room) -> datetime:
    """Write what time has made necessary before anything else. The time now, at which nothing more is due."""
    while line := room.standing.due(at := room.time(now())):
        await _append(room, line._replace(at=max(line.at, room.standing.at or line.at)))
    return at


async def _append(room: Room, line: Line) -> None:
    """Log first, memory after it. Raises Denied, and Conflict where the log has grown unseen."""
    try:
        standing = room.standing.after(line)
    except BadText:
        raise Denied("malformed") from None
    except Refused as refused:
        raise _denied(refused.refusal) from None
    ended = None if room.standing.result else Ended.of(standing)  # once: what is said after the end changes nothing
    try:
        await journal.submit(RoundRecord(room.round.pk, standing.version, *line, ended))
    except Unavailable:
        rooms.drop(room.race_id)
        raise Denied("unavailable") from None
    _count(room.standing, standing, line)
    room.standing = standing
    room.lines.append(line)


def _count(before: Standing, after: Standing, line: Line) -> None:
    """For those who run the site: what a new line of a log has been."""
    if line.side and line.text not in (*PRESENCE, TIME):
        metrics.moves(metrics.RACE).inc()
    if after.begun and not before.begun:
        metrics.races_started.inc()
    if after.result and not before.result:
        metrics.races_ended.labels(after.result.reason).inc()


async def _next_round(room: Room, side: int) -> None:
    """Deal the next round, and have the player who asked for it ready in it."""
    await database_sync_to_async(dealing.next_round)(race_id=room.race_id, number=room.round.number)
    await rooms.reload(room)
    at = await _catch_up(room)
    await _append(room, Line(side, "ready", at))


async def show(race_id: int) -> None:
    """Show the race to all who are here, each audience its own view, and wake up when time makes the next entry."""
    room = await rooms.open_room(race_id)
    if not hub.show(room.topic, room.round.race.code, *(_text(room, seat) for seat in range(3))):
        rooms.drop(race_id)
        return
    _wake(room)


def _text(room: Room, seat: int) -> str:
    return _encoded(room, seat) if hub.audience(room.topic, seat) else ""


async def view(*, race_id: int, seat: int) -> str:
    """The newest view for a seat as it goes over the wire."""
    return _encoded(await _opened(race_id), seat)


def _encoded(room: Room, seat: int) -> str:
    return protocol.encode(protocol.view_for(room, seat, room.time(now()), hub.watching(room.topic)))


async def _opened(race_id: int) -> Room:
    """The room, with its clock wound up: after a failure it may have been read anew."""
    room = await rooms.open_room(race_id)
    if room.timer is None:
        _wake(room)
    return room


def _wake(room: Room) -> None:
    """Have the server's next entry written at its time. Any process may do it; the first one does."""
    if room.timer:
        room.timer.cancel()
    coming = room.standing.next_due()
    if coming:
        delay = max(0.0, (coming[0] - room.time(now())).total_seconds())
        room.timer = asyncio.get_running_loop().call_later(delay, _tick, room.race_id)


def _tick(race_id: int) -> None:
    # In a context of its own: the timer may have been set for a page, whose thread has ended.
    task = asyncio.create_task(_on_time(race_id), context=Context())
    _ticking.add(task)
    task.add_done_callback(_ticking.discard)


async def _on_time(race_id: int) -> None:
    async def nothing_more(room: Room) -> None: ...

    try:
        await _in_room(race_id, nothing_more)
    except Exception as error:  # the database may be away; whoever comes next writes it
        logger.warning("an entry could not be written in time: %s", error)


async def announce(race_id: int) -> None:
    """Who sits where has changed."""
    await refresh(race_id)
    hub.nudge(rooms.topic(race_id))


async def newest(race_id: int) -> tuple[int, int]:
    """The newest round and version; where other processes play too, theirs may have been added unheard."""
    if settings.REDIS_URL:
        await refresh(race_id)
    room = await _opened(race_id)
    return room.round.number, room.standing.version


async def clock(race_id: int) -> datetime:
    """The time in a race."""
    return (await _opened(race_id)).time(now())


async def refresh(race_id: int, *, show_anyway: bool = False) -> None:
    """Catch up with what another process may have added, and show what is new."""
    room = rooms.find(race_id)
    if room is None:
        return
    async with room.lock:
        changed = await rooms.read_on(room)
    if changed or show_anyway:
        await show(race_id)
    for seat in SIDES:
        if hub.audience(room.topic, seat) and room.standing.side(seat).presence != "here":
            with suppress(Denied):  # a tab was closed at another process, and one is open here
                await arrive(race_id=race_id, seat=seat)


async def _nudged(race_id: int) -> None:
    """Another process has something new, be it only that somebody watches there."""
    await refresh(race_id, show_anyway=True)


hub.on_nudge(rooms.KIND, _nudged)
