"""The site in German and Russian: catalogues are whole, pages show nothing of the English, words are well formed."""

import html
import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polib
import pytest
from asgiref.sync import async_to_sync
from django.core import mail
from django.test import Client
from django.utils import translation
from django.utils.formats import date_format, number_format
from django.utils.translation import ngettext

from accounts.models import User
from games import services
from games.engine.catalogue import GAMES
from games.engine.game import Refusal
from games.names import NAMES, group_label, place_name
from games.race import seats
from games.sentences import card_name, why
from games.views import rows

ROOT = Path(__file__).parents[1]
LANGUAGES = ("de", "ru")
CATALOGUES = runpy.run_path(str(ROOT / "bin" / "catalogues"))
SCRIPTS = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "static" / "js").glob("*.js"))


def entries(language: str, domain: str) -> polib.POFile:
    return polib.pofile(str(ROOT / "locale" / language / "LC_MESSAGES" / f"{domain}.po"))


def test_the_catalogues_are_whole_and_say_what_the_sources_say() -> None:
    command = [sys.executable, ROOT / "bin" / "catalogues", "check"]
    checked = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (polib.POEntry(msgid="a"), "not translated"),
        (polib.POEntry(msgid="a", msgstr="b", flags=["fuzzy"]), "fuzzy"),
        (polib.POEntry(msgid="a", msgstr="b", obsolete=True), "obsolete"),
        (polib.POEntry(msgid="%(a)s and %(b)s", msgstr="%(a)s und"), "other placeholders or tags"),
        (polib.POEntry(msgid="<b>%(a)s</b>", msgstr="%(a)s"), "other placeholders or tags"),
        (polib.POEntry(msgid="a", msgid_plural="b", msgstr_plural={0: "c", 1: ""}), "not translated"),
        (polib.POEntry(msgid="%(a)s x", msgid_plural="%(a)s xs", msgstr_plural={0: "x", 1: "%(a)s"}), "other placeh"),
    ],
)
def test_the_check_finds_what_is_wrong_with_an_entry(entry: polib.POEntry, fault: str) -> None:
    assert next(CATALOGUES["faults"](entry)).startswith(fault)


def test_catalogues_are_compiled_when_they_are_older_than_their_source(tmp_path: Path) -> None:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    compile_all: Callable[[], None] = CATALOGUES["compile_all"]
    compile_all.__globals__["LOCALE"] = tmp_path
    source = entries("de", "djangojs")
    source.save(str(folder / "django.po"))
    compile_all()
    compiled = folder / "django.mo"
    made = compiled.stat().st_mtime_ns
    assert len(polib.mofile(str(compiled))) == len(source)
    compile_all()
    assert compiled.stat().st_mtime_ns == made
    assert [path.suffix for path in folder.iterdir() if path.suffix not in (".po", ".mo")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_scripts_is_in_their_catalogue(language: str) -> None:
    """Each call names its text by itself, so that the collector finds it."""
    calls = re.findall(r"(?<![\w.])n?p?gettext\(", SCRIPTS)
    named = re.findall(r"(?<![\w.])(?:n?gettext|n?pgettext)\(\s*\"", SCRIPTS)
    assert len(calls) == len(named)
    known = {entry.msgid for entry in entries(language, "djangojs")}
    assert set(re.findall(r"(?<![\w.])n?gettext\(\s*\"([^\"]+)\"", SCRIPTS)) <= known


@pytest.mark.parametrize("number", [1, 2, 5, 11, 21])
def test_plural_forms_are_right(number: int) -> None:
    words = {"en": "moves", "de": "Züge", "ru": {1: "ход", 2: "хода", 5: "ходов", 11: "ходов", 21: "ход"}[number]}
    if number == 1:
        words |= {"en": "move", "de": "Zug"}
    for language, word in words.items():
        with translation.override(language):
            text = ngettext("%(moves)s move", "%(moves)s moves", number) % {"moves": number}
        assert text == f"{number} {word}"


def test_games_are_called_what_their_players_call_them() -> None:
    for language, names in {
        "de": {"frog": "Frosch", "le-crapaud": "Kröte (Le Crapaud)", "fly": "Fliege", "dicks-frog": "Dicks Frosch"},
        "ru": {"frog": "Лягушка", "le-crapaud": "Жаба (Le Crapaud)", "fly": "Флай"},
    }.items():
        with translation.override(language):
            assert {slug: str(NAMES[slug]) for slug in names} == names
    with translation.override("de"):
        assert (str(NAMES["flower-garden"]), str(NAMES["american-toad"])) == ("Der Garten", "American Toad")


def test_cards_and_places_are_named_in_full() -> None:
    with translation.override("de"):
        assert [card_name(card) for card in ("AC", "TD", "QH", "8S")] == ["Kreuz-Ass", "Karo-10", "Herz-Dame", "Pik-8"]
        assert (place_name("waste2"), str(group_label("frog", "reserve"))) == ("Ablagestapel 2", "Frosch")
    with translation.override("ru"):
        names = ["туз треф", "десятка бубен", "дама червей", "восьмёрка пик"]
        assert [card_name(card) for card in ("AC", "TD", "QH", "8S")] == names
        assert (place_name("waste2"), str(group_label("frog", "reserve"))) == ("сброс 2", "Лягушка")


def test_refusals_name_cards_in_the_nominative() -> None:
    fits = Refusal("fits_no_foundation", {"card": "QH"})
    with translation.override("ru"):
        assert why(fits) == "Карта «дама червей» подходит к основе, поэтому в сброс её класть нельзя."
    with translation.override("de"):
        assert why(fits) == "Herz-Dame passt auf einen Zielstapel und darf deshalb nicht auf einen Ablagestapel."


@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if "reserve" in game.place])
def test_a_reserve_has_one_name_over_it_spoken_and_in_refusals(slug: str, language: str) -> None:
    with translation.override(language):
        groups = {group["group"]: group for row in rows(GAMES[slug]) for group in row}
        label = str(groups["reserve"]["label"])
        assert [pile["label"].casefold() for pile in groups["reserve"]["piles"]] == [label.casefold()]
        refused = Refusal("never", {"source": "reserve", "target": "waste1"})
        assert label.casefold() in why(refused, slug).casefold()


