"""Whole games, every byte that the server sends: no face-down card is ever in it.

What lies face down is worked out here from RULES.md alone: the stock, and all of the reserve but its top card.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import Client

from accounts.models import User
from games.engine.cards import parse_cards
from games.engine.catalogue import GAMES
from games.engine.line import Line
from games.engine.table import write_table
from games.models import Attempt, Deal
from games.sentences import card_name
from games.shuffling import Shuffled, commitment
from tests.games.conftest import Player, Sit

CASES = Path(__file__).parents[1] / "engine/cases"
FACE = re.compile(r"(?<![0-9A-Za-z_-])[A2-9TJQK][CDHS](?![0-9A-Za-z_-])")
SPOKEN = re.compile(r"(?:Ace|Jack|Queen|King|\d+) of (?:clubs|diamonds|hearts|spades)")


def longest(slug: str) -> dict[str, Any]:
    cases: list[dict[str, Any]] = json.loads((CASES / f"{slug}.json").read_text())
    return max(cases, key=lambda case: len(case["steps"]))


def open_cards(line: Line) -> Counter[str]:
    """The faces that lie open on a table."""
    seen: Counter[str] = Counter()
    for text in write_table(line.at.table).splitlines():
        place, _, cards = text.partition(":")
        faces = cards.split()
        if place == "reserve":
            seen.update(faces[-1:])
        elif place not in ("stock", "spare", "base", "redeals"):
            seen.update(faces)
    return seen


def check(raw: str, line: Line) -> None:
    """Every card in a message lies open, and as many as lie open are there."""
    message = json.loads(raw)
    seen = open_cards(line)
    assert Counter(FACE.findall(raw)) == (seen if message["type"] == "table" else Counter())
    names = {card_name(face) for face in seen}
    assert set(SPOKEN.findall(raw)) <= names


async def heard(player: Player, line: Line) -> dict[str, Any]:
    raw = await player.wire.receive_from()
    check(raw, line)
    message: dict[str, Any] = json.loads(raw)
    if message["type"] == "table":
        player.table = message
    return message


@database_sync_to_async
def dealt(case: dict[str, Any], player: User) -> Attempt:
    shuffled = Shuffled(parse_cards(case["deck"]), parse_cards(case.get("second_deck", "")))
    deal = Deal.objects.create(
        game=case["game"],
        kind="shuffled",
        deck=case["deck"],
        spare=case.get("second_deck", ""),
        nonce="secret",
        commitment=commitment("secret", shuffled),
    )
    return Attempt.objects.create(deal=deal, game=deal.game, player=player)


@database_sync_to_async
def pages(user: User, attempt: Attempt) -> list[str]:
    """Everything that can be fetched about an attempt while it is open."""
    client = Client(raise_request_exception=False)
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    own = [f"/play/{attempt.code}/", f"/play/{attempt.code}/proof/", f"/deals/{attempt.deal.code}/", "/", "/mine/"]
    wrong = [f"/play/{attempt.deal.code}/", f"/deals/{attempt.code}/", f"/play/{attempt.code}/deck/"]
    answers = [client.get(address) for address in own + wrong]
    answers.append(client.post(f"/play/{attempt.code}/proof/"))
    return [str(answer.headers) + answer.content.decode() for answer in answers]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("slug", GAMES)
async def test_no_face_down_card_ever_leaves_the_server(sit: Sit, owner: User, slug: str, settings: Any) -> None:
    settings.REQUEST_BURST = 10_000
    case = longest(slug)
    game = GAMES[slug]
    line = Line.begin(game, game.setup(parse_cards(case["deck"]), parse_cards(case.get("second_deck", ""))))
    attempt = await dealt(case, owner)
    async with sit(owner, attempt.code) as player:
        for number, step in enumerate(case["steps"]):
            never = ["stock>waste1", "reserve>stock", "stock>reserve"] if number % 10 == 0 else []
            for refused in step.get("refused", []) + never:
                await player.say(type="do", version=line.version, entry=refused)
                assert (await heard(player, line))["type"] == "refused"
                await heard(player, line)
            for entry in ("undo", "redo") if number % 25 == 24 else ():
                line = line.after(entry)
                await player.say(type="do", version=line.version - 1, entry=entry)
                await heard(player, line)
            if number % 60 == 30:
                for page in await pages(owner, attempt):
                    assert case["deck"][:20] not in page
                    assert not FACE.search(re.sub(r"<(script|style|svg).*?</\1>", "", page, flags=re.DOTALL))
            line = line.after(step["move"])
            await player.say(type="do", version=line.version - 1, entry=step["move"])
            assert (await heard(player, line))["version"] == line.version
        assert player.table["outcome"] == case["end"]["status"]
