"""docs/protocol.md tells the truth: its conversation is held with the server, its requests parse."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from channels.db import database_sync_to_async

from accounts.models import User
from games import shuffling
from games.engine.cards import parse_cards
from games.models import Attempt, Deal
from games.protocol import Malformed, parse
from tests.games.conftest import Sit

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/protocol.md").read_text()
CASE = json.loads((ROOT / "tests/engine/cases/flower-garden.json").read_text())[0]
CODE = "k3JmVxQ2nR7p"


def conversation() -> list[tuple[str, Any]]:
    """The lines of the page that begin with an arrow, in order."""
    return [(arrow, json.loads(text)) for arrow, text in re.findall(r"^([→←]) (\{.*\})$", PAGE, re.MULTILINE)]


def deal_of_the_page() -> Deal:
    shuffled = shuffling.Shuffled(parse_cards(CASE["deck"]), ())
    seal = shuffling.commitment("00", shuffled)
    return Deal.objects.create(game="flower-garden", kind="shuffled", deck=CASE["deck"], nonce="00", commitment=seal)


@pytest.mark.django_db(transaction=True)
async def test_the_conversation_of_the_page_is_what_the_server_says(sit: Sit, owner: User) -> None:
    deal = await database_sync_to_async(deal_of_the_page)()
    attempt = await database_sync_to_async(Attempt.objects.create)(
        code=CODE, deal=deal, game=deal.game, player=owner, home=0
    )
    (_, first), *rest = conversation()
    async with sit(owner, attempt.code) as player:
        assert player.table == first
        for arrow, message in rest:
            if arrow == "→":
                await player.say(**message)
                continue
            heard = await player.hear()
            whole = message.pop("…", None) is None
            assert {key: heard[key] for key in message} == message
            assert not whole or set(heard) == set(message)


def test_every_kind_of_request_is_on_the_page() -> None:
    assert {message["type"] for arrow, message in conversation() if arrow == "→"} == {"do", "ping"}


@pytest.mark.parametrize("text", re.findall(r"^✗ (.*)$", PAGE, re.MULTILINE))
def test_what_the_page_calls_malformed_is(text: str) -> None:
    with pytest.raises(Malformed):
        parse(text)
