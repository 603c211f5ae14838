"""The picture on the page of results: moves a second of the site, of its rivals and of a bare echo, drawn by Pygal."""

import re
import sys
from pathlib import Path

import pygal

# Pygal hooks itself into imports to find plugins for maps; Python 3.11 warns of the hook at every later import.
sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, pygal.PluginImportFixer)]

PICTURE = Path("pictures") / "performance.svg"  # beside the page
_COLOURS = {"whole path": "#2e7d32", "naive": "#b0bec5", "echo": "#90caf9", "boardgame.io": "#ffb74d"}
_STYLE = pygal.style.Style(background="#fff", plot_background="#fff", colors=tuple(_COLOURS.values()))


def draw(page: Path) -> None:
    """Draw what the tables of the page say; of what they do not say nothing is drawn."""
    bars: dict[str, dict[str, float]] = {}
    for title, head, rows in _tables(page.read_text()):
        for row in rows if title.startswith(("Moves a second", "boardgame.io")) else ():
            figures = dict(zip(head, row, strict=True))
            place = "PostgreSQL and Redis" if "PostgreSQL" in title else "SQLite"
            label = "boardgame.io" if "boardgame" in title else place
            bars.setdefault(f"{label}, {figures['sockets']} sockets", {}).update(
                {name: float(figures[name].replace(",", "")) for name in _COLOURS if name in figures}
            )
    chart = pygal.HorizontalBar(
        width=860, height=80 + 90 * len(bars), title="Moves a second", style=_STYLE, js=[], legend_at_bottom=True,
        print_values=True, disable_xml_declaration=True, truncate_label=-1, formatter=lambda value: f"{value:,.0f}",
    )  # fmt: skip
    chart.x_labels = list(bars)
    for name in _COLOURS:
        chart.add(name, [found.get(name) for found in bars.values()])
    drawn = re.sub(r"<!--.*?-->|<script.*?</script>", "", chart.render(is_unicode=True), flags=re.DOTALL)
    (page.parent / PICTURE).write_text(re.sub(r"chart-[0-9a-f-]{36}", "chart", drawn))  # else it differs every time


def _tables(text: str) -> list[tuple[str, list[str], list[list[str]]]]:
    """Title, head and rows of each table of a page."""
    found = []
    for title, table in re.findall(r"^### (.*)\n\n((?:\|.*\n)+)", text, re.MULTILINE):
        head, _, *rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in table.splitlines()]
        found.append((title, head, rows))
    return found
