"""The look, as far as text can tell: the sprite has all it is asked for, colours can be read, pages stay within the
Content-Security-Policy. What it looks like is for eyes."""

import re
import runpy
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.core.files.storage import FileSystemStorage
from django.test import Client

from config.storage import HashedStaticFiles, Paths
from games.engine.cards import TEXT
from games.engine.catalogue import GAMES

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "static"
SPRITE = (STATIC / "img" / "cards.svg").read_text(encoding="utf-8")
TOKENS = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8")
CONTRAST = (STATIC / "css" / "contrast.css").read_text(encoding="utf-8")
STYLES = sorted((STATIC / "css").glob("*.css"))
SCRIPTS = sorted((STATIC / "js").glob("*.js"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))

# What is read on what: text by 4.5 to 1, marks and edges of fields by 3 to 1 (WCAG AA).
TEXT_ON = [
    ("ink", "page"),
    ("ink", "panel"),
    ("ink", "warn-page"),
    ("ink-soft", "page"),
    ("ink-soft", "panel"),
    ("leaf", "page"),
    ("leaf", "panel"),
    ("on-leaf", "leaf"),
    ("on-leaf", "leaf-strong"),
    ("on-felt", "felt"),
    ("on-felt", "felt-light"),
    ("on-felt-soft", "felt"),
    ("on-felt-warm", "felt-deep"),
    ("bad", "panel"),
    ("good", "panel"),
    ("suit-hearts", "card-paper"),
    ("suit-spades", "card-paper"),
    ("suit-clubs", "card-paper"),
    ("suit-diamonds", "card-paper"),
]
MARK_ON = [
    ("field-edge", "panel"),
    ("focus", "page"),
    ("mark-last", "felt"),
    ("mark-selected", "felt"),
    ("on-felt-warm", "felt"),
]


def ids(svg: str) -> set[str]:
    return {element.attrib["id"] for element in ElementTree.fromstring(svg).iter() if "id" in element.attrib}


def test_the_sprite_is_what_its_script_draws() -> None:
    assert runpy.run_path(str(ROOT / "bin" / "draw-cards"))["sprite"]() == SPRITE


def test_the_sprite_has_each_face_suit_and_letter() -> None:
    letters = [*"A23456789JQK", "10", *"BDK", *"ТКДВ"]  # English, German and Russian corners
    wanted = {"back", *(f"face-{card}" for card in TEXT), *(f"suit-{suit}" for suit in "CDHS")}
    assert ids(SPRITE) >= wanted | {f"rank-{letter}" for letter in letters}


def test_the_sprite_needs_no_font_no_style_and_no_second_look() -> None:
    assert not re.search(r"<text|<style|style=|<use|href|url\(", SPRITE)
    assert len(SPRITE) < 60_000


def test_each_game_has_an_emblem() -> None:
    assert ids((STATIC / "img" / "emblems.svg").read_text(encoding="utf-8")) == set(GAMES)


def colours(dark: bool, *chosen: str, high: bool = False) -> dict[str, str]:
    """The tokens by day or night, with what some choices change of them."""
    found: dict[str, str] = {}
    for sheet in [TOKENS, CONTRAST] if high else [TOKENS]:
        for selector, block in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
            words = re.findall(r'\[([\w-]+="\w+")\]', selector)
            if set(words) <= set(chosen):
                for name, day, night in re.findall(
                    r"--([\w-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;", block
                ):
                    found[name] = night if dark and night else day
    return found


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    lower, higher = sorted((light(one), light(other)))
    return (higher + 0.05) / (lower + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
@pytest.mark.parametrize("high", [False, True], ids=["usual", "high"])
@pytest.mark.parametrize("table", [(), ('data-table="paper"', 'data-suits="four"')], ids=["felt", "paper"])
def test_colours_can_be_told_apart(dark: bool, high: bool, table: tuple[str, ...]) -> None:
    colour = colours(dark, *table, high=high)
    text, mark = (7.0, 4.5) if high else (4.5, 3.0)
    pairs = [(pair, text) for pair in TEXT_ON] + [(pair, mark) for pair in MARK_ON]
    found = {pair: contrast(colour[pair[0]], colour[pair[1]]) for pair, _ in pairs}
    assert not {pair: found[pair] for pair, least in pairs if found[pair] < least}


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_styles_know_start_and_end_but_neither_left_nor_right(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.findall(r"[\w-]+-(?:left|right)\s*:|[{;\s](?:left|right)\s*:|(?:align|float): (?:left|right)", text)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_place_nothing_by_left_or_right(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.findall(r"style\.\w*(?:left|right)|setProperty\(.[\w-]*(?:left|right)", text, re.IGNORECASE)


def test_the_sheet_of_every_page_is_served_in_one_piece(tmp_path: Path) -> None:
    shutil.copytree(STATIC / "css", tmp_path / "css")
    collected = HashedStaticFiles(location=tmp_path, base_url="/static/")
    sheets: Paths = {f"css/{path.name}": (FileSystemStorage(STATIC), f"css/{path.name}") for path in STYLES}
    list(collected.post_process(sheets))
    (site,) = (path.read_text(encoding="utf-8") for path in tmp_path.glob("css/site.?*.css"))
    assert "@import" not in site
    for name in re.findall(r'@import "(.+)";', (STATIC / "css" / "site.css").read_text(encoding="utf-8")):
        assert (STATIC / "css" / name).read_text(encoding="utf-8").strip() in site


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_hold_no_script_and_no_style(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text)
    scripts = (tag for tag in re.findall(r"<script[^>]*>", text) if "application/json" not in tag)  # which is data
    assert all(" src=" in tag for tag in scripts)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
def test_each_game_has_a_rules_page_with_every_section(client: Client, slug: str) -> None:
    page = client.get(f"/rules/{slug}/").content.decode()
    for section in re.findall(r'<section id="\w+">(.*?)</section>', page, re.DOTALL):
        assert len(re.sub(r"<[^>]+>|\s", "", section)) > 40, section
    assert page.count('<section id="') >= 10


@pytest.mark.django_db
def test_rules_say_where_others_play_differently(client: Client) -> None:
    assert "usually built in suit" in client.get("/rules/american-toad/").content.decode()
    assert "Most books allow more" in client.get("/rules/flower-garden/").content.decode()


@pytest.mark.django_db
def test_the_lobby_offers_each_game_in_both_kinds(client: Client) -> None:
    page = client.get("/").content.decode()
    for slug in GAMES:
        assert f'name="game" value="{slug}"' in page
        assert f'href="/rules/{slug}/"' in page
    assert page.count('type="radio"') == 2 * len(GAMES)
