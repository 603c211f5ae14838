"""Which pictures the documentation shows, and docs/pictures.md, the page that shows them, which this writes."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple, get_args

from pictures.camera import Scheme, Size

PAGE = Path(__file__).parents[1] / "docs" / "pictures.md"
FOLDER = PAGE.with_suffix("")
SIZES = {"phone": Size(360, 740), "tablet": Size(768, 1024), "desk": Size(1440, 900)}
LANGUAGES = ("en", "de", "ru")
HEAD = """# What it looks like

`bin/pictures` plays recorded games, takes these pictures and writes this page. `bin/pictures --all FOLDER` takes each
scene in three sizes, by day and by night, in three languages."""


class Shot(NamedTuple):
    """A picture to be taken of a scene, and what to say about it. `look` is written as accounts/look.py keeps it."""

    scene: str
    size: str
    scheme: Scheme
    language: str
    caption: str = ""
    look: str = ""

    @property
    def file(self) -> str:
        """Its name in a folder of pictures."""
        return f"{self.scene}-{self.size}-{self.scheme}-{self.language}.webp"


CHOSEN = (
    Shot("frog-middle", "desk", "light", "en", "Frog, when its piles are longest"),
    Shot("race-middle", "desk", "light", "en", "A race: one's own garden, and how far both sides are"),
    Shot("american-toad-middle", "desk", "dark", "de", "American Toad by night, in German"),
    Shot("flower-garden-start", "desk", "light", "ru", "Flower Garden on paper, in Russian", "table:paper"),
    Shot("fanny-middle", "phone", "light", "de", "Fanny on a phone"),
    Shot("flower-garden-middle", "phone", "dark", "ru", "Flower Garden on a phone, by night"),
    Shot("american-toad-middle", "phone", "light", "en", "Large print and four colours", "face:large.suits:four"),
    Shot("race-middle", "phone", "dark", "de", "A race on a phone"),
    Shot("le-crapaud-end", "tablet", "light", "ru", "Le Crapaud is won"),
    Shot("american-toad-start", "tablet", "dark", "en", "American Toad on paper, by night", "table:paper"),
    Shot("lobby", "desk", "light", "en", "The lobby"),
    Shot("rules", "tablet", "dark", "de", "A page of rules; the worked example can be played on from"),
    Shot("settings", "phone", "light", "ru", "Settings, each shown at once"),
    Shot("history", "tablet", "light", "de", "What one has played"),
    Shot("race-replay", "desk", "dark", "en", "The replay of a race, both gardens on one clock"),
    Shot("nowhere", "phone", "dark", "ru", "A page that is not there"),
)


def of(scene: str) -> Iterator[Shot]:
    """The chosen pictures of a scene."""
    return (shot for shot in CHOSEN if shot.scene == scene)


def everything(scene: str) -> Iterator[Shot]:
    """A scene in all languages, colours and sizes; a language's stand together."""
    for language, scheme, size in product(LANGUAGES, get_args(Scheme), SIZES):
        yield Shot(scene, size, scheme, language)


def write_page() -> None:
    """Show the chosen pictures, each with what it is."""
    lines = [HEAD]
    for shot in CHOSEN:
        width, height = SIZES[shot.size]
        lines += ["", f"## {shot.caption}", "", f"![{shot.caption}]({FOLDER.name}/{shot.file})", ""]
        lines.append(f"`{shot.scene}`, {width} × {height}, {shot.scheme}, `{shot.language}`")
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
