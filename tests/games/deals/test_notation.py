"""Deals as text: what is written is read again, in many hands; and what is no deal is refused by name."""

import pytest
from django.test import Client

from games import shuffling
from games.deals import notation, numbers
from games.engine.catalogue import GAMES
from games.models import Attempt, Deal

ALL_KINDS = [(slug, kind) for slug, game in GAMES.items() for kind in shuffling.kinds(game)]
FROG = notation.write(GAMES["frog"], numbers.deck_of(GAMES["frog"], 1))
GARDEN = notation.write(GAMES["flower-garden-redeal"], numbers.deck_of(GAMES["flower-garden-redeal"], 1))


@pytest.mark.parametrize(("slug", "kind"), ALL_KINDS)
def test_what_is_written_is_read_again(slug: str, kind: str) -> None:
    game = GAMES[slug]
    for number in range(60):
        shuffled = shuffling.shuffle(game, kind, numbers.Stream(f"round {number}"))
        found, read = notation.read(notation.write(game, shuffled))
        assert found is game
        assert game.setup(*read) == game.setup(*shuffled)
        assert notation.read(notation.write(game, read)) == (game, read)


@pytest.mark.parametrize(
    "rewrite",
    [
        str.upper,
        str.lower,
        lambda text: text.replace("T", "10").replace("10alon", "Talon"),
        lambda text: text.replace("C ", "♣ ").replace("D ", "♦️ ").replace("H ", "♥ ").replace("S ", "♠ "),
        lambda text: "# from a friend\r\n\r\n" + text.replace("\n", "  # so\r\n"),
        lambda text: "\n".join(reversed(text.splitlines())),
        lambda text: text.replace("Talon", "Stock").replace("Foundations", "Foundation").replace("Bed ", "bed"),
        lambda text: text + "Waste:\n",
    ],
)
@pytest.mark.parametrize("text", [FROG, GARDEN.replace("Waste:\n", "")])
def test_many_hands_are_read(text: str, rewrite: object) -> None:
    changed = rewrite(text)  # type: ignore[operator]
    if text is not FROG:
        changed = changed.replace("Waste:\n", "")  # a garden has none
    assert notation.read(changed) == notation.read(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "name its game"),
        ("Game: klondike", "name its game"),
        ("Game: frog\nhello", "Line 2 is not understood: hello"),
        ("Game: frog\nGame: frog", "Line 2 is not understood"),
        ("Game: frog\nReserve: AH\nReserve: AH", "Line 3 is not understood"),
        ("Game: frog\nReserve: 1H", "Line 2: no card is written 1H"),
        ("Game: frog\nBouquet: AH", "no place called bouquet"),
        ("Game: frog\nReserve 2: AH", "no place called reserve2"),
        (FROG.replace("Talon: ", "Talon: AH "), r"not whole\. Too many: Ace of hearts"),
        (GARDEN.replace("AC ", "AD ", 1), r"Missing: Ace of clubs\. Too many: Ace of diamonds\."),
        (GARDEN.rpartition("Redeal")[0], "In the line “Redeal:”: The deck is not whole"),
        (FROG + "Redeal: AH", "has no redeal"),
        ("x" * 4001, "longer than any deal"),
    ],
)
def test_what_is_no_deal_is_refused_by_name(text: str, why: str) -> None:
    with pytest.raises(notation.BadDeal, match=why):
        notation.read(text)


def test_a_layout_that_the_game_never_begins_with_is_refused() -> None:
    lines = FROG.splitlines()
    reserve, talon = lines[-2].split(), lines[-1].split()
    short = "\n".join([*lines[:-2], " ".join(reserve[:-1]), " ".join([talon[0], reserve[-1], *talon[1:]])])
    with pytest.raises(notation.BadDeal, match="does not begin"):
        notation.read(short)


@pytest.mark.django_db
def test_a_deal_is_brought_along(client: Client) -> None:
    answer = client.post("/deals/", {"text": FROG})
    deal = Deal.objects.get()
    assert answer.headers["Location"] == f"/deals/{deal.code}/"
    assert (deal.kind, deal.made_by.is_guest) == ("imported", True)
    page = client.get(f"/deals/{deal.code}/")
    assert not page.context["ranked"]
    assert Client().get(f"/deals/{deal.code}/deal.txt").content.decode() == FROG
    assert client.post(f"/deals/{deal.code}/play/").status_code == 302
    assert Attempt.objects.get().deal == deal


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["", "Game: frog", FROG + "x" * 4000])
def test_what_is_refused_leaves_nothing(client: Client, text: str) -> None:
    answer = client.post("/deals/", {"text": text})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert not Deal.objects.exists()
    assert "sessionid" not in client.cookies
