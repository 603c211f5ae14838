"""Runs files of rule cases and names every difference."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from games.cases import differences, read_cases
from games.engine.cards import BadText


class Command(BaseCommand):
    """manage.py check_cases FILE…"""

    help = "Run files of rule cases: name every difference (file, case, step; counted from 1), exit 1 if there is one."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the files."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *, files: list[Path], **_options: object) -> None:
        """Run every case, whatever came out before."""
        self.cases = 0
        found = [f"{path}: {what}" for path in files for what in self._differences(path)]
        for what in found:
            self.stdout.write(what)
        ran = f"{self.cases} cases in {len(files)} files"
        if found:
            raise CommandError(f"{len(found)} differences, {ran}.")
        self.stdout.write(f"{ran}, no difference.")

    def _differences(self, path: Path) -> Iterator[str]:
        try:
            cases = read_cases(path)
        except BadText as error:
            yield str(error)
            return
        for number, case in enumerate(cases, 1):
            self.cases += 1
            yield from (f"case {number}: {what}" for what in differences(case))
