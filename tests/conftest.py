"""The cast that all tests share, and what keeps tests apart from one another and from luck."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.cache import cache
from django.utils import translation
from pytest_django import Settings

from accounts.models import User
from games import doors
from games.shuffling import SYSTEM

ROOT = Path(__file__).parents[1]


def pytest_configure(config: pytest.Config) -> None:
    """Collect static files before any test, if they are not the newest: while it is done files vanish for a moment."""
    manifest = ROOT / "var/static/staticfiles.json"
    sources = max(file.stat().st_mtime for file in (ROOT / "static").rglob("*"))
    if not hasattr(config, "workerinput") and not (manifest.exists() and manifest.stat().st_mtime > sources):
        subprocess.run([sys.executable, "manage.py", "collectstatic", "--no-input", "-v0"], cwd=ROOT, check=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The services' tests first: they mostly wait, and should not be what is waited for in the end."""
    items.sort(key=lambda item: ROOT / "tests/services" not in item.path.parents)


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_user("owner")


@pytest.fixture
def rival(db: None) -> User:
    return User.objects.create_user("rival")


@pytest.fixture
def stranger(db: None) -> User:
    return User.objects.create_user("stranger")


@pytest.fixture(autouse=True)
def apart(settings: Settings) -> None:
    """Throttles start afresh, passwords cost nothing, and pages name static files as they are, uncollected."""
    cache.clear()
    doors.bucket.cache_clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture(autouse=True)
def in_english() -> None:
    """Whatever language the test before has left on."""
    translation.activate("en")


@pytest.fixture(autouse=True)
def the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test is dealt what it was dealt yesterday; how even the real shuffles are has tests of its own."""
    monkeypatch.setattr(SYSTEM, "sample", random.Random(0).sample)
