"""A race from before its start to after its end, every byte that its players, a watcher and a stranger get.

Who may see which garden is worked out here from the rules alone: nobody before the start; then one's own, and with own
shuffles the rival's; everybody once the round is over. What the cards are is told by a replay of the log.
"""

import json
import re
from collections import Counter
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from channels.db import database_sync_to_async
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from games.engine.cards import TEXT, write_cards
from games.race import seats, selectors
from games.race.models import Race, Round
from games.race.seats import Terms
from games.race.standing import Standing
from tests.games.race.conftest import Enter, Racer
from tests.games.test_no_peeking import FACE, SPOKEN

pytestmark = pytest.mark.django_db(transaction=True)

DRAWN = re.compile(r"<(script|style|svg).*?</\1>", re.DOTALL)


@pytest.fixture(autouse=True)
def a_short_countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.race.standing.COUNTDOWN", timedelta(seconds=0.2))
    monkeypatch.setattr("games.sockets.SILENCE", 600.0)  # nobody says a word while the pages are looked at


def visible(standing: Standing, seat: int, sharing: str) -> set[int]:
    """The sides whose gardens may be seen."""
    if not standing.begun:
        return set()
    if standing.result or sharing == "own":
        return {1, 2}
    return {seat} - {0}


def piles(standing: Standing, side: int) -> dict[str, list[str]]:
    table = standing.side(side).table
    return {name: write_cards(pile).split() for name, pile in zip(table.places.names, table.piles, strict=True)}


class Told(NamedTuple):
    """A round: the standing at each version, what nobody may ever read, and what nobody may before it is over."""

    standings: list[Standing]
    cards: list[str]
    codes: list[str]


def check(raw: str, seat: int, rounds: dict[int, Told]) -> None:
    """All that a message shows may be seen from this seat, and all that may be seen is shown."""
    message = json.loads(raw)
    for number, told in rounds.items():
        over = (number, "over") == (message["round"], message.get("phase"))
        assert not any(text in raw for text in told.cards + (told.codes if not over else []))
    if message["type"] != "race":
        assert not FACE.findall(raw)
        assert not SPOKEN.findall(raw)
        return
    standing = rounds[message["round"]].standings[message["version"]]
    seen = visible(standing, seat, message["sharing"])
    assert message["seat"] == seat
    assert Counter(FACE.findall(raw)) == Counter({face: len(seen) for face in TEXT if seen})
    for number, side in enumerate(message["sides"], 1):
        assert side["piles"] == (piles(standing, number) if number in seen else None)
        assert side["last"] == (standing.side(number).last if number in seen else "")
        assert (side["deal"] is None) == (standing.result is None)


@database_sync_to_async
def tell(race: Race) -> dict[int, Told]:
    """The rounds of a race by their numbers."""
    rounds = {}
    for round_ in Round.objects.filter(race=race).select_related("race", "race__ghost", "first_deal", "second_deal"):
        standings = [selectors.opening(round_)]
        for line in selectors.lines(round_.pk):
            standings.append(standings[-1].after(line))
        deals = (round_.first_deal, round_.second_deal)
        assert all(deal.spare for deal in deals)
        cards = [text[:24] for deal in deals for text in (deal.nonce, deal.spare, deal.deck)]
        rounds[round_.number] = Told(standings, cards, [deal.code for deal in deals])
    return rounds


@database_sync_to_async
def pages(user: User | None, race: Race, number: int) -> list[tuple[str, int, str]]:
    """Address, status and all bytes of whatever might show the cards of a round."""
    client = Client(raise_request_exception=False)
    cache.clear()  # of throttles
    if user:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    round_ = Round.objects.select_related("first_deal", "second_deal").get(race=race, number=number)
    codes = {round_.first_deal.code, round_.second_deal.code}
    files = ("", "picture.webp", "picture.png", "qr.svg", "deal.txt")
    deals = [f"/deals/{code}/{file}" for code in codes for file in files]
    room = f"/race/{race.code}/"
    others = ["", "qr.svg", f"{number}/", f"{number}/frames/", f"{number + 1}/", f"{number + 1}/frames/"]
    mine = ["/", "/race/", "/mine/", "/mine/races/", "/data/", f"/play/{race.code}/", f"/race/find/?code={race.code}"]
    answers = [(address, client.get(address)) for address in [*deals, *(room + page for page in others), *mine]]
    posts = [(f"/deals/{code}/{what}/", {}) for code in codes for what in ("play", "private")]
    posts += [("/race/ghost/", {"code": race.code, "round": number, "side": side}) for side in (1, 2)]
    answers += [(address, client.post(address, fields)) for address, fields in posts]
    return [(address, answer.status_code, _bytes(answer)) for address, answer in answers]


