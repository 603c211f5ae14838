"""Who is let into a socket, how many, and whose are closed: by address, by account, by session."""

import pytest
from channels.db import database_sync_to_async
from django.conf import settings as live
from django.db import OperationalError
from django.test import AsyncClient
from pytest_django import Settings

from accounts.models import User
from accounts.sessions import SessionStore
from config.asgi import application
from games import doors, services, sockets
from games.live import hub, tables
from games.models import Attempt
from games.race import rooms, seats
from games.race.models import Race
from tests.games.conftest import ORIGIN, Player, wire_for
from tests.wires import Wire

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "lily pad on water"


@pytest.fixture(autouse=True)
def nothing_open() -> None:
    """What another test's process memory held is of no concern here."""
    for held in (tables._open, rooms._open, hub._listeners, sockets._sockets):
        held.clear()


@pytest.fixture
def attempt(owner: User) -> Attempt:
    return services.start(player=owner, game="frog", kind="shuffled")


def wire_from(where: str, path: str = "/ws/race/AAAAAA/") -> Wire:
    return Wire(application, path, headers=[*ORIGIN, (b"x-forwarded-for", where.encode())])


async def code_of(wire: Wire) -> int:
    """What a socket is closed with."""
    assert (await wire.connect())[0]
    while (event := await wire.receive_output())["type"] != "websocket.close":
        pass
    return int(event["code"])


async def test_who_guesses_rooms_by_websocket_finds_none_any_more(settings: Settings, owner: User) -> None:
    settings.TRUSTED_PROXIES = 1
    settings.ACCOUNT_RATE_LIMITS = {"find_race": "5/m/ip,5/m/key"}
    race: Race = await database_sync_to_async(seats.invite)(host=owner, terms=seats.Terms())
    assert [await code_of(wire_from(f"9.9.9.{count}, 1.2.3.4")) for count in range(6)] == [4404] * 5 + [4429]
    assert await code_of(wire_from("1.2.3.4", f"/ws/race/{race.code}/")) == 4429
    wire = wire_from("1.2.3.5", f"/ws/race/{race.code}/")
    assert (await wire.connect())[0]
    shown = await wire.receive_output()
    assert shown["type"] == "websocket.send", shown
    await wire.disconnect()
    for path in ("", "qr.svg", "1/", "1/frames/"):
        page = await AsyncClient().get(f"/race/{race.code}/{path}", headers={"X-Forwarded-For": "1.2.3.4"})
        assert page.status_code == 429, "pages and sockets count together"


