"""What test_same_on_postgres.py has run with PostgreSQL in the place of SQLite, beside tests that others run too."""

import random
import re
import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import services
from games.deals.selectors import results as deal_results
from games.history import paging, selectors
from games.live import journal
from games.live.attempts import AttemptRecord
from games.models import Attempt, Deal
from games.selectors import open_attempts
from tests.games.history.test_list import INDEXES

pytestmark = pytest.mark.django_db

# Two games in turn; half of all attempts are the player's, half another's. Of ten, one is won and two go on.
FILL = """
INSERT INTO games_attempt (code, deal_id, game, player_id, number, version, outcome, closed, moves, home, undos,
    restarts, seconds, practice, created_at, started_at, touched_at, ended_at)
SELECT 'b' || lpad(row::text, 11, '0'), ids[1 + mod(row, 2)], games[1 + mod(row, 2)], (%s::int[])[1 + mod(row / 2, 2)],
    row, 40, CASE WHEN turn = 0 THEN 'won' WHEN turn < 3 THEN 'playing' ELSE 'given-up' END,
    false, 40, 40, 0, 0, 300, false, moment, moment, moment, CASE WHEN turn IN (1, 2) THEN NULL ELSE moment END
FROM (SELECT row, mod(row / 4, 10) AS turn, '2026-01-01'::timestamptz + row * '5 min'::interval AS moment
        FROM generate_series(1, 40000) AS row) AS rows,
    (SELECT array_agg(id ORDER BY id) AS ids, array_agg(game ORDER BY id) AS games FROM games_deal) AS deals
"""


@pytest.fixture
def grown(owner: User, rival: User) -> None:
    for game in ("frog", "fly"):
        Deal.objects.create(game=game, kind="shuffled", deck="any", nonce="any", commitment="any")
    with connection.cursor() as cursor:
        cursor.execute(FILL, [[owner.pk, rival.pk]])
        cursor.execute("ANALYZE games_attempt")


def plan_of(page: QuerySet[Attempt]) -> str:
    plan = page.explain()
    assert "Seq Scan" not in plan, plan
    assert "Sort" not in plan, plan
    return plan


@pytest.mark.usefixtures("grown")
def test_a_page_is_a_stretch_of_an_index(owner: User) -> None:
    mark = paging.Mark(datetime(2026, 3, 1, tzinfo=UTC), 7)
    for (game, outcome), indexes in INDEXES.items():
        for stretch, index in zip(selectors.history(owner, game=game, outcome=outcome), indexes, strict=True):
            for page in (paging.older(stretch, None), paging.older(stretch, mark), paging.newer(stretch, mark)):
                plan = plan_of(page)
                assert re.search(rf"Index Scan (Backward )?using {index} on games_attempt", plan), plan


@pytest.mark.usefixtures("grown")
def test_the_games_to_go_on_with_are_a_stretch_too(owner: User) -> None:
    assert "using attempt_going_on on games_attempt" in plan_of(open_attempts(owner)[:20])


@pytest.mark.usefixtures("grown")
def test_a_shared_replay_is_found_by_its_link() -> None:
    with CaptureQueriesContext(connection) as asked:
        selectors.shared_replay(AnonymousUser(), "nobodyslink")
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {asked[0]['sql']}")
        plan = str(cursor.fetchall())
    assert "using attempt_shared on games_attempt" in plan, plan
    assert "Seq Scan" not in plan, plan


def test_the_results_of_a_deal_are_a_stretch_in_their_order(owner: User, rival: User, grown: None) -> None:
    deal = Deal.objects.filter(nonce="any").earliest("id")
    places = plan_of(deal_results(deal)[:20])
    assert "using attempt_scored on games_attempt" in places


@pytest.fixture
def played(owner: User) -> None:
    """Twenty moves of a game, written as the journal does."""
    attempt = services.start(player=owner, game="frog", kind="shuffled")
    for number in range(1, 21):
        at = attempt.touched_at + timedelta(seconds=number)
        follow = AttemptRecord(attempt.pk, number, "stock>turned", at, False, "playing", False, number, 2, 0, 0, number)
        AttemptRecord.write([follow])


@pytest.mark.usefixtures("played")
def test_a_move_changes_no_index() -> None:
    """Where none follows, PostgreSQL writes the new row beside the old one, and that is half the work of a move."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_get_xact_tuples_hot_updated('games_attempt'::regclass)")
        [beside] = cursor.fetchone()
    assert beside >= 18  # now and then a page is full


@pytest.mark.usefixtures("played")
def test_the_order_of_a_move_is_planned_once() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT generic_plans FROM pg_prepared_statements WHERE statement LIKE '%games_attempt%'")
        [(moves,)] = cursor.fetchall()
    assert moves > 10


@pytest.mark.django_db(transaction=True)
def test_processes_that_write_to_the_same_games_never_wait_for_one_another_in_a_circle(owner: User) -> None:
    codes = [services.start(player=owner, game="frog", kind="shuffled").code for _ in range(12)]
    ended: list[str] = []

    def play() -> None:
        chance = random.Random()
        for _ in range(60):
            some = Attempt.objects.filter(code__in=chance.sample(codes, 8)).values_list("pk", "version", "touched_at")
            moves = [
                AttemptRecord(pk, version + 1, "stock>turned", at, False, "playing", False, 1, 2, 0, 0, 1.0)
                for pk, version, at in some
            ]
            chance.shuffle(moves)
            ended.append(type(journal._try(moves)).__name__)
        connection.close()

    threads = [threading.Thread(target=play) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(ended) == {"NoneType", "Conflict"}  # they did meet
    assert all(one.version == one.entries.count() for one in Attempt.objects.all())