def _bytes(answer: Any) -> str:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return str(answer.headers) + body.decode("latin-1")


async def assert_sealed(everybody: list[User | None], race: Race, number: int) -> None:
    """No page shows a card of the round or knows its deals."""
    told = (await tell(race))[number]
    for user in everybody:
        for address, status, body in await pages(user, race, number):
            assert not any(text in body for text in told.cards), address
            assert not any(text in body for text in told.codes if text not in address), address
            assert not FACE.search(DRAWN.sub("", body)), address
            assert not SPOKEN.search(body), address
            if address.startswith(("/deals/", "/race/ghost/")) or "/frames/" in address:
                assert status == 404, address


async def assert_open(everybody: list[User | None], race: Race, number: int) -> None:
    """Once a round is over, its deals and its replay are everybody's."""
    for user in everybody:
        got = {address: status for address, status, _ in await pages(user, race, number)}
        assert got[f"/race/{race.code}/{number}/frames/"] == 200
        deals = [address for address in got if address.startswith("/deals/") and not address.endswith("private/")]
        assert {got[address] for address in deals} == {200, 302}  # the latter to an attempt of one's own
        assert sum(got[address] == 200 for address in deals) == len(deals) * 5 / 6


async def pester(racers: list[Racer]) -> None:
    """Ask for all that might lead to a word too much."""
    for racer in racers:
        for entry in ("bed1", "redeal", "claim", "call", "reveal", "bed1>foundation1", "hint", "\N{BLACK HEART SUIT}"):
            await racer.do(entry)
        await racer.say(type="ping", round=0, version=0, sent=1.0)
        await racer.say(type="nothing")
        while (await racer.hear()).get("code") != "malformed":
            pass
        await racer.hear()  # the view that follows a refusal


async def begin(one: Racer, two: Racer, *others: Racer) -> None:
    await one.do("ready")
    await two.do("ready")
    for racer in (one, two, *others):
        await racer.until(lambda view: view["phase"] == "running")


async def play(*players: Racer) -> None:
    for racer in players:
        for place in ("bed1", "bed2", "bed3", "bouquet1", "bouquet2", "bed4"):
            await racer.do(place)
        await racer.do("luck")


async def give_up(loser: Racer, *others: Racer) -> None:
    await loser.do("give-up")
    for racer in (loser, *others):
        await racer.until(lambda view: view["phase"] == "over")


@pytest.mark.parametrize("sharing", ["same", "own"])
async def test_nobody_ever_gets_a_card_that_is_not_theirs_to_see(
    enter: Enter, owner: User, rival: User, stranger: User, sharing: str
) -> None:
    race = await database_sync_to_async(seats.invite)(host=owner, terms=Terms(sharing, redeal=True, best_of=3))
    await database_sync_to_async(seats.join)(player=rival, race=race)
    everybody = [owner, rival, stranger, None]
    async with AsyncExitStack() as stack:
        racers = [await stack.enter_async_context(enter(user, race)) for user in everybody]
        assert [racer.view["seat"] for racer in racers] == [1, 2, 0, 0]
        one, two, *_ = racers
        await pester(racers)
        await assert_sealed(everybody, race, 1)
        await begin(*racers)
        await play(one, two)
        await pester(racers)
        await assert_sealed(everybody, race, 1)
        await give_up(two, one, *racers)
        await assert_open(everybody, race, 1)
        await begin(*racers)
        assert one.view["round"] == 2
        await pester(racers)
        await assert_sealed(everybody, race, 2)
        rounds = await tell(race)
    for racer in racers:
        assert {json.loads(raw)["type"] for raw in racer.heard} >= {"race", "refused", "pong"}
        assert {json.loads(raw).get("phase") for raw in racer.heard} >= {"ready", "running", "over"}
        for raw in racer.heard:
            check(raw, racer.view["seat"], rounds)
