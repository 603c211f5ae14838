"""docs/race-protocol.md tells the truth: its conversation is held with the server, and names every field."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from channels.db import database_sync_to_async

from accounts.models import User
from games.race import seats
from games.race.models import Race
from games.race.protocol import RaceView, SideView
from games.race.seats import Terms
from games.race.standing import HAND
from tests.games.race.conftest import Enter

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/race-protocol.md").read_text()
CASE = json.loads((ROOT / "tests/engine/cases/flower-garden.json").read_text())[0]


def conversation() -> list[tuple[str, str, Any]]:
    """The lines of the page that begin with a side and an arrow, in order."""
    lines = re.findall(r"^([12])([→←]) (\{.*\})$", PAGE, re.MULTILINE)
    return [(side, arrow, json.loads(text)) for side, arrow, text in lines]


@database_sync_to_async
def race_of_the_page(owner: User, rival: User) -> Race:
    race = seats.invite(host=owner, terms=Terms(best_of=3))
    seats.join(player=rival, race=race)
    Race.objects.filter(pk=race.pk).update(code="QUACKS")
    deal = race.rounds.get().first_deal
    deal.deck = CASE["deck"]
    deal.save()
    race.refresh_from_db()
    return race


@pytest.mark.django_db(transaction=True)
async def test_the_conversation_of_the_page_is_what_the_server_says(enter: Enter, owner: User, rival: User) -> None:
    race = await race_of_the_page(owner, rival)
    async with enter(owner, race) as one, enter(rival, race) as two:
        await one.until(lambda view: view["version"] == 2)
        racers = {"1": one, "2": two}
        (_, _, first), *rest = conversation()
        assert holds(first, one.view)
        for side, arrow, message in rest:
            if arrow == "→":
                await asyncio.sleep(HAND.total_seconds())  # no faster than a hand
                await racers[side].say(**message)
            else:
                heard = await racers[side].hear()
                assert holds(message, heard), (message, heard)


def holds(told: dict[str, Any], heard: dict[str, Any]) -> bool:
    told = dict(told)
    whole = told.pop("…", None) is None
    return all(heard[key] == told[key] for key in told) and (not whole or set(heard) == set(told))


def test_every_field_is_explained() -> None:
    explained = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE))))
    assert {*RaceView.__struct_fields__, *SideView.__struct_fields__} <= explained


def test_every_kind_of_request_is_on_the_page() -> None:
    assert {message["type"] for _, arrow, message in conversation() if arrow == "→"} == {"do", "ping"}
