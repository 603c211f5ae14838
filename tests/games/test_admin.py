"""The admin: an operator sees what happened, no card that would help anybody, and can alter no log."""

import pytest
from django.contrib import admin
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import services
from games.engine.cards import parse_cards
from games.models import Attempt, Deal, Entry, Kind, Outcome

pytestmark = pytest.mark.django_db
ATTEMPTS, DEALS, USERS = "/admin/games/attempt/", "/admin/games/deal/", "/admin/accounts/user/"


@pytest.fixture(autouse=True)
def played(attempt: Attempt) -> Attempt:
    """The owner's Frog, one card turned."""
    now = timezone.now()
    Entry.objects.create(attempt=attempt, number=1, text="stock>turned", at=now)
    Attempt.objects.filter(pk=attempt.pk).update(version=1, started_at=now, moves=1)
    return attempt


def pile(page: str, name: str) -> list[str]:
    """The faces of a pile as the page draws it."""
    line = next(line for line in page.replace("<pre>", "\n").splitlines() if line.startswith(f"{name} "))
    return line.split()[1:]


def test_an_attempt_is_shown_with_its_log_and_its_table(admin_client: Client, attempt: Attempt) -> None:
    page = admin_client.get(f"{ATTEMPTS}{attempt.pk}/change/").text
    assert "stock&gt;turned" in page
    assert len(pile(page, "turned")) == 1


def test_hidden_cards_of_an_open_game_are_hidden_from_the_operator_too(admin_client: Client, attempt: Attempt) -> None:
    page = admin_client.get(f"{ATTEMPTS}{attempt.pk}/change/").text
    assert pile(page, "stock")[0].startswith("[")
    assert len(pile(page, "stock")) == 1
    assert "hidden from you too" in page


@pytest.mark.parametrize("today", [False, True])
def test_all_cards_are_shown_once_the_game_is_over(admin_client: Client, attempt: Attempt, today: bool) -> None:
    Entry.objects.create(attempt=attempt, number=2, text="give-up", at=timezone.now())
    Attempt.objects.update(version=2, closed=True, outcome=Outcome.GIVEN_UP, ended_at=timezone.now())
    if today:
        Deal.objects.update(kind=Kind.DAILY, day=timezone.now().date())
    stock = pile(admin_client.get(f"{ATTEMPTS}{attempt.pk}/change/").text, "stock")
    assert (stock[0].startswith("[")) == today
    if not today:
        assert set(stock) <= set(attempt.deal.deck.split())
        assert len(parse_cards(" ".join(stock))) > 80


def test_no_page_shows_a_deck_or_its_nonce(admin_client: Client, attempt: Attempt) -> None:
    deal = attempt.deal
    for path in (ATTEMPTS, f"{ATTEMPTS}{attempt.pk}/change/", DEALS, f"{DEALS}{deal.pk}/change/"):
        page = admin_client.get(path)
        assert page.status_code == 200
        assert deal.nonce not in page.text
        assert deal.deck[:30] not in page.text
    assert deal.commitment in admin_client.get(f"{DEALS}{deal.pk}/change/").text


def test_a_log_that_cannot_be_replayed_is_told_as_such(admin_client: Client, attempt: Attempt) -> None:
    Entry.objects.filter(attempt=attempt).update(text="nonsense")
    assert "cannot be replayed" in admin_client.get(f"{ATTEMPTS}{attempt.pk}/change/").text


def test_nothing_there_alters_a_log(admin_client: Client, attempt: Attempt, owner: User) -> None:
    before = [list(model.objects.values()) for model in (Deal, Attempt, Entry)]
    everything = {"outcome": "won", "moves": 1, "home": 104, "_save": "Save", "post": "yes"}
    for path in (f"{ATTEMPTS}{attempt.pk}", f"{DEALS}{attempt.deal_id}", f"{USERS}{owner.pk}"):
        assert admin_client.post(f"{path}/delete/", everything).status_code == 403
    for path in (f"{ATTEMPTS}{attempt.pk}", f"{DEALS}{attempt.deal_id}"):
        assert admin_client.post(f"{path}/change/", everything).status_code == 403
    for path in (ATTEMPTS, DEALS):
        assert admin_client.post(f"{path}add/", everything).status_code == 403
        chosen = {"action": "delete_selected", "_selected_action": [attempt.pk, attempt.deal_id], "post": "yes"}
        admin_client.post(path, chosen)
    admin_client.post(USERS, {"action": "delete_selected", "_selected_action": [owner.pk], "post": "yes"})
    assert [list(model.objects.values()) for model in (Deal, Attempt, Entry)] == before
    assert not admin.site.is_registered(Entry)
    assert User.objects.filter(pk=owner.pk).exists()


@pytest.mark.parametrize("path", [ATTEMPTS, DEALS, USERS, f"{ATTEMPTS}?q=owner", "/admin/"])
def test_lists_ask_the_same_however_long_they_are(
    admin_client: Client, owner: User, path: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(25):
        services.start(player=User.objects.create_user(f"player-{number}"), game="frog", kind="shuffled")
    with django_assert_max_num_queries(8):
        assert admin_client.get(path).status_code == 200


def test_one_page_asks_the_same_however_long_the_log_is(
    admin_client: Client, attempt: Attempt, owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    more = [
        Entry(attempt=attempt, number=number, text=("undo", "redo")[number % 2], at=timezone.now())
        for number in range(2, 900)
    ]
    Entry.objects.bulk_create(more)
    with django_assert_max_num_queries(6):
        page = admin_client.get(f"{ATTEMPTS}{attempt.pk}/change/").text
    assert page.count("stock&gt;turned") == 0, "only the newest entries"
    with django_assert_max_num_queries(8):
        admin_client.get(f"{USERS}{owner.pk}/change/")


def test_guests_are_looked_at_only(admin_client: Client) -> None:
    guest = User.objects.create_user("guest-0", is_guest=True)
    assert admin_client.get(f"{USERS}{guest.pk}/change/").status_code == 200
    secret = {"password1": "lily pad on water", "password2": "lily pad on water", "usable_password": "true"}
    assert admin_client.post(f"{USERS}{guest.pk}/password/", secret).status_code == 403
    guest.refresh_from_db()
    assert not guest.has_usable_password()


@pytest.mark.parametrize("path", [ATTEMPTS, DEALS, USERS, "/admin/mfa/authenticator/"])
def test_the_admin_is_for_the_staff(client: Client, owner: User, path: str) -> None:
    assert client.get(path).status_code == 302
    client.force_login(owner)
    response = client.get(path, follow=True)
    assert response.status_code == 403
