"""A deal's page: who may look, how results rank, what its picture shows, and what it costs."""

import random
import re
import runpy
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.test import Client
from PIL import Image
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import services, shuffling
from games.deals import picture, selectors, services as making
from games.deals.shapes import outlines
from games.engine.cards import ACE, RANK, write_cards
from games.engine.catalogue import GAMES
from games.engine.table import Pile
from games.models import Attempt, Deal, Kind
from tests.games.deals.conftest import Ended

FILES = ("", "picture.webp", "picture.png", "qr.svg")
ROOT = Path(__file__).parents[3]


def places(deal: Deal) -> list[str | None]:
    return [attempt.player and attempt.player.username for attempt in selectors.results(deal)]


def test_wins_then_cards_then_moves_then_time_rank(deal: Deal, owner: User, ended: Ended) -> None:
    lines = [
        ("slower", {"seconds": 600.001}),
        ("endless", {"moves": 2**31 - 1, "seconds": 1e12}),
        ("quick", {}),
        ("nearly", {"outcome": "stuck", "home": 103, "moves": 90}),
        ("longer", {"moves": 131, "seconds": 1}),
        ("hasty", {"outcome": "given-up", "home": 3, "moves": 9}),
    ]
    players = {name: User.objects.create_user(name) for name, _ in lines}
    for name, figures in lines:
        ended(players[name], deal, **figures)
    assert places(deal) == ["quick", "slower", "longer", "endless", "nearly", "hasty"]
    assert [selectors.place(deal, players[name]) for name in places(deal) if name] == [1, 2, 3, 4, 5, 6]
    assert selectors.place(deal, owner) is None  # still playing


def test_only_first_attempts_that_ended_rank(deal: Deal, rival: User, stranger: User, ended: Ended) -> None:
    ended(rival, deal, number=2)
    ended(stranger, deal, practice=True)
    Attempt.objects.create(player=rival, deal=deal, game="frog", number=1, outcome="stuck")  # had no move at all
    assert places(deal) == []


def test_equal_results_stand_in_the_order_they_came(deal: Deal, rival: User, stranger: User, ended: Ended) -> None:
    ended(stranger, deal)
    ended(rival, deal)
    assert (selectors.place(deal, stranger), selectors.place(deal, rival)) == (1, 2)


@pytest.mark.parametrize("kind", [Kind.IMPORTED, Kind.NUMBERED])
def test_decks_that_could_be_known_rank_nobody(rival: User, ended: Ended, kind: Kind) -> None:
    sealed = shuffling.sealed(shuffling.shuffle(GAMES["frog"], "shuffled"), "nonce")
    deal = Deal.objects.create(game="frog", kind=kind, number=7 if kind == Kind.NUMBERED else None, **sealed)
    ended(rival, deal)
    ended(rival, deal, number=2)
    assert places(deal) == ["rival", "rival"]
    assert selectors.place(deal, rival) is None


def test_the_table_of_results(as_rival: Client, deal: Deal, rival: User, ended: Ended) -> None:
    ended(rival, deal)
    ended(None, deal, undos=1, moves=140)
    ended(User.objects.create_user("guest-secret-name", is_guest=True), deal, moves=150)
    page = as_rival.get(f"/deals/{deal.code}/")
    assert page.context["place"] == 1
    assert [(line["who"], line["you"], line["clean"]) for line in page.context["results"]] == [
        ("rival", True, True),
        ("somebody", False, False),
        ("Guest", False, True),
    ]
    text = page.content.decode()
    assert "guest-secret-name" not in text
    assert "10:00" in text
    assert not re.search(r"/play/\w", text)