def test_dates_and_numbers_are_written_as_the_language_has_them() -> None:
    moment = datetime(2026, 3, 5, 18, 7, tzinfo=UTC)
    for language, when, day, number in [
        ("en", "5 Mar 2026, 18:07", "5 March 2026", "2.6"),
        ("de", "5. März 2026, 18:07", "5. März 2026", "2,6"),
        ("ru", "5 марта 2026, 18:07", "5 марта 2026", "2,6"),
    ]:
        with translation.override(language):
            assert date_format(moment, "DATETIME_FORMAT") == when
            assert date_format(date(2026, 3, 5), "DATE_FORMAT") == day
            assert number_format(2.6) == number


def english(language: str) -> list[str]:
    """Texts of several words that would be seen if they were not translated."""
    plain = [entry.msgid for entry in entries(language, "django") if entry.msgstr != entry.msgid]
    return [text for text in plain if text.count(" ") >= 1 and not re.search(r"[%<\n]", text) and len(text) > 9]


def read(page: Any) -> str:
    """A page as somebody reads it, names of other places left out."""
    return re.sub(r"\s+", " ", html.unescape(page.content.decode()))


@pytest.fixture
def addresses(owner: User, rival: User) -> list[str]:
    """Pages of every kind, with something to show on them."""
    attempt = services.start(player=owner, game="frog", kind="shuffled")
    ended = services.start(player=owner, game="fly", kind="shuffled")
    for version, entry in enumerate(["stock>turned", "give-up"]):
        async_to_sync(services.enter)(attempt_id=ended.pk, version=version, entry=entry)
    race = seats.invite(host=owner, terms=seats.Terms())
    seats.join(player=rival, race=race)
    return [
        *("/", "/daily/", "/deals/", "/race/", "/mine/", "/mine/races/", "/mine/statistics/", "/data/", "/nowhere/"),
        *(f"/rules/{slug}/" for slug in GAMES),
        *(f"/play/{attempt.code}/{part}" for part in ("", "proof/", "replay/")),
        *(f"/play/{ended.code}/{part}" for part in ("", "proof/", "replay/")),
        *(f"/deals/{attempt.deal.code}/", f"/deals/{ended.deal.code}/", "/frog/17/", f"/race/{race.code}/"),
        *("/settings/", "/accounts/", "/accounts/name/", "/accounts/email/", "/accounts/delete/", "/accounts/logout/"),
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_show_nothing_of_the_english(client: Client, owner: User, addresses: list[str], language: str) -> None:
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    forbidden = english(language)
    for address in addresses:
        page = client.get(address, headers={"accept-language": language})
        assert page.status_code in (200, 404), address
        assert f'<html lang="{language}"' in page.content.decode()
        text = read(page)
        assert not [found for found in forbidden if found in text], address


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("address", ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/race/"])
def test_strangers_read_nothing_of_the_english(client: Client, language: str, address: str) -> None:
    page = client.get(address, headers={"accept-language": language})
    assert not [found for found in english(language) if found in read(page)]


@pytest.mark.parametrize(
    ("language", "label"), [("de", "Anmeldename oder E-Mail:"), ("ru", "Имя пользователя или e-mail:")]
)
def test_a_field_is_called_what_belongs_into_it(client: Client, language: str, label: str) -> None:
    assert label in read(client.get("/accounts/login/", headers={"accept-language": language}))


@pytest.mark.django_db
def test_mails_are_in_the_reader_s_language(client: Client) -> None:
    form = {"username": "ada", "email": "ada@lilypad.example", "password1": "lily pad on water"}
    form["password2"] = form["password1"]
    client.post("/accounts/signup/", form, headers={"accept-language": "ru"})
    (sent,) = mail.outbox
    assert "Привет от Lilypad!" in sent.body
    assert "Удачных партий!" in sent.body
    assert "указал " not in sent.body  # whoever gave it may be a woman
    client.post("/accounts/password/reset/", {"email": form["email"]}, headers={"accept-language": "de"})
    assert "Hallo von Lilypad!" in mail.outbox[-1].body


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "text"), [("en", None), ("de", "Noch nichts."), ("ru", "Пока ничего.")])
def test_scripts_get_the_texts_of_their_page(client: Client, language: str, text: str | None) -> None:
    catalogue = client.get(f"/jsi18n/?lang={language}", headers={"accept-language": "fr"}).text
    assert ('"Nothing yet."' in catalogue) == (text is not None)
    assert text is None or json.dumps(text) in catalogue
    assert "Choose a Date" not in catalogue  # the admin's pages have their own
