"""What a page of one's games costs with a thousand attempts and with a million. By itself: `python -m bench.history`.

The million may cost a little more, as the index is a level or two deeper; a scan would cost a thousand times as much.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from statistics import median

import django

django.setup()

from django.db import connection, transaction  # noqa: E402  models can be imported from here on

from accounts.models import User  # noqa: E402
from bench import growth, site  # noqa: E402
from games.history import paging, selectors  # noqa: E402
from games.models import Attempt, Deal  # noqa: E402

SIZES = (1_000, 1_000_000)
PAGES = 200  # measured of each kind

# All of one player's, the worst that can be. The games come in turn; of 20 attempts at each one is won and two go on.
_FILL = """
WITH RECURSIVE row(number) AS (SELECT %(first)s UNION ALL SELECT number + 1 FROM row WHERE number < %(last)s)
INSERT INTO games_attempt (code, deal_id, game, player_id, number, version, outcome, closed, moves, home, undos,
    restarts, seconds, practice, created_at, started_at, touched_at, ended_at)
SELECT printf('b%%011d', number), deal.id, deal.game, %(player)s, number, 40,
    CASE WHEN number / 8 %% 20 = 0 THEN 'won' WHEN number / 8 %% 20 < 3 THEN 'playing' ELSE 'given-up' END,
    0, 40, 40, 0, 0, 300, 0, moment, moment, moment, CASE WHEN number / 8 %% 20 IN (1, 2) THEN NULL ELSE moment END
FROM (SELECT number, strftime('%%Y-%%m-%%d %%H:%%M:%%S', 1000000000 + 300 * number, 'unixepoch') AS moment FROM row)
JOIN (SELECT id, game, row_number() OVER (ORDER BY id) - 1 AS place FROM games_deal WHERE nonce = 'bench') AS deal
    ON deal.place = number %% 8
"""

# One entry each, so that the log grows with them.
_LOG = """
INSERT INTO games_entry (attempt_id, number, text, at)
SELECT id, 1, 'stock>turned', touched_at FROM games_attempt
WHERE player_id = %(player)s AND number BETWEEN %(first)s AND %(last)s
"""

Pages = Mapping[str, Callable[[], paging.Page[Attempt]]]


def costs(sizes: tuple[int, ...] = SIZES) -> tuple[dict[str, dict[int, float]], dict[int, tuple[float, float]]]:
    """Milliseconds of each kind of page at each size, the middle of many, and of moves. Leaves its rows behind."""
    player = User.objects.create_user("historian")
    for game in site.recorded():
        Deal.objects.create(game=game.slug, kind="shuffled", deck=game.deck, nonce="bench", commitment="bench")
    found: dict[str, dict[int, float]] = {}
    moves = {}
    for before, size in zip((0, *sizes), sizes, strict=False):
        with transaction.atomic(), connection.cursor() as cursor:
            rows = {"first": before + 1, "last": size, "player": player.pk}
            cursor.execute(_FILL, rows)
            cursor.execute(_LOG, rows)
        for name, page in _pages(player).items():
            found.setdefault(name, {})[size] = _milliseconds(page)
        moves[size] = growth.costs(User.objects.create_user(f"mover{size}"))
    return found, moves


def _pages(player: User) -> Pages:
    everything = selectors.history(player)
    played = Attempt.objects.filter(player=player)
    middle = played.get(number=played.count() // 2)
    mark = paging.Mark(middle.touched_at, middle.pk)
    return {
        "the first page": lambda: paging.page(everything),
        "a page from the middle": lambda: paging.page(everything, before=mark),
        "back from the middle": lambda: paging.page(everything, after=mark),
        "one game, from the middle": lambda: paging.page(selectors.history(player, game="frog"), before=mark),
        "one result, from the middle": lambda: paging.page(selectors.history(player, outcome="won"), before=mark),
        "one game and result": lambda: paging.page(selectors.history(player, game="dicks-frog", outcome="won")),
        "a result that a game never had": lambda: paging.page(
            selectors.history(player, game="frog", outcome="stuck", until=middle.touched_at.date())
        ),
    }


def _milliseconds(page: Callable[[], paging.Page[Attempt]]) -> float:
    times = []
    for _ in range(PAGES):
        began = time.perf_counter()
        page()
        times.append(1000 * (time.perf_counter() - began))
    return median(times)


def lines(found: Mapping[str, Mapping[int, float]]) -> Iterator[tuple[str, ...]]:
    """Rows of a table: the page, the ratio of the largest size to the smallest, the milliseconds of each."""
    for name, times in found.items():
        few, *_, many = times.values()
        yield name, f"**{many / few:.2f}**", *(f"{cost:.2f}" for cost in times.values())


def head(sizes: tuple[int, ...] = SIZES) -> tuple[str, ...]:
    """The head of that table."""
    return "page", f"{sizes[-1]:,} : {sizes[0]:,}", *(f"{size:,} rows, ms" for size in sizes)


if __name__ == "__main__":
    sys.stdout.writelines(" | ".join(row) + "\n" for row in (head(), *lines(costs()[0])))
