"""A game as one value: its places, who may lay what where, its setup. Legal moves and refusals derive from it here."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from games.engine.cards import ACE, TEXT, Card, Rank, check_deck
from games.engine.rules import Condition, Fit, Rule
from games.engine.table import Move, Pile, Places, Table

EMPTY = 52  # stands for "no card on top" in a fit's lookup table
Lookup: TypeAlias = tuple[int, ...]  # [top card or EMPTY] → the cards that fit on it, a bit each


class Seen(Enum):
    """Which cards of a pile a player at the table sees; of the others only the number is known."""

    ALL = "all"
    TOP = "top"
    NONE = "none"


@dataclass(frozen=True)
class Place:
    """A group of equal places: what may be laid on one, from which group; what may be lifted from it together."""

    group: str
    count: int = 1
    lay: Mapping[str, Fit] = field(default_factory=dict)  # by the group that the card comes from
    only_if: tuple[Rule, ...] = ()  # must hold too, whatever lies at the place
    run: Fit | None = None  # cards that lie so may go together to another place of the group
    seen: Seen = Seen.ALL


@dataclass(frozen=True)
class Action:
    """A move of the whole table: turning the waste over, dealing again."""

    move: Move
    conditions: tuple[Condition, ...]
    effect: Callable[[Table], Table]
    last_resort: bool = False  # only when no other move is left


class Dealt(NamedTuple):
    """What a setup lays out: the piles that have cards, and the rank that foundations start with."""

    piles: Mapping[str, Pile]
    base: Rank = ACE


class Refusal(NamedTuple):
    """Why a move may not be played: the name of the rule, and the places and seen cards that it is about."""

    code: str
    params: Mapping[str, str]


class Goal(NamedTuple):
    """A group of places together with the fit that cards of some group need there."""

    fits: Lookup
    span: tuple[int, ...]  # the places' indices


class Route(NamedTuple):
    """The ways of one source's top card to one goal."""

    goal: int
    rules: tuple[Rule, ...]
    moves: tuple[tuple[int, Move], ...]  # index of the place gone to, and the move


class Source(NamedTuple):
    """Where cards may be taken, and where they may go."""

    place: int
    routes: tuple[Route, ...]
    run: Lookup | None
    run_route: Route | None


class Plan(NamedTuple):
    """All pairs of places worth asking, worked out once for each game and base rank."""

    goals: tuple[Goal, ...]
    sources: tuple[Source, ...]


@cache
def _lookup(fit: Fit, base: Rank) -> Lookup:
    tops: list[Card | None] = [*range(52), None]
    return tuple(sum(1 << card for card in range(52) if fit(card, top, base)) for top in tops)


def _nothing_happens(table: Table) -> Table:
    return table


def _all_settled(deck: Pile) -> tuple[Pile, Pile]:
    return deck, ()