async def test_a_socket_whose_session_cannot_be_read_is_told_to_come_back(
    owner: User, attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(session: SessionStore) -> None:
        raise OperationalError("no route to the database")

    wire = await wire_for(owner, attempt.code)
    monkeypatch.setattr(SessionStore, "load", away)
    assert await code_of(wire) == sockets.AWAY


async def test_one_address_opens_only_so_many_sockets(settings: Settings) -> None:
    settings.TRUSTED_PROXIES, settings.SOCKETS_PER_ADDRESS = 1, 3
    settings.ACCOUNT_RATE_LIMITS = {}

    async def lets_in(where: str) -> bool:
        wire = wire_from(where)
        connected, _ = await wire.connect()
        await wire.wait()
        return connected

    assert [await lets_in("1.2.3.4") for _ in range(4)] == [True, True, True, False], "new ones in a minute"
    assert await lets_in("9.9.9.9, 1.2.3.4") is False
    assert await lets_in("1.2.3.5")
    assert [await lets_in(where) for where in ("a", "1.2.3.4:56", "1.2.3.4, _", "1.2.3.6, b")] == [True] * 3 + [False]
    assert [await lets_in("127.0.0.1") for _ in range(9)] == [True] * 9


async def test_one_address_holds_only_so_many_sockets(settings: Settings) -> None:
    settings.TRUSTED_PROXIES, settings.SOCKETS_PER_ADDRESS = 1, 3
    door, scope = doors.Door(None), {"headers": [(b"x-forwarded-for", b"1.2.3.4")]}
    for held, lets_in in ((2, True), (3, False)):
        door.open["1.2.3.4"] = held
        assert door._lets_in(doors.address(scope)) is lets_in


async def test_two_sockets_of_an_account_have_one_limit(owner: User, attempt: Attempt, settings: Settings) -> None:
    settings.REQUESTS_PER_SECOND, settings.REQUEST_BURST = 0.001, 4
    players = [await sit(owner, attempt) for _ in range(2)]
    for player in players * 2:
        await player.say(type="ping", version=0)
        assert (await player.hear())["type"] == "pong"
    assert (await players[0].do("stock>turned"))["code"] == "too-fast"
    for player in players:
        await player.wire.disconnect()


async def test_all_accounts_of_an_address_have_one_limit_and_those_elsewhere_another(
    owner: User, rival: User, stranger: User, settings: Settings
) -> None:
    settings.REQUESTS_PER_SECOND, settings.REQUEST_BURST = 0.001, 4
    settings.TRUSTED_PROXIES, settings.ACCOUNTS_PER_ADDRESS = 1, 2
    start = database_sync_to_async(services.start)

    async def sit_at(user: User, where: str) -> Player:
        attempt = await start(player=user, game="frog", kind="shuffled")
        return await sit(user, attempt, [*ORIGIN, (b"x-forwarded-for", where.encode())])

    async def asks(player: Player) -> str:
        await player.say(type="ping", version=0)
        answer = await player.hear()
        if answer["type"] == "refused":
            await player.hear()  # the newest table
        return str(answer.get("code", answer["type"]))

    players = [await sit_at(user, "9.9.9.9, 1.2.3.4") for user in (owner, rival, stranger)]
    assert [await asks(player) for player in players * 3] == ["pong"] * 8 + ["too-fast"]
    elsewhere = await sit_at(owner, "1.2.3.4, 1.2.3.5")
    assert await asks(elsewhere) == "pong", "of the account there is one left"
    for where in ("nonsense", "1.2.3.4, nonsense"):
        players.append(await sit_at(await User.objects.acreate(username=where), where))
    assert [await asks(player) for player in players[3:] * 4] == ["pong"] * 8
    players.append(await sit_at(await User.objects.acreate(username="third"), "unknown"))
    assert await asks(players[-1]) == "too-fast", "what is no address is one"
    for player in [*players, elsewhere]:
        await player.wire.disconnect()


def test_what_is_refused_to_an_address_takes_nothing_from_those_who_ask_in_time(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REQUESTS_PER_SECOND, settings.REQUEST_BURST, settings.ACCOUNTS_PER_ADDRESS = 2, 5, 2
    clock = [0.0]
    monkeypatch.setattr("games.doors.monotonic", lambda: clock[0])
    bucket = doors.of_address("1.2.3.4")
    assert sum(bucket.take() for _ in range(1000)) == 10
    taken = 0
    for _ in range(1000):
        clock[0] += 0.01  # a hundred a second
        taken += bucket.take()
    assert taken == pytest.approx(40, abs=1)


async def sit(user: User, attempt: Attempt, headers: list[tuple[bytes, bytes]] = ORIGIN) -> Player:
    player = Player(await wire_for(user, attempt.code, headers), {})
    assert (await player.wire.connect())[0]
    await player.hear()
    return player


async def test_logging_out_closes_the_sockets_of_this_browser_alone(owner: User, attempt: Attempt) -> None:
    client = AsyncClient()
    await client.aforce_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    cookie = f"{live.SESSION_COOKIE_NAME}={client.cookies[live.SESSION_COOKIE_NAME].value}".encode()
    here = await wire_for(None, attempt.code, [*ORIGIN, (b"cookie", cookie)])
    elsewhere = await sit(owner, attempt)
    await here.connect()
    await here.receive_from()
    await client.post("/accounts/logout/")
    assert await here.receive_output() == {"type": "websocket.close", "code": 4401}
    await here.send_to(text_data='{"type":"do","version":0,"entry":"stock>turned"}')  # as if it had not heard
    await here.wait()
    assert await code_of(await wire_for(None, attempt.code, [*ORIGIN, (b"cookie", cookie)])) == 4403
    assert (await elsewhere.do("stock>turned"))["version"] == 1, "the other device plays on, and nothing was done here"
    await elsewhere.wire.disconnect()


FORMS = {  # what ends all other sessions of an account: who does it, where, by which form
    "one's own new password": ("owner", "/accounts/password/change/", {"oldpassword": PASSWORD}),
    "one's own first password": ("owner", "/accounts/password/set/", {}),
    "the staff's new password": ("staff", "/admin/accounts/user/{}/password/", {"usable_password": "true"}),
    "made inactive": ("staff", "/admin/accounts/user/{}/change/", {"username": "owner"}),
}


@pytest.mark.parametrize("what", FORMS)
async def test_sockets_are_closed_whose_sessions_hold_no_more(owner: User, attempt: Attempt, what: str) -> None:
    who, path, fields = FORMS[what]
    await database_sync_to_async(owner.set_password)(None if "first" in what else PASSWORD)
    await owner.asave()
    staff = await User.objects.acreate(username="staff", is_staff=True, is_superuser=True)
    thief = await sit(owner, attempt)
    client = AsyncClient()
    await client.aforce_login(owner if who == "owner" else staff, backend="django.contrib.auth.backends.ModelBackend")
    form = fields | {"password1": PASSWORD + "!", "password2": PASSWORD + "!"}
    answer = await client.post(path.format(owner.pk), form)
    assert answer.status_code == 302, answer.content
    assert await thief.wire.receive_output() == {"type": "websocket.close", "code": 4401}
    await thief.wire.disconnect()
