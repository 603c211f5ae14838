"""Dockerfile and compose.yaml without an engine: images made by hand, and what compose starts, here and in its order.

What this cannot show: that the images of others can be had, what apt-get and pip fetch, and users of a container's own.
"""

import asyncio
import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import yaml

from bench.players import Player, Seat
from tests.browser.conftest import PATIENCE, ROOT, Site
from tests.services.conftest import answers, free_port
from tests.services.images import Image, build, instructions
from tests.services.people import guest, until
from tests.services.proxy import Nginx, behind

SERVICES = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
WEB = ("web1", "web2")
SAID = {name: rest for name, rest in instructions() if name in ("EXPOSE", "HEALTHCHECK", "USER")}


def test_the_proxy_knows_the_processes_by_the_names_and_the_port_that_they_have() -> None:
    upstream = (ROOT / "deploy/nginx/upstream-containers.conf").read_text()
    named = re.findall(r"^ *server (\w+):(\d+) ", upstream, re.MULTILINE)
    assert named == [(web, SAID["EXPOSE"]) for web in WEB]
    assert f":{SAID['EXPOSE']}/" in SAID["HEALTHCHECK"]
    assert set(SERVICES["proxy"]["depends_on"]) == set(WEB)


def test_what_compose_says_of_one_service_fits_what_it_says_of_another() -> None:
    for service in SERVICES.values():
        assert set(service.get("depends_on", ())) <= set(SERVICES)
    for web in WEB:
        env = SERVICES[web]["environment"]
        database = urlsplit(re.sub(r"\$\{.*?\}", "password", env["DATABASE_URL"]))
        assert {database.hostname, urlsplit(env["REDIS_URL"]).hostname} <= set(SERVICES)
        assert {database.username, database.path[1:]} == {SERVICES["postgres"]["environment"]["POSTGRES_USER"]}


@pytest.fixture
def database(postgres_server: str) -> str:
    """The address of a database without a table."""
    name = "containers"
    beside = postgres_server.removesuffix("postgres")
    with psycopg.connect(f"{beside}template1", autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE template0".encode())
    return beside + name


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    """The address of a Redis as compose starts it."""
    port = str(free_port())
    told = shlex.split(SERVICES["redis"]["command"])
    process = subprocess.Popen([*told, "--port", port, "--bind", "127.0.0.1"], cwd=folder, stdout=subprocess.DEVNULL)
    program, *asked = shlex.split(SERVICES["redis"]["healthcheck"]["test"])
    try:
        while subprocess.run([program, "-p", port, *asked], capture_output=True, check=False).stdout != b"PONG\n":
            assert process.poll() is None
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait(PATIENCE)


def proxy(image: Image, ports: dict[str, int]) -> Nginx:
    """nginx as its image holds it. Containers have no names here, and Debian's nginx could not ask for them anew."""
    file = image.at("/etc/nginx/conf.d/upstream.conf")
    text = file.read_text()
    for name, port in ports.items():
        text = text.replace(f"server {name}:{SAID['EXPOSE']} resolve ", f"server 127.0.0.1:{port} ")
    file.write_text(text)
    return Nginx(image.at("/etc/nginx"), image.at("/srv/lilypad/var"))


async def healthy(image: Image, port: int, **env: str) -> None:
    """Wait as compose does before it goes on."""
    command = json.loads(SAID["HEALTHCHECK"].partition("CMD ")[2])
    command[-1] = command[-1].replace(SAID["EXPOSE"], str(port))
    await until(lambda: answers(port))
    await asyncio.to_thread(image.call, command, **env)


async def test_what_compose_starts_runs_by_hand_in_its_order(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    images = build(tmp_path)
    site = images["site"]
    assert SAID["USER"] in site.users.values()
    assert not {".git", ".venv", "tests", "var"} & {path.name for path in (tmp_path / "context").iterdir()}
    assert SERVICES["web1"]["read_only"]
    site.lock()
    site.call(["sh", "-c", "! echo > var/new"])
    server = urlsplit(database)
    ready = SERVICES["postgres"]["healthcheck"]["test"]
    subprocess.run([*shlex.split(ready), "--port", str(server.port)], check=True, capture_output=True)
    ports = {web: free_port() for web in WEB}
    with redis(tmp_path) as layer, ExitStack() as running:
        env = SERVICES["web1"]["environment"] | {"DATABASE_URL": database, "REDIS_URL": layer}
        env |= {"SECRET_KEY": "of both processes " * 3, "ALLOWED_HOSTS": "localhost", "DRAIN_SECONDS": "0"}  # as .env
        site.call(shlex.split(SERVICES["prepare"]["command"]), **env)
        for web, port in ports.items():
            running.enter_context(site.serving(tmp_path / web, PORT=str(port), **env))
        for port in ports.values():
            await healthy(site, port, **env)
        nginx = proxy(images["proxy"], ports)
        running.enter_context(nginx.running())
        await visit(nginx, behind(nginx, Site(tmp_path, DATABASE_URL=database), monkeypatch))
        site.call(shlex.split(SERVICES["daily"]["command"].replace("sleep 6h", "exit")), **env)
        site.call(["python", "manage.py", "backup", "var/backups/before"], **env)
    assert site.at("var/backups/before").exists()


async def visit(nginx: Nginx, front: Site) -> None:
    """Look at a page with its style, begin a game and sit down at its table, as often as there are processes."""
    style = re.search(rb"/static/css/site\.[0-9a-f]{12}\.css", nginx.get("/").body)
    assert style
    told = nginx.get(style[0].decode())
    assert (told.status, told.headers["X-Request-Id"]) == (200, None)  # the proxy has it, no process was asked
    for game in ("frog", "american-toad"):
        client = await asyncio.to_thread(guest, front, game)
        player = Player(Seat(nginx.plain, f"/ws/play/{client.code}/", client.cookie, ()))
        await player.sit_down()
        player.transport.abort()
        await player.gone
