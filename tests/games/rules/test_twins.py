"""Pages of rules: every section for every game, and every text of them side by side in a second language."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.test import Client

from games.engine.catalogue import GAMES

pytestmark = pytest.mark.django_db

SECTIONS = [
    *("need", "order", "layout", "setup", "play", "example", "end"),
    *("tips", "variants", "others", "words", "odds", "counts"),
]
PAIR = re.compile(
    r'<span class="pair"><span>(.*?)</span>(?:<span class="twin" lang="(\w+)">(.*?)</span>)?</span>', re.DOTALL
)
UNPAIRED = re.compile(r"<(p|li|dt|dd|h1|h2)\b[^>]*>(?!\s*(?:<a [^>]*>\s*)?<span class=\"pair\">)[^<]*", re.DOTALL)


def pairs(client: Client, slug: str, query: str) -> list[tuple[str, str, str]]:
    """The own text, the other language and the text in it, of each pair."""
    return PAIR.findall(client.get(f"/rules/{slug}/?{query}").content.decode())


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_every_section(client: Client, slug: str) -> None:
    page = client.get(f"/rules/{slug}/").content.decode()
    wanted = [*SECTIONS[:7], "race", *SECTIONS[7:]] if slug.startswith("flower") else SECTIONS
    assert re.findall(r'<section id="(\w+)"', page) == wanted
    assert all(f'href="#{section}"' in page for section in wanted)


@pytest.mark.parametrize(("one", "other"), [("en", "de"), ("de", "ru")])
@pytest.mark.parametrize("slug", GAMES)
def test_side_by_side_stands_what_the_other_page_says(client: Client, slug: str, one: str, other: str) -> None:
    both = pairs(client, slug, f"lang={one}&beside={other}")
    assert [(own, "", "") for own, _, _ in both] == pairs(client, slug, f"lang={one}")
    assert [text for _, _, text in both] == [own for own, _, _ in pairs(client, slug, f"lang={other}")]
    assert {language for _, language, _ in both} == {other}
    assert len(both) > 40


@pytest.mark.parametrize("slug", GAMES)
def test_no_text_is_without_its_twin(client: Client, slug: str) -> None:
    article = client.get(f"/rules/{slug}/").content.decode().split("<article")[1].split("</article>")[0]
    article = re.sub(r"<nav.*?</nav>|<p class=\"told\".*?</p>", "", article, flags=re.DOTALL)
    assert not [found[0] for found in UNPAIRED.finditer(article)]


@pytest.mark.parametrize("beside", ["en", "fr", "", "de%22%3E"])
def test_any_other_wish_shows_one_language(client: Client, beside: str) -> None:
    assert pairs(client, "frog", f"lang=en&beside={beside}") == pairs(client, "frog", "lang=en")


def test_a_page_of_rules_asks_the_database_nothing(
    client: Client, django_assert_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    with django_assert_num_queries(0):
        client.get("/rules/frog/?beside=de")
