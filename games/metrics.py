"""What this process has counted of play since it began, for whoever runs the site. No person, card or code is in it.

Who reads it, and where, is for `config` to say; docs/operations.md tells what each figure means.
"""

from functools import cache

from prometheus_client import Counter, Gauge, Histogram

RACE = "race"  # where a slug of a game would stand, as for a table

_moves = Counter("lilypad_moves", "Entries that players made and the log took.", ["game"])
moves = cache(_moves.labels)  # by game or RACE; to find its counter anew would cost a move more than to count
refusals = Counter("lilypad_refusals", "Requests that changed nothing.", ["game", "reason"])
sockets = Gauge("lilypad_sockets", "Websockets open now.")
closings = Counter("lilypad_sockets_closed", "Websockets that the server ended.", ["code"])

commit_seconds = Histogram(
    "lilypad_commit_seconds",
    "How long one commit of the journal took.",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
batch_entries = Histogram(
    "lilypad_batch_entries",
    "How many entries one commit of the journal took.",
    buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
)

races_started = Counter("lilypad_races_started", "Rounds that began.")
races_ended = Counter("lilypad_races_ended", "Rounds that are over.", ["reason"])
races_going_on = Gauge("lilypad_races_going_on", "Rounds that somebody of this process is at, and that go on.")
