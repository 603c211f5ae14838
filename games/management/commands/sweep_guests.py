"""Deletes guests who have long not played and never finished a game or a race. Run it once a day."""

from argparse import ArgumentParser
from datetime import timedelta

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.data.leaving import sweep


class Command(BaseCommand):
    """manage.py sweep_guests"""

    help = "Delete guests idle for 90 days without a finished game or race, with what nobody else has a part in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the number of days."""
        parser.add_argument("--days", type=int, default=90, help="without play, 90 unless said")

    def handle(self, *, days: int, **_options: object) -> None:
        """Sweep, and say how many went."""
        swept = sweep(since=timezone.now() - timedelta(days=days))
        self.stdout.write(f"{swept} guests swept.")