def test_results_are_paged_and_cost_the_same_however_many(
    as_rival: Client, deal: Deal, rival: User, ended: Ended, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(45):
        ended(User.objects.create_user(f"player{number}"), deal, moves=100 + number)
    ended(rival, deal)
    with django_assert_max_num_queries(9):
        page = as_rival.get(f"/deals/{deal.code}/?page=3")
    assert len(page.context["results"]) == 6
    assert page.context["place"] == 32  # one with the same result was earlier
    with django_assert_max_num_queries(3):
        assert len(Client().get(f"/deals/{deal.code}/").context["results"]) == 20


def test_the_maker_keeps_a_deal_private(as_owner: Client, as_rival: Client, owner: User, deal: Deal) -> None:
    deal.attempts.all().delete()
    assert "Make it private" in as_owner.get(f"/deals/{deal.code}/").content.decode()
    assert "Make it private" not in as_rival.get(f"/deals/{deal.code}/").content.decode()
    for other in (as_rival, Client()):
        assert other.post(f"/deals/{deal.code}/private/", {"private": "yes"}).status_code == 404
    as_owner.post(f"/deals/{deal.code}/private/", {"private": "yes"})
    deal.refresh_from_db()
    assert deal.private
    for file in FILES:
        address = f"/deals/{deal.code}/{file}"
        answer = as_owner.get(address)
        assert answer.status_code == 200
        assert file == "" or answer.headers["Cache-Control"] == "private, no-cache"
        assert as_rival.get(address).status_code == 404
        assert Client().get(address).status_code == 404
    for other in (as_rival, Client()):
        assert other.get(f"/deals/{deal.code}/deal.txt").status_code == 404
        assert other.post(f"/deals/{deal.code}/play/").status_code == 404
        assert other.post(f"/deals/{deal.code}/private/", {"private": "no"}).status_code == 404
    assert not Attempt.objects.exists()
    assert User.objects.count() == 2  # nobody became a guest on the way to a 404
    assert as_owner.post(f"/deals/{deal.code}/play/").status_code == 302
    as_owner.post(f"/deals/{deal.code}/private/", {"private": "no"})
    assert as_rival.get(f"/deals/{deal.code}/").status_code == 200


def test_what_others_have_played_cannot_become_private(as_owner: Client, rival: User, deal: Deal) -> None:
    services.play_deal(player=rival, deal=deal)
    assert as_owner.post(f"/deals/{deal.code}/private/", {"private": "yes"}).status_code == 404
    deal.refresh_from_db()
    assert not deal.private


def test_a_private_deal_without_its_maker_is_nobodys(as_rival: Client, owner: User, deal: Deal) -> None:
    Deal.objects.filter(pk=deal.pk).update(private=True, made_by=None)
    assert as_rival.get(f"/deals/{deal.code}/").status_code == 404
    assert Client().get(f"/deals/{deal.code}/").status_code == 404


def test_a_deal_made_private_at_this_moment_is_not_played(rival: User, deal: Deal) -> None:
    Deal.objects.filter(pk=deal.pk).update(private=True)
    with pytest.raises(Deal.DoesNotExist):
        services.play_deal(player=rival, deal=deal)


def test_a_claimed_guests_private_deal_stays_theirs(owner: User, deal: Deal, rival: User) -> None:
    making.set_private(player=owner, code=deal.code, private=True)
    services.claim(guest=owner, member=rival)
    deal.refresh_from_db()
    assert deal.made_by == rival


def test_the_text_is_for_those_who_may_see_the_deck(
    as_owner: Client, as_rival: Client, as_stranger: Client, deal: Deal, owner: User, rival: User, ended: Ended
) -> None:
    address = f"/deals/{deal.code}/deal.txt"
    ended(rival, deal, number=2)  # a first attempt is what opens it
    for client in (as_owner, as_rival, as_stranger, Client()):
        assert client.get(address).status_code == 404
        assert "deal.txt" not in client.get(f"/deals/{deal.code}/").content.decode()
    ended(rival, deal, closed=True)
    assert as_rival.get(address).content.decode().startswith("Game: frog\n")
    assert "deal.txt" in as_rival.get(f"/deals/{deal.code}/").content.decode()
    assert as_stranger.get(address).status_code == 404


def test_links_show_what_they_lead_to(client: Client, deal: Deal) -> None:
    page = client.get(f"/deals/{deal.code}/").content.decode()
    tags = dict(re.findall(r'<meta property="og:(\S+)"\s+content="([^"]+)"', page))
    assert tags["url"] == f"http://testserver/deals/{deal.code}/"
    assert tags["image"] == f"http://testserver/deals/{deal.code}/picture.png?lang=en"
    assert (tags["image:width"], tags["image:height"]) == ("1200", "630")
    assert tags["image:alt"].startswith("Frog, opening layout. Foundations: Ace of")
    assert f'alt="{tags["image:alt"]}"' in page
    assert deal.deck not in page
    assert deal.nonce not in page


@pytest.mark.parametrize("form", ["png", "webp"])
@pytest.mark.parametrize("slug", GAMES)
def test_the_picture_hides_what_is_hidden(slug: str, form: str) -> None:
    """Hidden cards shuffled at random change neither a point of the picture nor a word of its text."""
    game = GAMES[slug]
    deck, spare = shuffling.shuffle(game, "shuffled")
    sealed = shuffling.sealed(shuffling.Shuffled(deck, spare), "nonce")
    deal = Deal(game=slug, kind="shuffled", **sealed)
    drawn, told = picture.draw(deal, form), picture.describe(deal)
    image = Image.open(BytesIO(drawn))
    assert (image.format, image.size) == (form.upper(), (1200, 630))
    assert len(drawn) < 35_000
    if "stock" in game.place:
        deal.deck = write_cards(hidden_shuffled(deck))
        assert deal.deck != sealed["deck"]
        assert (picture.draw(deal, form), picture.describe(deal)) == (drawn, told)


def hidden_shuffled(deck: Pile) -> list[int]:
    """A deck with the lowest cards of the reserve and the last of the stock in another order; Aces may lie open."""
    cards = list(deck)
    others = [place for place, card in enumerate(deck) if RANK[card] != ACE]
    for hidden in (others[:5], others[-60:]):
        for place, other in zip(hidden, random.Random(1).sample(hidden, len(hidden)), strict=True):
            cards[place] = deck[other]
    return cards


@pytest.mark.parametrize("form", ["png", "webp"])
def test_a_picture_is_fetched_once(client: Client, deal: Deal, form: str) -> None:
    address = f"/deals/{deal.code}/picture.{form}"
    answer = client.get(address)
    assert answer.headers["Content-Type"] == f"image/{form}"
    assert answer.headers["Cache-Control"] == "public, max-age=2592000"
    again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_picture_has_the_letters_of_its_address(client: Client, owner: User) -> None:
    open_deal = services.start(player=owner, game="flower-garden", kind="shuffled").deal
    address = f"/deals/{open_deal.code}/picture.webp"
    pictures = {language: client.get(f"{address}?lang={language}").content for language in ("en", "de", "ru")}
    assert len(set(pictures.values())) == 3
    assert client.get(address, headers={"Accept-Language": "de"}).content == pictures["en"]  # caches ask no reader
    page = client.get(f"/deals/{open_deal.code}/?lang=ru").content.decode()
    assert f'src="{address}?lang=ru"' in page


def test_the_qr_code_is_a_plain_picture(client: Client, deal: Deal) -> None:
    answer = client.get(f"/deals/{deal.code}/qr.svg")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    svg = answer.content.decode()
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert "style" not in svg


def test_the_shapes_of_the_sprite_keep_to_their_boxes() -> None:
    sprite = runpy.run_path(str(ROOT / "bin" / "draw-cards"))
    for letter in sprite["LETTERS"]:
        points = [point for line in outlines(f"rank-{letter}") for point in line]
        assert all(-5 <= x <= 90 and 0 <= y <= 100 for x, y in points), letter
        assert max(y for _, y in points) - min(y for _, y in points) > 70, letter
    for suit in "CDHS":
        points = [point for line in outlines(f"suit-{suit}") for point in line]
        assert all(-2 <= x <= 102 and -2 <= y <= 102 for x, y in points), suit
        assert max(x for x, _ in points) - min(x for x, _ in points) > 70, suit


def test_a_new_deal_from_a_numbered_table_is_a_usual_one(client: Client) -> None:
    table = client.post("/flower-garden/9/play/", follow=True)
    assert table.context["kind"] == ""
    assert client.post("/new/", {"game": "flower-garden", "kind": ""}).status_code == 302
    assert Deal.objects.filter(kind="winnable").exists()


pytestmark = pytest.mark.django_db