@dataclass(frozen=True, eq=False)
class Game:
    """The rules of one game. Its slug is for ever: changed rules are another game."""

    slug: str
    packs: int
    places: tuple[Place, ...]
    layout: tuple[str, ...]  # rows of groups, as they lie on the table
    deal: Callable[[Pile], Dealt]
    actions: tuple[Action, ...] = ()
    settle: Callable[[Table], Table] = _nothing_happens  # what happens by itself after a move
    # The cards of a deck whose order stands, and those to be shuffled once more, as the setup asks for.
    searched: Callable[[Pile], tuple[Pile, Pile]] = _all_settled

    @cached_property
    def names(self) -> Places:
        """The names of all places."""
        return Places((place.group, place.count) for place in self.places)

    @cached_property
    def place(self) -> Mapping[str, Place]:
        """The places by their group."""
        return {place.group: place for place in self.places}

    @cached_property
    def seen(self) -> tuple[tuple[str, Seen], ...]:
        """Each place's name, and what is seen of the pile there."""
        return tuple((name, self.place[group].seen) for name, group in self.names.group.items())

    def setup(self, deck: Pile, spare: Pile = ()) -> Table:
        """The table before the first move. `spare` is the order for a redeal. Raises BadDeck."""
        check_deck(deck, self.packs)
        dealt = self.deal(deck)
        empty = Table(self.names, ((),) * len(self.names.names), dealt.base, 0, spare)
        return empty.laid(dealt.piles)

    def legal_moves(self, table: Table) -> list[Move]:
        """Every move that may be played, in a fixed order."""
        moves: list[Move] = []
        tops = [pile[-1] if pile else EMPTY for pile in table.piles]
        plan = _plan(self, table.base)
        wanted = [_wanted(goal, tops) for goal in plan.goals]
        for source in plan.sources:
            card = tops[source.place]
            if card == EMPTY:
                continue
            for goal, rules, routes in source.routes:
                if wanted[goal] >> card & 1 and (not rules or all(rule(table, card) for rule in rules)):
                    fits = plan.goals[goal].fits
                    for target, move in routes:
                        if fits[tops[target]] >> card & 1:
                            moves.append(move)
            if source.run and source.run_route:
                pile, (goal, _, routes) = table.piles[source.place], source.run_route
                moves += _run_moves(source.run, pile, plan.goals[goal].fits, wanted[goal], tops, routes)
        for action in self.actions:
            if not (action.last_resort and moves) and all(condition(table) for condition in action.conditions):
                moves.append(action.move)
        return moves

    def refusal(self, table: Table, move: Move) -> Refusal | None:
        """Why this move may not be played, or None if it may."""
        for action in self.actions:
            if move == action.move:
                return self._action_refusal(table, action)
        source, target = self.names.group.get(move.source), self.names.group.get(move.target)
        if source is None or target is None:
            return _refuse("no_such_place", move)
        place = self.place[target]
        if source not in place.lay or move.source == move.target:
            return _refuse("never", move)
        pile = table.pile(move.source)
        if len(pile) < move.size:
            return _refuse("nothing_there", move)
        if move.size > 1 and not self._is_run(place, source, pile[-move.size :], table.base):
            return _refuse("not_a_run", move, count=str(move.size))
        return self._fit_refusal(table, place, source, move)

    @staticmethod
    def _is_run(place: Place, source: str, cards: Pile, base: Rank) -> bool:
        if place.run is None or source != place.group:
            return False
        return all(place.run(upper, lower, base) for lower, upper in pairwise(cards))

    def _fit_refusal(self, table: Table, place: Place, source: str, move: Move) -> Refusal | None:
        card, goal = table.pile(move.source)[-move.size], table.pile(move.target)
        fit = place.lay[source]
        for rule in place.only_if:
            if not rule(table, card):
                return _refuse(rule.__name__, move, **self._named(source, card))
        if not fit(card, goal[-1] if goal else None, table.base):
            top = {"top": TEXT[goal[-1]]} if goal else {}
            return _refuse(fit.__name__, move, **self._named(source, card), **top)
        return None

    def _named(self, source: str, card: Card) -> dict[str, str]:
        """The card for the reader of a refusal; a face-down one is never named."""
        return {} if self.place[source].seen is Seen.NONE else {"card": TEXT[card]}

    def _action_refusal(self, table: Table, action: Action) -> Refusal | None:
        for condition in action.conditions:
            if not condition(table):
                return Refusal(condition.__name__, {})
        if action.last_resort and self.legal_moves(table) != [action.move]:
            return Refusal("last_resort", {})
        return None


def _refuse(code: str, move: Move, **more: str) -> Refusal:
    return Refusal(code, {"source": move.source, "target": move.target, **more})


def _wanted(goal: Goal, tops: list[int]) -> int:
    """The cards that fit on any place of a goal, a bit each."""
    wanted = 0
    for place in goal.span:
        wanted |= goal.fits[tops[place]]
    return wanted


def _run_moves(
    run: Lookup, pile: Pile, fits: Lookup, wanted: int, tops: list[int], routes: tuple[tuple[int, Move], ...]
) -> Iterator[Move]:
    """Moves of two cards or more that lie as a run at the top of a pile."""
    for count in range(2, len(pile) + 1):
        card = pile[-count]
        if not run[card] >> pile[1 - count] & 1:
            return
        if wanted >> card & 1:
            for target, move in routes:
                if fits[tops[target]] >> card & 1:
                    yield Move(move.source, move.target, count)


@cache
def _plan(game: Game, base: Rank) -> Plan:
    goals: dict[Goal, int] = {}

    def route(source: str, place: Place) -> Route:
        names = game.names.names[game.names.span[place.group]]
        goal = Goal(_lookup(place.lay[game.names.group[source]], base), tuple(game.names.index[name] for name in names))
        targets = ((game.names.index[name], Move(source, name)) for name in names if name != source)
        return Route(goals.setdefault(goal, len(goals)), place.only_if, tuple(targets))

    sources = []
    for name, group in game.names.group.items():
        routes = tuple(route(name, place) for place in game.places if group in place.lay)
        own = game.place[group]
        run, run_route = (_lookup(own.run, base), route(name, own)) if own.run else (None, None)
        if routes:
            sources.append(Source(game.names.index[name], routes, run, run_route))
    return Plan(tuple(goals), tuple(sources))
