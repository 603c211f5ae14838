"""The games that Lilypad offers, in lobby order. A game's rules stand in its own file."""

from collections.abc import Mapping

from games.engine.catalogue.frogs import DICKS_FROG, FANNY, FLY, FROG, LE_CRAPAUD
from games.engine.catalogue.gardens import FLOWER_GARDEN, FLOWER_GARDEN_REDEAL
from games.engine.catalogue.toad import AMERICAN_TOAD
from games.engine.game import Game

GAMES: Mapping[str, Game] = {
    game.slug: game
    for game in (FROG, LE_CRAPAUD, FLY, FANNY, DICKS_FROG, FLOWER_GARDEN, FLOWER_GARDEN_REDEAL, AMERICAN_TOAD)
}
