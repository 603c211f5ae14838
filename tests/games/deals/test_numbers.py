"""Numbered deals: the same for everybody, for ever. The vectors may gain lines; no line may ever change."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from accounts.models import User
from games.deals import numbers
from games.engine.cards import ACE, RANK, parse_cards, write_cards
from games.engine.catalogue import GAMES
from games.models import Attempt, Deal

VECTORS = json.loads((Path(__file__).parent / "numbered.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['game']} {vector['number']}")
def test_a_number_stands_for_these_cards(vector: dict[str, str]) -> None:
    deck, spare = numbers.deck_of(GAMES[vector["game"]], int(vector["number"]))
    assert write_cards(deck) == vector["deck"]
    assert write_cards(spare) == vector.get("second_deck", "")
    GAMES[vector["game"]].setup(deck, spare)


def test_every_game_has_vectors() -> None:
    assert {vector["game"] for vector in VECTORS} == set(GAMES)


def as_documented(name: str) -> Iterator[int]:
    """The bytes of docs/numbered-deals.md, written once more."""
    block = 0
    while True:
        yield from hashlib.sha256(f"{name}/{block}".encode("ascii")).digest()
        block += 1


def put_in_order(cards: list[str], stream: Iterator[int]) -> list[str]:
    place = len(cards)
    while place > 1:
        byte = next(stream)
        if byte < 256 // place * place:
            place -= 1
            other = byte % (place + 1)
            cards[place], cards[other] = cards[other], cards[place]
    return cards


PACK = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]


@pytest.mark.parametrize("slug", ["fanny", "fly", "american-toad"])
def test_another_program_finds_the_same(slug: str) -> None:
    for number in (1, 2, 123456):
        deck = put_in_order(PACK * 2, as_documented(f"lilypad/1/{slug}/{number}"))
        assert parse_cards(" ".join(deck)) == numbers.deck_of(GAMES[slug], number).deck


def test_another_program_finds_the_same_where_an_ace_is_sought() -> None:
    sought = 0
    for number in range(1, 40):
        stream = as_documented(f"lilypad/1/frog/{number}")
        deck = put_in_order(PACK * 2, stream)
        if not any(card[0] == "A" for card in deck[:13]):
            sought += 1
            ace = next(place for place, card in enumerate(deck) if card[0] == "A")
            deck = [*deck[:13], deck[ace], *put_in_order(deck[13:ace] + deck[ace + 1 :], stream)]
        assert parse_cards(" ".join(deck)) == numbers.deck_of(GAMES["frog"], number).deck
    assert sought


def test_another_program_finds_the_same_winnable_garden() -> None:
    stream = as_documented("lilypad/1/flower-garden/5")
    up = {suit: iter([rank + suit for rank in "A23456789TJQK"]) for suit in "CDHS"}
    order = [next(up[suit]) for suit in put_in_order([suit for suit in "CDHS" for _ in range(13)], stream)]
    spots = put_in_order(
        [str(bed) for bed in range(6) for _ in range(6)] + [str(6 + spot) for spot in range(16)], stream
    )
    piles: dict[str, list[str]] = {str(spot): [] for spot in range(22)}
    for spot, card in zip(spots[::-1], order[::-1], strict=True):
        piles[spot].append(card)
    deck = [card for pile in piles.values() for card in pile]
    assert parse_cards(" ".join(deck)) == numbers.deck_of(GAMES["flower-garden"], 5).deck


def test_numbers_are_different_deals_and_games() -> None:
    decks = {numbers.deck_of(GAMES[slug], number).deck for slug in ("frog", "fanny", "fly") for number in range(1, 50)}
    assert len(decks) == 3 * 49


def test_aces_are_where_they_may_be() -> None:
    for number in range(1, 60):
        deck = numbers.deck_of(GAMES["dicks-frog"], number).deck
        assert any(RANK[card] == ACE for card in deck[:14])


@pytest.mark.parametrize("number", [0, -1, numbers.LARGEST + 1])
def test_the_range_is_checked(number: int) -> None:
    with pytest.raises(ValueError, match=str(number)):
        numbers.numbered(GAMES["frog"], number)


@pytest.mark.django_db
def test_looking_at_a_number_keeps_nothing(client: Client) -> None:
    for page in ("", "picture.webp", "picture.png", "qr.svg", "deal.txt"):
        assert client.get(f"/frog/123456/{page}").status_code == 200
    assert not Deal.objects.exists()
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/frog/0/", f"/frog/{numbers.LARGEST + 1}/", "/klondike/1/", f"/frog/{'9' * 40}/"])
def test_there_are_no_other_numbers(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404
    assert client.post(f"{address}play/").status_code == 404
    assert not Deal.objects.exists()


@pytest.mark.django_db
def test_two_people_play_one_deal_and_nobody_ranks(client: Client) -> None:
    for player in (client, Client()):
        assert player.post("/frog/123456/play/").status_code == 302
    deal = Deal.objects.get()
    assert (deal.kind, deal.number, deal.made_by) == ("numbered", 123456, None)
    assert Attempt.objects.filter(deal=deal).count() == 2
    page = client.get("/frog/123456/")
    assert not page.context["ranked"]
    assert page.context["place"] is None
    assert page.context["mine"].deal == deal
    assert client.get(f"/deals/{deal.code}/").headers["Location"] == "/frog/123456/"
    assert client.get("/frog/00123456/").headers["Location"] == "/frog/123456/"


@pytest.mark.django_db
def test_a_number_is_typed_in(client: Client) -> None:
    assert client.get("/deals/?game=fly&number=12").headers["Location"] == "/fly/12/"
    for number in ("0", "-3", "1e3", "²", str(numbers.LARGEST + 1), "9" * 500):
        assert "A number from 1 to" in client.get("/deals/", {"game": "fly", "number": number}).content.decode()
    assert not Deal.objects.exists()
