"""The picture of an opening layout, for links to a deal. Drawn from the player's view: it has no hidden card."""

from functools import cache, lru_cache
from io import BytesIO

from django.utils.translation import get_language, gettext as _
from PIL import Image, ImageDraw, ImageFont

from games import names, selectors
from games.deals.shapes import Outline, outlines
from games.engine.catalogue import GAMES
from games.engine.game import Game
from games.engine.player_view import PlayerView, player_view
from games.models import Deal
from games.sentences import card_name

WIDTH, HEIGHT = 1200, 630  # as those who show links ask for
EDITION = 2  # of the drawing; part of what caches compare
FINER = 3  # cards are drawn larger and made smaller, for smooth edges

# The colours of static/css/tokens.css by day.
FELT, FELT_LINE, ON_FELT = "#1c6450", "#4f8a78", "#f1f6ec"
PAPER, EDGE, BACK, LEAF, BLOSSOM = "#fffefa", "#b9beb4", "#1d5f6b", "#5fae6e", "#f3a9c4"
INK = {"C": "#1b2622", "S": "#1b2622", "D": "#c51f36", "H": "#c51f36"}

MARGIN, HEAD = 50, 105
STRIP = 0.3  # of a card's height, seen of one that another lies on


def opening(deal: Deal) -> PlayerView:
    """What is seen before the first move."""
    return player_view(GAMES[deal.game], selectors.start_table(deal))


def draw(deal: Deal, form: str) -> bytes:
    """The picture, with the reader's letters on the cards. Words are left to the page: this font has few alphabets.

    As `png` for those who show links and know nothing else, as `webp` for the page itself: little more than half of it.
    """
    return _drawn(deal.game, deal.deck, deal.spare, get_language(), form)


@lru_cache(200)  # 4 MB: who is sent a link opens it soon, and so do all the others
def _drawn(slug: str, deck: str, spare: str, language: str, form: str) -> bytes:
    game, seen = GAMES[slug], opening(Deal(game=slug, deck=deck, spare=spare))
    image = Image.new("RGB", (WIDTH, HEIGHT), FELT)
    ImageDraw.Draw(image).text((MARGIN, 66), "Lilypad", ON_FELT, ImageFont.load_default(44), anchor="lm")
    width = _card_width(game, seen)
    heights = [_row_height(game, seen, row, width) for row in game.layout]
    gap = min((HEIGHT - HEAD - MARGIN / 2 - sum(heights)) / len(heights), 45)
    y = HEAD + (HEIGHT - HEAD - sum(heights) - gap * (len(heights) - 1)) / 2 - 10
    for row, height in zip(game.layout, heights, strict=True):
        _draw_row(image, game, seen, row, width, round(y))
        y += height + gap
    file = BytesIO()
    few_colours = image.quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few_colours.save(file, form, lossless=True)  # a PNG always is
    return file.getvalue()


def describe(deal: Deal) -> str:
    """The picture in words."""
    game, seen = GAMES[deal.game], opening(deal)
    parts = [_("%(name)s, opening layout.") % {"name": names.NAMES[game.slug]}]
    for group in " ".join(game.layout).split():
        piles = [pile for name in _names(game, group) if (pile := seen.piles[name])]
        tops = [card_name(pile[-1]) for pile in piles if pile[-1]]
        label = names.group_label(game.slug, group)
        if tops:
            parts.append(_("%(place)s: %(cards)s.") % {"place": label, "cards": ", ".join(tops)})
        elif piles:
            parts.append(_("%(place)s: face down.") % {"place": label})
    return " ".join(parts)


def _names(game: Game, group: str) -> tuple[str, ...]:
    return game.names.names[game.names.span[group]]


def _row_names(game: Game, row: str) -> list[str]:
    return [name for group in row.split() for name in _names(game, group)]


def _card_width(game: Game, seen: PlayerView) -> int:
    """As large as the widest row and all rows together allow."""
    widest = max(len(_row_names(game, row)) for row in game.layout)
    by_width = (WIDTH - 2 * MARGIN) / (widest + (widest - 1) * 0.12)
    unit = sum(_row_height(game, seen, row, 100) for row in game.layout) / 100
    by_height = (HEIGHT - HEAD - MARGIN - 25 * (len(game.layout) - 1)) / unit
    return int(min(by_width, by_height))


