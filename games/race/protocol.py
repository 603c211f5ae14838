"""What goes over the websocket of a race: typed requests in, typed messages out. docs/race-protocol.md shows both.

The view of a race is built up from nothing here, for each audience its own; no other code decides what is shown.
"""

from datetime import datetime
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from games.engine.player_view import piles_seen
from games.protocol import Malformed, Version
from games.race.models import OpenTo, Sharing
from games.race.rooms import Room
from games.race.standing import REDEAL, WARNING


class Do(Struct, tag="do", tag_field="type", forbid_unknown_fields=True, frozen=True):
    """Pick this card, or say this word, in the round and at the version that the player saw."""

    round: Version
    version: Version
    entry: Annotated[str, Meta(min_length=1, max_length=16)]


class Ping(Struct, tag="ping", tag_field="type", forbid_unknown_fields=True, frozen=True):
    """I am here; this is the newest that I have, and the time by my clock, in milliseconds."""

    round: Version
    version: Version
    sent: float


Request: TypeAlias = Do | Ping


class SideView(Struct, frozen=True):
    """One side as it may be seen by the reader of the view. Times are milliseconds since 1970 by the server's clock."""

    name: str
    taken: bool
    presence: str
    since: int | None
    ready: bool
    home: int
    beds: int
    stuck: bool
    redeal: bool
    redealt: bool
    misses: int
    hasty: int
    locked_until: int | None
    call_from: int | None
    out_at: int | None
    claim_from: int | None
    score: int
    commitment: str
    deal: str | None
    piles: dict[str, list[str | None]] | None
    last: str


class SaidView(Struct, frozen=True):
    """The newest phrase."""

    side: int
    phrase: str
    number: int


class RaceView(Struct, tag="race", tag_field="type", frozen=True):
    """The whole race as one audience may see it."""

    code: str
    round: int
    match: int
    version: int
    seat: int
    phase: str
    game: str
    sharing: str
    best_of: int
    ghost: bool
    now: int
    go_at: int | None
    ended_at: int | None
    sides: tuple[SideView, SideView]
    said: SaidView | None
    winner: int | None
    reason: str
    decided: bool
    watchers: int


class Refused(Struct, tag="refused", tag_field="type", frozen=True):
    """A request that changed nothing, and why, in the reader's language. The newest view follows."""

    code: str
    why: str
    round: int
    version: int
    entry: str


class Pong(Struct, tag="pong", tag_field="type", frozen=True):
    """The answer to a ping: the newest that there is, and the server's clock in milliseconds since 1970."""

    round: int
    version: int
    sent: float
    now: int


Message: TypeAlias = RaceView | Refused | Pong

_decoder: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Do | Ping)
_encoder = msgspec.json.Encoder()


def parse(text: str | bytes) -> Request:
    """Read a request. Raises Malformed for anything else, whatever it is."""
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Malformed(str(error)) from None


def encode(message: Message) -> str:
    """Write a message as JSON text."""
    return _encoder.encode(message).decode()


def milliseconds(at: datetime) -> int:
    """A time as it goes over the wire."""
    return round(at.timestamp() * 1000)


def _maybe(at: datetime | None) -> int | None:
    return milliseconds(at) if at else None


def view_for(room: Room, seat: int, now: datetime, watchers: int) -> RaceView:
    """The race for a side's player, or with seat 0 for those who watch."""
    standing, race = room.standing, room.round.race
    said = standing.said and SaidView(*standing.said)
    return RaceView(
        code=race.code,
        round=room.round.number,
        match=room.round.match,
        version=standing.version,
        seat=seat,
        phase=standing.phase if 2 in room.players or standing.ghost else "open",
        game=standing.game.slug,
        sharing=race.sharing,
        best_of=race.best_of,
        ghost=race.open_to == OpenTo.GHOST,
        now=milliseconds(now),
        go_at=_maybe(standing.go_at),
        ended_at=_maybe(standing.ended_at),
        sides=(_side(room, 1, seat), _side(room, 2, seat)),
        said=said,
        winner=standing.result.winner if standing.result else None,
        reason=standing.result.reason if standing.result else "",
        decided=room.decided,
        watchers=watchers,
    )


def may_see(room: Room, number: int, seat: int) -> bool:
    """Whether the garden of a side may be seen from a seat.

    Nobody sees a card before the start. With the same deal a sight of the rival's garden would give moves away, and
    whoever watches could tell a player; so only counts are shown until the round is over.
    """
    standing = room.standing
    if not standing.begun:
        return False
    return standing.result is not None or room.round.race.sharing == Sharing.OWN or number == seat


def _side(room: Room, number: int, seat: int) -> SideView:
    standing, side = room.standing, room.standing.side(number)
    seen = may_see(room, number, seat)
    deal = room.round.first_deal if number == 1 else room.round.second_deal
    player = room.players.get(number)
    return SideView(
        name=player.username if player and not player.is_guest else "",
        taken=number in room.players or (standing.ghost is not None and number == 2),
        presence=side.presence,
        since=_maybe(side.since),
        ready=side.ready,
        home=side.home,
        beds=side.beds,
        stuck=standing.begun and standing.stuck(number),
        redeal=standing.begun and not standing.result and list(map(str, side.moves)) == [REDEAL],
        redealt=side.table.redeals > 0,
        misses=side.misses,
        hasty=side.hasty,
        locked_until=_maybe(side.locked_until),
        call_from=_maybe(standing.call_from(number)),
        out_at=_maybe(side.called_at + WARNING) if side.called_at and not standing.result else None,
        claim_from=_maybe(standing.claim_from(number)),
        score=room.winners.count(number),
        commitment=deal.commitment,
        deal=deal.code if standing.result else None,
        piles=piles_seen(standing.game, side.table) if seen else None,
        last=side.last if seen else "",
    )
