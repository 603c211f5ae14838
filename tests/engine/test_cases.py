"""Every rule case agrees with the engine, through the very code that `manage.py check_cases` runs."""

from pathlib import Path

import msgspec
import pytest

from games.cases import differences, read_cases

CASES = Path(__file__).parent / "cases"
ALL = [
    pytest.param(case, id=f"{path.stem}-{number}")
    for path in sorted(CASES.glob("*.json"))
    for number, case in enumerate(read_cases(path), 1)
]


@pytest.mark.parametrize("case", ALL)
def test_case_agrees(case: msgspec.Raw) -> None:
    assert list(differences(case)) == []
