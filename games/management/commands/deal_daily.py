"""Deals today's and tomorrow's daily deals where they are missing: to be run once a day, and harmless more often."""

from django.core.management.base import BaseCommand

from games.deals import services


class Command(BaseCommand):
    """manage.py deal_daily"""

    help = "Deal the daily deals of today and tomorrow (by UTC) unless they are there."

    def handle(self, **_options: object) -> None:
        """Deal what is missing."""
        services.deal_daily()
