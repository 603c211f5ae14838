"""What the documentation leads to is there: files that it names, and pages that it links to."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = "accounts|bench|bin|config|deploy|docs|games|static|templates|tests"
FILE = re.compile(rf"(?<![\w/.-])(?:{FOLDERS})/[\w./@-]+\w(?![\w<*])")
KINDS = (".conf", ".css", ".html", ".js", ".json", ".md", ".py")
LINK = re.compile(r"\]\((?!\w+:)([^)#]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_names_and_links_what_is_there(page: Path) -> None:
    text = page.read_text()
    named = [ROOT / name for name in FILE.findall(text)]
    linked = [page.parent / link for link in LINK.findall(text)]
    assert [str(path) for path in (*named, *linked) if not is_there(path)] == []


def is_there(path: Path) -> bool:
    """A decision may be named by its number, and what a module holds with the module."""
    return path.exists() or (path.suffix not in KINDS and any(path.parent.glob(f"{path.stem}*")))
