"""The parts of a layout are told as the game has them: what is on the page cannot drift from the engine."""

import random
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import translation
from django.utils.html import escape

from games import layouts
from games.engine.cards import packs
from games.engine.catalogue import GAMES
from games.engine.game import Game

NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
GROUPS = {"waste pile": "waste", "foundation": "foundation", "bed": "bed", "tableau pile": "tableau"}
SAID = re.compile(rf"\b({'|'.join(NUMBERS[3:])}) ({'|'.join(GROUPS)})s\b")


def told(game: Game) -> dict[str, str]:
    return {part.place.group: part.facts for part in layouts.parts(game)}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_place_of_a_game_is_told_of_once_and_no_other(game: Game) -> None:
    groups = [group for row in game.layout for group in row.split()]
    assert [part.place.group for part in layouts.parts(game)] == groups
    assert set(groups) == set(game.place) == set(layouts.PURPOSES[game.slug])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_as_many_cards_lie_there_as_is_said(game: Game) -> None:
    chance = random.Random(7)
    for _ in range(50):
        deck = chance.sample(packs(game.packs), 52 * game.packs)
        table = game.setup(tuple(deck), tuple(deck))
        for part in layouts.parts(game):
            least, most = part.cards
            assert least <= sum(map(len, table.group(part.place.group))) <= most


def test_what_is_said_is_what_the_rules_are() -> None:
    frog, crapaud, dick = (told(GAMES[slug]) for slug in ("frog", "le-crapaud", "dicks-frog"))
    assert frog["reserve"] == "1 place · 13 cards at the start · only the top card seen. Nothing is ever laid here."
    assert frog["foundation"] == (
        "8 places · 1 to 8 cards at the start · all cards seen. "
        "The next higher card of any suit may be laid here. From: turned card, reserve, waste."
    )
    assert frog["waste"].endswith("Any card may be laid here. Only if it fits no foundation. From: turned card.")
    assert crapaud["waste"].endswith("Any card may be laid here. No Ace. From: turned card.")
    assert "5 to 13 cards" in dick["reserve"]
    assert "75 cards at the start · face down" in told(GAMES["american-toad"])["stock"]


def test_another_layout_is_told_otherwise() -> None:
    frog = GAMES["frog"]
    places = tuple(replace(place, count=6) if place.group == "waste" else place for place in frog.places)
    assert told(replace(frog, places=places))["waste"].startswith("6 places · ")


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize("slug", GAMES)
def test_the_page_says_it_in_every_language(client: Client, slug: str, language: str) -> None:
    page = client.get(f"/rules/{slug}/?lang={language}").content.decode()
    with translation.override(language):
        for part in layouts.parts(GAMES[slug]):
            for text in (part.name, part.purpose, part.facts):
                assert f"<span>{escape(text)}</span>" in page


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
def test_numbers_in_the_texts_are_those_of_the_game(client: Client, slug: str) -> None:
    page = re.sub(r"[^.]*Sir Tommy[^.]*\.", "", client.get(f"/rules/{slug}/").content.decode())  # which has others
    found = SAID.findall(page)
    assert found
    for number, things in found:
        assert GAMES[slug].place[GROUPS[things]].count == NUMBERS.index(number) + 1