def _row_height(game: Game, seen: PlayerView, row: str, width: int) -> float:
    longest = max(_fan(seen.piles[name]) for name in _row_names(game, row))
    return width * 1.4 * (1 + STRIP * longest)


def _fan(pile: list[str | None]) -> int:
    """How many cards are seen below the top one."""
    return max(sum(card is not None for card in pile) - 1, 0)


def _draw_row(image: Image.Image, game: Game, seen: PlayerView, row: str, width: int, y: int) -> None:
    piles = [seen.piles[name] for name in _row_names(game, row)]
    step = min(width * 1.25, (WIDTH - 2 * MARGIN - width) / max(len(piles) - 1, 1))
    x = (WIDTH - step * (len(piles) - 1) - width) / 2
    for pile in piles:
        _draw_pile(image, pile, width, round(x), y)
        x += step


def _draw_pile(image: Image.Image, pile: list[str | None], width: int, x: int, y: int) -> None:
    if not pile:
        box = (x, y, x + width, y + round(width * 1.4))
        ImageDraw.Draw(image).rounded_rectangle(box, width * 0.08, outline=FELT_LINE, width=2)
        return
    under = pile[: -_fan(pile) - 1]
    for depth in range(min(len(under), 3), 0, -1):  # a squared-up pile shows some edges
        image.paste(_card("", "", width), (x + 3 * depth, y + 3 * depth), _card("", "", width))
    for place, face in enumerate(pile[len(under) :]):
        card = _card(face or "back", str(names.CORNERS[face[0]]) if face else "", width)
        image.paste(card, (x, y + round(place * STRIP * width * 1.4)), card)


@cache
def _card(face: str, corner: str, width: int) -> Image.Image:
    """A card, its back or a blank one. Cached: there are 54 in each of three sizes and languages."""
    wide = width * FINER
    card = Image.new("RGBA", (wide, round(wide * 1.4)))
    pen = ImageDraw.Draw(card)
    box = (0, 0, card.width - 1, card.height - 1)
    pen.rounded_rectangle(box, wide * 0.08, PAPER, EDGE, max(wide // 70, 2))
    if face == "back":
        _draw_back(pen, card.width, card.height)
    elif face:
        _draw_face(pen, corner, face[1], wide)
    return card.resize((width, round(width * 1.4)), Image.Resampling.LANCZOS)


def _draw_face(pen: ImageDraw.ImageDraw, corner: str, suit: str, wide: int) -> None:
    """Rank and suit in the strip that is seen of every card, and a large suit below."""
    stroke = round(wide * 0.3 * 0.17)
    for line in outlines(f"rank-{corner}"):
        points = _placed(line, wide * 0.1, wide * 0.1, wide * 0.0029)
        pen.line(points, INK[suit], stroke, joint="curve")
    for line in outlines(f"suit-{suit}"):
        pen.polygon(_placed(line, wide * 0.62, wide * 0.09, wide * 0.003), INK[suit])
        pen.polygon(_placed(line, wide * 0.22, wide * 0.66, wide * 0.0056), INK[suit])


def _draw_back(pen: ImageDraw.ImageDraw, width: int, height: int) -> None:
    inset = width * 0.08
    pen.rounded_rectangle((inset, inset, width - inset, height - inset), width * 0.05, BACK)
    for x, y, radius, colour in ((0.38, 0.42, 0.22, LEAF), (0.64, 0.88, 0.2, LEAF), (0.5, 0.68, 0.1, BLOSSOM)):
        middle, size = (width * x, width * y), width * radius
        box = (middle[0] - size, middle[1] - size, middle[0] + size, middle[1] + size)
        pen.pieslice(box, 290 if colour == LEAF else 0, 610 if colour == LEAF else 360, colour)


def _placed(line: Outline, x: float, y: float, size: float) -> list[tuple[float, float]]:
    return [(x + px * size, y + py * size) for px, py in line]
