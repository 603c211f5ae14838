"""Deals that some of the cast have played to the end."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import services
from games.models import Attempt, Deal

Ended = Callable[..., Attempt]


@pytest.fixture
def deal(owner: User) -> Deal:
    """A Frog that the owner dealt and has open."""
    return services.start(player=owner, game="frog", kind="shuffled").deal


@pytest.fixture
def ended() -> Ended:
    """An attempt that ended: won, unless said otherwise."""

    def make(player: User | None, deal: Deal, at: datetime | None = None, **figures: Any) -> Attempt:
        at = at or timezone.now()
        usual = {"outcome": "won", "home": 104, "moves": 130, "seconds": 600.0, "version": 1, "number": 1}
        times = {"started_at": at, "ended_at": at}
        return Attempt.objects.create(player=player, deal=deal, game=deal.game, **(usual | times | figures))

    return make


def _client(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def as_owner(owner: User) -> Client:
    return _client(owner)


@pytest.fixture
def as_rival(rival: User) -> Client:
    return _client(rival)


@pytest.fixture
def as_stranger(stranger: User) -> Client:
    return _client(stranger)
