"""What becomes of a player's games: a guest who turns out to be a member, an account that closes, a guest long gone."""

import os
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from accounts.services import claim, close
from games import services
from games.data import leaving
from games.models import Attempt, Deal, Entry, Kind, Outcome
from tests.games.conftest import Sit

PASSWORD = "lily pad on water"


@pytest.fixture
def guest(db: None) -> User:
    return User.objects.create_user("guest-0", is_guest=True)


@pytest.fixture
def member(db: None) -> User:
    return User.objects.create_user("ada", password=PASSWORD)


def ended(attempt: Attempt, outcome: str = Outcome.WON) -> Attempt:
    """The attempt as the journal leaves it once it is over, with one entry in its log."""
    now = timezone.now()
    Entry.objects.create(attempt=attempt, number=1, text="stock>turned", at=now)
    Attempt.objects.filter(pk=attempt.pk).update(version=1, started_at=now, ended_at=now, outcome=outcome)
    attempt.refresh_from_db()
    return attempt


def begin(player: User, game: str = "frog") -> Attempt:
    return services.start(player=player, game=game, kind="shuffled")


# Claiming


def test_a_guests_games_move_over_behind_the_members_own(guest: User, member: User, rival: User) -> None:
    shared = begin(member).deal
    theirs = services.play_deal(player=guest, deal=shared)
    other = begin(guest)
    untouched = services.play_deal(player=rival, deal=shared)
    claim(guest=guest, member=member)
    numbers = {(attempt.code, attempt.number) for attempt in member.attempts.filter(deal=shared)}
    assert (theirs.code, 2) in numbers
    assert len(numbers) == 2
    assert member.attempts.get(deal=other.deal).number == 1
    assert Deal.objects.get(pk=other.deal_id).made_by == member
    untouched.refresh_from_db()
    assert (untouched.player, untouched.number) == (rival, 1)


def test_a_second_claim_finds_nothing_to_do(guest: User, member: User) -> None:
    begin(guest)
    twice = User.objects.get(pk=guest.pk)
    claim(guest=guest, member=member)
    before = list(Attempt.objects.values())
    claim(guest=twice, member=member)
    assert list(Attempt.objects.values()) == before
    assert not User.objects.filter(is_guest=True).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["login", "signup"])
async def test_an_open_table_stays_open_and_its_socket_carries_on(
    guest: User, member: User, sit: Sit, way: str
) -> None:
    attempt = await sync_to_async(begin)(guest)
    browser = Client()
    await sync_to_async(browser.force_login)(guest)
    form = {"login": "ada", "username": "bob", "password": PASSWORD, "password1": PASSWORD, "password2": PASSWORD}
    async with sit(guest, attempt.code) as player:
        assert (await player.do("stock>turned"))["type"] == "table"
        response = await sync_to_async(browser.post)(f"/accounts/{way}/", form)
        assert response.headers["Location"] == "/mine/"
        assert (await player.do("undo"))["version"] == 2
        page = await sync_to_async(browser.get)(f"/play/{attempt.code}/")
        assert page.status_code == 200
        owner = await User.objects.aget(username="ada" if way == "login" else "bob")
        async with sit(owner, attempt.code) as again:  # what the browser does when the line was cut
            assert again.table["version"] == 2
            await again.do("stock>turned")
            assert (await player.hear())["version"] == 3
    assert await Entry.objects.filter(attempt=attempt).acount() == 3


# Closing


def test_open_games_go_and_finished_ones_lose_the_name(owner: User, rival: User) -> None:
    finished, playing = ended(begin(owner)), begin(owner)
    Attempt.objects.filter(pk=finished.pk).update(share_code="abc")
    practice = ended(begin(owner))
    Attempt.objects.filter(pk=practice.pk).update(practice=True)
    against = services.play_deal(player=rival, deal=playing.deal)
    theirs = ended(begin(rival))
    kept = list(Attempt.objects.filter(player=rival).order_by("pk").values())
    close(user=owner)
    finished.refresh_from_db()
    assert (finished.player, finished.share_code, finished.outcome) == (None, None, Outcome.WON)
    assert finished.entries.count() == 1
    assert not Attempt.objects.filter(pk__in=[playing.pk, practice.pk]).exists()
    assert not Deal.objects.filter(pk=practice.deal_id).exists(), "a deal that nobody has played any more"
    assert list(Attempt.objects.filter(player=rival).order_by("pk").values()) == kept
    assert {against.deal.pk, theirs.deal_id} <= set(Deal.objects.values_list("pk", flat=True))
    assert list(User.objects.all()) == [rival]


