"""The pages: what they show, to whom, and in how many queries."""

import hashlib

import pytest
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import services
from games.engine.catalogue import GAMES
from games.models import Attempt, Deal


@pytest.fixture
def as_owner(client: Client, owner: User) -> Client:
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def as_stranger(stranger: User) -> Client:
    client = Client()
    client.force_login(stranger, backend="django.contrib.auth.backends.ModelBackend")
    return client


def played(attempt: Attempt, *entries: str) -> Attempt:
    """The attempt after these entries, made as the journal makes them but without its thread."""
    from asgiref.sync import async_to_sync

    for version, entry in enumerate(entries, attempt.version):
        async_to_sync(services.enter)(attempt_id=attempt.pk, version=version, entry=entry)
    attempt.refresh_from_db()
    return attempt


@pytest.mark.django_db
def test_looking_makes_nobody_and_nothing(client: Client) -> None:
    for page in ("/", "/rules/frog/", "/mine/", "/new/"):
        client.get(page)
    assert not User.objects.exists()
    assert not Deal.objects.exists()


@pytest.mark.django_db
def test_the_lobby_shows_every_game(client: Client, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_max_num_queries(1):
        page = client.get("/").content.decode()
    for slug in GAMES:
        assert f'value="{slug}"' in page


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
def test_a_guest_starts_every_game_with_one_click(client: Client, slug: str) -> None:
    answer = client.post("/new/", {"game": slug}, follow=True)
    assert answer.status_code == 200
    attempt = Attempt.objects.get()
    assert answer.redirect_chain == [(reverse("table", args=[attempt.code]), 302)]
    assert attempt.player.is_guest
    assert attempt.deal.game == slug
    page = answer.content.decode()
    assert attempt.deal.commitment in page or attempt.deal.code in page
    assert attempt.deal.deck not in page


@pytest.mark.django_db
@pytest.mark.parametrize("data", [{}, {"game": "klondike"}, {"game": "frog", "kind": "daily"}])
def test_what_cannot_be_dealt_is_not(client: Client, data: dict[str, str]) -> None:
    assert client.post("/new/", data).status_code == 404
    assert not Deal.objects.exists()


@pytest.mark.django_db
def test_open_games_can_be_continued_from_the_lobby(
    as_owner: Client, attempt: Attempt, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(4):
        page = as_owner.get("/").content.decode()
    assert reverse("table", args=[attempt.code]) in page


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/play/{code}/", "/play/{code}/proof/"])
def test_a_table_is_its_players_alone(
    client: Client, as_owner: Client, as_stranger: Client, attempt: Attempt, address: str
) -> None:
    address = address.format(code=attempt.code)
    assert as_owner.get(address).status_code == 200
    assert as_stranger.get(address).status_code == 404
    assert as_stranger.post(address).status_code in (404, 405)
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize("address", ["/play/%s/", "/play/%s/proof/", "/play/%s/replay/", "/replays/%s/", "/deals/%s/"])
def test_what_no_code_is_written_like_never_reaches_the_database(address: str) -> None:
    """PostgreSQL fails at a NUL, where SQLite finds nothing."""
    assert resolve(address % "k3JmVxQ2nR7p")
    with pytest.raises(Resolver404):
        resolve(address % "k3Jm\0")


@pytest.mark.django_db
def test_a_deal_travels_by_link(
    as_owner: Client, as_stranger: Client, attempt: Attempt, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    address = reverse("deal", args=[attempt.deal.code])
    with django_assert_max_num_queries(8):
        page = as_stranger.get(address).content.decode()
    assert attempt.deal.deck not in page
    assert attempt.code not in page
    assert reverse("table", args=[attempt.code]) in as_owner.get(address).content.decode()
    answer = as_stranger.post(reverse("deal-play", args=[attempt.deal.code]))
    theirs = Attempt.objects.exclude(pk=attempt.pk).get()
    assert answer.headers["Location"] == reverse("table", args=[theirs.code])
    assert theirs.deal == attempt.deal
    as_stranger.post(reverse("deal-play", args=[attempt.deal.code]))
    assert Attempt.objects.count() == 2  # the open one is continued
    assert as_owner.get("/deals/nosuchdeal22/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_the_deck_is_shown_once_the_first_attempt_is_over(as_owner: Client, attempt: Attempt) -> None:
    address = reverse("proof", args=[attempt.code])
    before = as_owner.get(address).content.decode()
    assert attempt.deal.commitment in before
    assert attempt.deal.deck not in before
    assert attempt.deal.nonce not in before
    as_owner.post(address)  # not stuck: nothing happens
    assert attempt.deal.deck not in as_owner.get(address).content.decode()
    played(attempt, "stock>turned", "give-up")
    after = as_owner.get(address)
    assert attempt.deal.deck in after.content.decode()
    assert hashlib.sha256(after.context["text"].encode()).hexdigest() == attempt.deal.commitment


@pytest.mark.django_db(transaction=True)
def test_a_second_attempt_does_not_open_the_deck_of_the_first(as_owner: Client, owner: User, attempt: Attempt) -> None:
    second = Attempt.objects.create(deal=attempt.deal, game="frog", player=owner, number=2)
    played(second, "stock>turned", "give-up")
    page = as_owner.get(reverse("proof", args=[second.code])).content.decode()
    assert attempt.deal.deck not in page
    assert attempt.deal.nonce not in page


@pytest.mark.django_db(transaction=True)
def test_asking_for_the_deck_of_a_stuck_game_closes_it(as_owner: Client, owner: User) -> None:
    attempt = stuck_garden(owner)
    address = reverse("proof", args=[attempt.code])
    assert attempt.deal.deck not in as_owner.get(address).content.decode()
    assert attempt.deal.deck in as_owner.post(address, follow=True).content.decode()
    attempt.refresh_from_db()
    assert (attempt.outcome, attempt.closed) == ("stuck", True)
    with pytest.raises(services.Denied, match="over"):
        played(attempt, "undo")


def stuck_garden(player: User) -> Attempt:
    """A shuffled garden, played until nothing fits. No random garden was ever won, so it takes no luck."""
    from games.selectors import read_log

    attempts = (services.start(player=player, game="flower-garden", kind="shuffled") for _ in range(100))
    attempt = next(attempt for attempt in attempts if attempt.outcome == "playing")  # one in ten has no first move
    while attempt.outcome == "playing":
        line = read_log(attempt).line
        attempt = played(attempt, str(line.game.legal_moves(line.at.table)[0]))
    assert attempt.outcome == "stuck"
    return attempt


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_rules(client: Client, slug: str) -> None:
    assert client.get(f"/rules/{slug}/").status_code == 200


@pytest.mark.django_db
def test_unknown_rules_are_not_found(client: Client) -> None:
    assert client.get("/rules/klondike/").status_code == 404


@pytest.mark.parametrize("path", ["/", "/rules/frog/", "/frog/1/picture.png", "/race/", "/daily/"])
def test_whoever_asks_for_the_head_alone_is_answered(db: None, client: Client, path: str) -> None:
    assert client.head(path).status_code == 200
