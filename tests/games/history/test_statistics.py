"""Statistics against an independent count of attempts played at random, and the page that shows them."""

import random
import re
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import services, shuffling
from games.engine.catalogue import GAMES
from games.engine.line import Line
from games.history import pictures, selectors
from games.history.statistics import Ended, Periods, Sort, by_day, by_month, by_week, count, wilson
from games.models import Attempt, Deal
from games.selectors import start_table
from games.shuffling import SHUFFLED, WINNABLE, kinds
from tests.games.history.conftest import NOON, log_of, winning_entries

OF_RIVAL = 40


def random_entries(deal: Deal, chance: random.Random) -> list[str]:
    """What somebody might do: moves, undo, redo and restart, wins undone and won again, giving up, walking away."""
    line = Line.begin(GAMES[deal.game], start_table(deal))
    entries: list[str] = []
    for _ in range(chance.choice([0, 1, 20, 60, 90, 90])):
        moves = [str(move) for move in line.game.legal_moves(line.at.table)]
        home = [move for move in moves if ">foundation" in move]
        words = [word for word in ("undo", "redo", "restart", "give-up", "reveal") if line.can(word)]
        roll = chance.random()
        if line.closed or not (moves or words):
            break
        if line.can("finish") and roll < 0.5:
            entry = "finish"
        elif line.outcome == "won" and roll < 0.7:
            break
        elif not moves or (words and roll < 0.02):
            entry = chance.choice(words)
        else:
            entry = chance.choice(home or moves)
        line = line.after(entry)
        entries.append(entry)
    if entries and line.can("give-up") and chance.random() < 0.7:
        entries.append("give-up")
    return entries


@pytest.fixture(params=[100])
def simulated(request: pytest.FixtureRequest, owner: User, rival: User) -> list[tuple[Attempt, list[str]]]:
    """So many attempts of the owner's, some at a deal again, some practice, and their entries; some of the rival's."""
    chance = random.Random(20260301)
    dealt: list[Deal] = []
    played = []
    for number in range(request.param + OF_RIVAL):
        player = owner if number < request.param else rival
        if dealt and chance.random() < 0.15:
            deal = chance.choice(dealt)
            again = Attempt.objects.filter(deal=deal, player=player).count()
            attempt = Attempt.objects.create(deal=deal, game=deal.game, player=player, number=again + 1)
        else:
            slug = chance.choice([*GAMES, *["flower-garden"] * 4])
            kind = WINNABLE if WINNABLE in kinds(GAMES[slug]) and chance.random() < 0.8 else SHUFFLED
            sealed = shuffling.sealed(shuffling.shuffle(GAMES[slug], kind, chance), "00")
            dealt.append(Deal.objects.create(game=slug, kind=kind, **sealed))
            attempt = Attempt.objects.create(deal=dealt[-1], game=slug, player=player)
        began = NOON + timedelta(minutes=chance.randrange(60 * 24 * 200))
        entries = random_entries(attempt.deal, chance)
        log_of(attempt, entries, began, step=chance.choice([1, 2.5, 90]))
        if chance.random() < 0.1:
            attempt.practice = True
            attempt.save(update_fields=["practice"])
        played.append((attempt, entries))
    return played[:-OF_RIVAL]


def recount(simulated: list[tuple[Attempt, list[str]]], sort: Sort | None = None) -> dict[str, object]:
    """The same figures from the logs alone, by other means: each game is played through again, nothing is summed up."""
    games = []
    for attempt, entries in simulated:
        deal = attempt.deal
        if (sort and sort != (deal.game, deal.kind == WINNABLE)) or attempt.practice or not entries:
            continue
        line = Line.begin(GAMES[deal.game], start_table(deal))
        for entry in entries:
            line = line.after(entry)
        if line.outcome == "playing":
            continue
        times = list(attempt.entries.order_by("number").values_list("at", flat=True))
        gaps = [min(60.0, (later - earlier).total_seconds()) for earlier, later in pairwise(times)]
        home = sum(len(pile) for pile in line.at.table.piles[line.game.names.span["foundation"]])
        helped = "undo" in entries or "restart" in entries
        games.append((times[-1], attempt.pk, line.outcome, helped, home, sum(gaps)))
    games.sort()
    won = [game for game in games if game[2] == "won"]
    runs = "".join("w" if game[2] == "won" else "-" for game in games).split("-")
    times = sorted(game[5] for game in won)
    half = len(times) // 2
    return {
        "played": len(games),
        "won": len(won),
        "clean": len([game for game in won if not game[3]]),
        "average_home": sum(game[4] for game in games) / len(games),
        "best": times[0] if times else None,
        "median": None if not times else times[half] if len(times) % 2 else (times[half - 1] + times[half]) / 2,
        "streak": len(runs[-1]),
        "longest": max(map(len, runs)),
    }


