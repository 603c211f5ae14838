"""What goes over the websocket: typed requests in, typed messages out. docs/protocol.md shows both."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from games.engine.line import GIVEN_UP, Line
from games.engine.player_view import PlayerView

LONGEST = 1024  # characters of a request

Version: TypeAlias = Annotated[int, Meta(ge=0, lt=2**31)]


class Do(Struct, tag="do", tag_field="type", forbid_unknown_fields=True, frozen=True):
    """Append this entry, a move or a word, to the log that the player saw at this version."""

    version: Version
    entry: Annotated[str, Meta(min_length=1, max_length=32)]


class Ping(Struct, tag="ping", tag_field="type", forbid_unknown_fields=True, frozen=True):
    """I am here, and this is the newest version that I have."""

    version: Version


Request: TypeAlias = Do | Ping


class View(Struct, tag="table", tag_field="type", frozen=True):
    """The whole table as its player may see it, and what can be done now."""

    attempt: str
    version: int
    game: str
    piles: dict[str, list[str | None]]
    moves: list[str]
    outcome: str
    closed: bool
    last: str
    undo: bool
    redo: bool
    restart: bool
    finish: bool
    home: int
    count: int
    undos: int
    restarts: int
    seconds: int


def outcome_of(line: Line, seen: PlayerView) -> str:
    """playing, won, stuck or given-up, from a view that is made already."""
    return GIVEN_UP if line.given_up else seen.outcome.value


def view_of(attempt: str, line: Line, seen: PlayerView, seconds: float) -> View:
    """The newest table of a line, as its player sees it."""
    return View(
        attempt=attempt,
        version=line.version,
        game=line.game.slug,
        piles=seen.piles,
        moves=[] if line.closed else seen.moves,
        outcome=outcome_of(line, seen),
        closed=line.closed,
        last=line.last,
        undo=line.can("undo"),
        redo=line.can("redo"),
        restart=line.can("restart"),
        finish=seen.finish and not line.closed,
        home=seen.home,
        count=line.at.count,
        undos=line.undos,
        restarts=line.restarts,
        seconds=int(seconds),
    )


class Refused(Struct, tag="refused", tag_field="type", frozen=True):
    """A request that changed nothing, and why, in the reader's language. The newest view follows."""

    code: str
    why: str
    version: int
    entry: str


class Pong(Struct, tag="pong", tag_field="type", frozen=True):
    """The answer to a ping: the newest version there is."""

    version: int


Message: TypeAlias = View | Refused | Pong


class Malformed(ValueError):
    """What came in is no request."""


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
