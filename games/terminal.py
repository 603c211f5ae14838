"""A table as lines of text, drawn from what its player may see. Reading what the player types is the command's."""

from collections.abc import Iterator

from games.engine.game import Game
from games.engine.player_view import PlayerView

Faces = list[str | None]


def draw(game: Game, view: PlayerView) -> str:
    """The whole table, a line a pile; a group of single cards takes one line together."""
    return "\n".join(line for row in game.layout for group in row.split() for line in _group(game, view, group))


def _group(game: Game, view: PlayerView, group: str) -> Iterator[str]:
    piles = {name: view.piles[name] for name, its in game.names.group.items() if its == group}
    if len(piles) > 1 and all(len(pile) <= 1 for pile in piles.values()):
        singles = (f"{number}:{face}" for number, pile in enumerate(piles.values(), 1) for face in pile)
        yield f"{group:<12} {' '.join(singles) or '-'}"
    else:
        yield from (f"{name:<12} {_pile(pile)}" for name, pile in piles.items())


def _pile(pile: Faces) -> str:
    hidden = pile.count(None)
    faces = [face for face in pile if face]
    return " ".join([f"[{hidden}]", *faces] if hidden else faces) or "-"
