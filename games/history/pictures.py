"""Statistics over time as SVG within the page, drawn by Pygal. Its colours are the page's (static/css/history.css)."""

import sys
from collections.abc import Callable, Sequence
from datetime import date
from xml.etree.ElementTree import Element

import pygal
from django.utils.formats import date_format, number_format
from django.utils.safestring import SafeString, mark_safe

from games.history.statistics import Period, by_month

# Pygal hooks itself into imports to find plugins for maps; Python 3.11 warns of the hook at every later import.
sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, pygal.PluginImportFixer)]

WIDTH, HEIGHT = 420, 230
_NOT_OURS = {"style", "script", "desc", "title"}  # the page's policy forbids the first two; the page names it itself


def label(period: Period, start: date) -> str:
    """A period's name: Nov 2026, or its first day."""
    return date_format(start, "M Y" if period is by_month else "MONTH_DAY_FORMAT")


def bars(labels: Sequence[str], series: Sequence[Sequence[float | None]], top: float | None = None) -> SafeString:
    """Stacked bars, the first series at the bottom."""
    return _draw(pygal.StackedBar, labels, series, top)


def line(
    labels: Sequence[str],
    values: Sequence[float | None],
    top: float | None = None,
    write: Callable[[float], str] | None = None,
) -> SafeString:
    """Dots joined by a line, which stops where a period has no value."""
    return _draw(pygal.Line, labels, [values], top, write)


def _draw(
    kind: type[pygal.Graph],
    labels: Sequence[str],
    series: Sequence[Sequence[float | None]],
    top: float | None,
    write: Callable[[float], str] | None = None,
) -> SafeString:
    chart = kind(
        width=WIDTH,
        height=HEIGHT,
        margin=8,
        spacing=6,
        show_legend=False,
        allow_interruptions=True,
        x_labels_major_count=4,
        show_minor_x_labels=False,
        range=(0, top or max((sum(filter(None, column)) for column in zip(*series, strict=True)), default=0) or 1),
        truncate_label=-1,
        max_scale=6,
        dots_size=4,
        formatter=write or (lambda value: number_format(f"{value:g}")),
        disable_xml_declaration=True,
        js=[],
        css=[],
    )
    chart.x_labels = list(labels)
    for values in series:
        chart.add("", list(values))
    chart.add_xml_filter(_bare)
    drawn: str = chart.render(is_unicode=True)
    return mark_safe(drawn)  # noqa: S308  made of numbers and dates of ours


def _bare(root: Element) -> Element:
    """The drawing alone, to stand in a page: its text for those who do not see it is the table beside it."""
    root.attrib.pop("id", None)
    root.set("aria-hidden", "true")
    for parent in list(root.iter()):
        for child in list(parent):
            if not isinstance(child.tag, str) or child.tag in _NOT_OURS or "tooltip-overlay" in child.get("class", ""):
                parent.remove(child)
    return root
