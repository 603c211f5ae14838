"""Rule cases: JSON files of games that any program of these rules must agree with. The rules stand in the engine."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from games.engine.cards import BadDeck, BadText, packs, parse_cards, write_cards
from games.engine.catalogue import GAMES
from games.engine.game import Game
from games.engine.play import HOME, Refused, outcome, play
from games.engine.table import Move, Table, parse_move


class Step(msgspec.Struct):
    """What holds before a move, and the move."""

    move: str | None = None
    legal: list[str] | None = None  # all legal moves, a foundation gone to written without its number
    refused: list[object] | None = None


class End(msgspec.Struct):
    """How the game stands after the last step."""

    status: str | None = None
    piles: dict[str, str] | None = None


class Case(msgspec.Struct):
    """One game, from its deck to its end. Only game and deck must be there."""

    game: str
    deck: str
    second_deck: str | None = None
    start: dict[str, str] | None = None
    steps: list[msgspec.Raw] | None = None
    end: End | None = None


def read_cases(path: Path) -> list[msgspec.Raw]:
    """The cases of a file, each still to be read. Raises BadText where it is no readable list."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[msgspec.Raw])
    except OSError as error:
        raise BadText(f"cannot be read: {error.strerror}") from None
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadText(f"is no list of cases: {error}") from None


def differences(raw: msgspec.Raw) -> Iterator[str]:
    """Everything in which a case and these rules differ, a sentence each. Steps are counted from 1."""
    try:
        case = msgspec.json.decode(raw, type=Case)
        if case.game not in GAMES:
            raise BadText(f"no game is called {case.game!r}")
        game = GAMES[case.game]
        table = game.setup(parse_cards(case.deck), parse_cards(case.second_deck or ""))
    except (msgspec.MsgspecError, RecursionError, BadText, BadDeck) as error:
        yield f"badly written: {error}"
        return
    if case.start is not None:
        yield from (f"start: {what}" for what in _other_piles(table, case.start))
    for number, text in enumerate(case.steps or (), 1):
        try:
            step = msgspec.json.decode(text, type=Step)
            yield from (f"step {number}: {what}" for what in _other_moves(game, table, step))
            table = _played(game, table, step.move) if step.move is not None else table
        except (msgspec.MsgspecError, RecursionError, BadText) as error:
            yield f"step {number}: {error}"
            return
    if case.end:
        yield from (f"end: {what}" for what in _other_end(game, table, case.end))


def _other_piles(table: Table, expected: Mapping[str, str]) -> Iterator[str]:
    for name in expected:
        if name not in table.places.index:
            yield f"there is no place {name!r}"
    for name, pile in zip(table.places.names, table.piles, strict=True):
        cards, wanted = write_cards(pile), " ".join(expected.get(name, "").split())
        if cards != wanted:
            yield f"{name} holds {cards or 'nothing'}, expected {wanted or 'nothing'}"


def _other_moves(game: Game, table: Table, step: Step) -> Iterator[str]:
    for text in step.refused or ():
        if _is_accepted(game, table, text):
            yield f"{text} is accepted, expected to be refused"
    if step.legal is not None:
        legal, expected = {_without_number(move) for move in game.legal_moves(table)}, set(step.legal)
        if missing := sorted(expected - legal):
            yield f"expected to be legal, but is not: {', '.join(missing)}"
        if more := sorted(legal - expected):
            yield f"legal, but not expected to be: {', '.join(more)}"


def _is_accepted(game: Game, table: Table, text: object) -> bool:
    """Whether a text can be played; one that is no move at all cannot."""
    try:
        return isinstance(text, str) and bool(play(game, table, parse_move(text)))
    except (BadText, Refused):
        return False


def _without_number(move: Move) -> str:
    return str(move._replace(target=HOME) if move.target.startswith(HOME) else move)


def _played(game: Game, table: Table, text: str) -> Table:
    try:
        table = play(game, table, parse_move(text))
    except Refused as refused:
        raise BadText(f"{text} is refused ({refused.refusal.code}), expected to be legal") from None
    if sorted(card for pile in table.piles for card in pile) != sorted(packs(game.packs)):
        raise BadText(f"{text} needs each unplayed card once in second_deck")
    return table


def _other_end(game: Game, table: Table, end: End) -> Iterator[str]:
    status = outcome(game, table, game.legal_moves(table)).value
    if end.status is not None and end.status != status:
        yield f"the game is {status}, expected {end.status}"
    if end.piles is not None:
        yield from _other_piles(table, end.piles)