@pytest.mark.parametrize("simulated", [500], indirect=True)
@pytest.mark.django_db
def test_figures_agree_with_an_independent_count(owner: User, simulated: list[tuple[Attempt, list[str]]]) -> None:
    call_command("check_logs")  # the rows say what their logs say
    everything, each = count(selectors.ended_games(owner), None)
    for sort, figures in {None: everything, **each}.items():
        told = recount(simulated, sort)
        assert {name: getattr(figures, name) for name in told} == pytest.approx(told), sort
    logs = [entries for _, entries in simulated]
    assert set(each) == {(slug, winnable) for slug in GAMES for winnable in (False, True)}
    assert everything.won > 50  # else the test would say little
    assert 0 < everything.clean < everything.won
    assert sum("finish" in entries[:-1] for entries in logs) > 10  # wins undone and won again


@pytest.mark.django_db
def test_periods_add_up_to_all(owner: User, simulated: list[tuple[Attempt, list[str]]]) -> None:
    for slug in ("", "flower-garden"):
        periods = selectors.periods(owner, slug)
        assert periods
        everything, each = count(selectors.ended_games(owner), periods, slug)
        whole = [figures for (game, _), figures in each.items() if slug in ("", game)]
        for name in ("played", "clean", "home"):
            in_periods = sum(getattr(figures, name) for figures in periods.figures.values())
            assert in_periods == sum(getattr(figures, name) for figures in whole)
            assert slug or in_periods == getattr(everything, name)


@pytest.mark.django_db
def test_a_win_undone_and_won_again_is_one_win(owner: User) -> None:
    attempt = services.start(player=owner, game="flower-garden", kind="winnable")
    entries = winning_entries(attempt.deal)
    log_of(attempt, [*entries, "undo", "redo", "undo", "finish"])
    figures, _ = count(selectors.ended_games(owner), None)
    assert (figures.played, figures.won, figures.clean) == (1, 1, 0)


@pytest.mark.django_db
def test_a_win_undone_is_no_game_yet(owner: User) -> None:
    attempt = services.start(player=owner, game="flower-garden", kind="winnable")
    log_of(attempt, [*winning_entries(attempt.deal), "undo"])
    figures, _ = count(selectors.ended_games(owner), None)
    assert figures.played == 0


@pytest.mark.parametrize(
    ("won", "played", "low", "high"),
    [(0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (5, 10, 0.2366, 0.7634), (1, 1, 0.2065, 1), (81, 263, 0.2553, 0.3662)],
)
def test_the_interval_is_wilsons(won: int, played: int, low: float, high: float) -> None:
    """Against the values that textbooks give."""
    assert wilson(won, played) == pytest.approx((low, high), abs=0.0005)


def test_the_finest_periods_that_show_all_are_taken() -> None:
    last = date(2026, 3, 31)
    for days, period in ((0, by_day), (12, by_day), (13, by_week), (90, by_week), (91, by_month), (5000, by_month)):
        periods = Periods(last - timedelta(days=days), last)
        assert periods.of is period
        assert len(periods.figures) <= 14
        assert list(periods.figures) == sorted(periods.figures)
        assert period(last) in periods.figures
        if days < 400:
            assert period(last - timedelta(days=days)) in periods.figures


def test_games_before_the_first_period_are_left_out_of_the_picture_only() -> None:
    long_ago = Ended("frog", "won", 0, 0, 104, 60, datetime(2020, 1, 1, tzinfo=UTC), winnable=False)
    periods = Periods(date(2020, 1, 1), date(2026, 3, 31))
    everything, _ = count([long_ago], periods)
    assert everything.played == 1
    assert not any(figures.played for figures in periods.figures.values())


@pytest.mark.django_db
def test_the_page_says_how_games_are_counted_and_stays_within_the_policy(
    as_owner: Client, simulated: list[tuple[Attempt, list[str]]], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for query in ("", "?game=frog", "?game=klondike"):
        with django_assert_max_num_queries(4):
            page = as_owner.get(f"/mine/statistics/{query}").content.decode()
        assert "A game counts from its first move" in page
        for said in ("Frog, winnable deals", "every deal can be won", "hardly any deal can be won"):
            assert said in page
        assert page.count('class="pygal-chart"') == 4
        assert "<style" not in page
        assert " style=" not in page
        assert "<desc" not in page
        assert all(" src=" in tag for tag in re.findall("<script[^>]*>", page))


@pytest.mark.django_db
def test_everybody_sees_their_own_figures_only(
    as_owner: Client, others: list[Client], simulated: list[tuple[Attempt, list[str]]]
) -> None:
    as_rival, as_stranger, nobody = others
    assert as_owner.get("/mine/statistics/").context["everything"]["figures"].played > 60
    assert 0 < as_rival.get("/mine/statistics/").context["everything"]["figures"].played <= OF_RIVAL
    assert "No game has ended yet" in as_stranger.get("/mine/statistics/").content.decode()
    assert nobody.get("/mine/statistics/").status_code == 302


def test_pictures_are_bare_drawings() -> None:
    drawn = pictures.line(["Jan 2026", "Feb 2026", "Mar 2026"], [30.5, None, 70], top=100)
    root = ElementTree.fromstring(drawn)
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not names & {"style", "script", "title", "desc", "image", "use", "a"}
    assert not any("style" in element.attrib or "id" in element.attrib for element in root.iter())
    assert drawn.count("<circle") == 2
    assert ">Jan 2026<" in drawn