def test_a_private_deal_goes_unless_somebody_else_has_played_it(owner: User, rival: User) -> None:
    alone, together = ended(begin(owner)), ended(begin(owner))
    services.play_deal(player=rival, deal=together.deal)
    Deal.objects.update(private=True)
    close(user=owner)
    assert list(Deal.objects.all()) == [together.deal]
    assert not Attempt.objects.filter(pk=alone.pk).exists()
    assert Attempt.objects.get(pk=together.pk).player is None


def test_deals_for_everybody_and_other_peoples_stay(owner: User, rival: User) -> None:
    daily, theirs = begin(owner).deal, begin(rival)
    Deal.objects.filter(pk=daily.pk).update(kind=Kind.DAILY, day=timezone.now().date(), made_by=None)
    services.play_deal(player=owner, deal=theirs.deal)
    theirs.delete()
    close(user=owner)
    assert set(Deal.objects.values_list("pk", flat=True)) == {daily.pk, theirs.deal_id}
    assert not Attempt.objects.exists()


def test_an_account_with_many_games_closes_with_few_queries(
    owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(30):
        begin(owner)
    with django_assert_max_num_queries(40):
        close(user=owner)
    assert not Attempt.objects.exists()
    assert not Deal.objects.exists()


@pytest.mark.django_db(transaction=True)
async def test_a_socket_left_open_finds_its_game_gone(owner: User, sit: Sit) -> None:
    attempt = await sync_to_async(begin)(owner)
    async with sit(owner, attempt.code) as player:
        await sync_to_async(close)(user=owner)
        await player.say(type="do", version=0, entry="stock>turned")
        assert (await player.wire.receive_output())["code"] == 4404


# Sweeping


def test_only_guests_who_left_nothing_finished_are_swept(owner: User, guest: User, rival: User) -> None:
    long_ago = timezone.now() - timedelta(days=91)
    winner, lively, fresh = (User.objects.create_user(f"guest-{n}", is_guest=True) for n in (1, 2, 3))
    idle_game, won_game, lively_game = begin(guest), ended(begin(winner)), begin(lively)
    services.play_deal(player=guest, deal=lively_game.deal)
    begin(fresh)
    begin(owner)
    User.objects.exclude(pk=fresh.pk).update(date_joined=long_ago)
    Attempt.objects.exclude(pk=lively_game.pk).update(touched_at=long_ago)
    Entry.objects.create(attempt=idle_game, number=1, text="stock>turned", at=long_ago)
    call_command("sweep_guests")
    assert set(User.objects.all()) == {owner, rival, winner, lively, fresh}
    assert not Attempt.objects.filter(pk=idle_game.pk).exists()
    assert not Deal.objects.filter(pk=idle_game.deal_id).exists()
    assert list(Entry.objects.all()) == list(won_game.entries.all())
    assert Deal.objects.filter(pk__in=[won_game.deal_id, lively_game.deal_id]).count() == 2
    assert Attempt.objects.filter(player=owner).count() == 1


def test_sweeping_goes_by_chunks_and_knows_its_end(
    db: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(leaving, "CHUNK", 2)
    guests = [User.objects.create_user(f"guest-{n}", is_guest=True) for n in range(5)]
    for guest in guests[:3]:
        for _ in range(3):
            begin(guest)
    later = timezone.now() + timedelta(seconds=1)
    assert leaving.sweep(since=later) == 5
    assert not User.objects.exists()
    assert not Attempt.objects.exists()
    assert not Deal.objects.exists()
    call_command("sweep_guests", "--days", "1")
    assert capsys.readouterr().out.strip() == f"0 guests swept.{os.linesep}".strip()
