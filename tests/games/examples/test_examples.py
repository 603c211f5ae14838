"""The worked examples: one for each game, by its rules, to look at by anybody and to play on from."""

import json

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.engine.catalogue import GAMES
from games.examples import worked
from games.models import Attempt, Deal

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_one_and_it_goes_by_the_rules(client: Client, slug: str) -> None:
    answer = client.get(reverse("example", args=[slug]))
    views = json.loads(answer.content)
    assert len(views) == len(worked.EXAMPLES[slug].moves.split()) + 1
    assert views[0]["version"] == 0
    assert views[-1]["home"] > views[0]["home"]
    assert not Deal.objects.exists()
    assert reverse("example", args=[slug]) in client.get(reverse("rules", args=[slug])).content.decode()


def test_the_frog_is_that_of_the_old_leaflets() -> None:
    first, *_, last = worked.frames("frog")
    assert first.piles["foundation1"] == ["AH"]
    assert first.piles["reserve"][-1] == "6S"
    assert last.piles["foundation1"] == ["AH", "2C", "3D", "4H", "5C", "6S"]


@pytest.mark.parametrize("slug", GAMES)
def test_one_plays_on_from_where_one_has_stopped(client: Client, slug: str) -> None:
    for entries in (0, 3, 3):
        answer = client.post(reverse("example-play", args=[slug]), {"entry": str(entries)})
        attempt = Attempt.objects.get(code=answer.headers["Location"].split("/")[2])
        assert (attempt.version, attempt.practice, attempt.outcome) == (entries, True, "playing")
        assert attempt.player == User.objects.get()
    assert Deal.objects.count() == 1
    call_command("check_logs")


@pytest.mark.parametrize("entry", ["", "x", "-1", "1000", "²"])
def test_what_is_no_place_in_the_example_makes_nothing(client: Client, entry: str) -> None:
    assert client.post("/rules/frog/example/play/", {"entry": entry}).status_code == 404
    assert client.post("/rules/chess/example/play/", {"entry": "1"}).status_code == 404
    assert client.get("/rules/chess/example/").status_code == 404
    assert not Attempt.objects.exists()
