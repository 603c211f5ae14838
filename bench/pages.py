"""What a page weighs when a browser opens it for the first time: its HTML and every file that it asks for."""

import gzip
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin
from urllib.request import Request, urlopen

LIMIT = 150_000  # bytes
MODULES = re.compile(r"""^(?:import|export)\b[^;"'(]*["']([^"']+)["']""", re.MULTILINE)  # not what comments name
FETCHED = ("stylesheet", "icon", "preload", "modulepreload", "manifest")  # links that are no mere links
STYLE_FILES = re.compile(r"""url\(\s*["']?([^"')]+)""")


class Weight(NamedTuple):
    """Bytes over the wire, headers left out."""

    files: int
    sent: int
    unpacked: int


class _Asked(HTMLParser):
    """What a page has the browser fetch; where its links lead to does not count."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag != "a" and (tag != "link" or named.get("rel") in FETCHED):
            self.found.update(address for address in (named.get("src"), named.get("href")) if address)


def weight(address: str, cookie: str = "") -> Weight:
    """The weight of the page at this address, as the person with this cookie sees it."""
    weighed: dict[str, tuple[int, int]] = {}
    waiting = [address]
    while waiting:
        url = waiting.pop()
        if url not in weighed:
            sent, kind, body = _fetch(url, cookie)
            weighed[url] = sent, len(body)
            waiting += (urldefrag(urljoin(url, found)).url for found in _asked_by(kind, body))
    sent, unpacked = map(sum, zip(*weighed.values(), strict=True))
    return Weight(len(weighed), sent, unpacked)


def _fetch(url: str, cookie: str) -> tuple[int, str, bytes]:
    """How many bytes came, of what kind they are, and what they say."""
    headers = {"Accept-Encoding": "gzip", "Cookie": cookie}
    with urlopen(Request(url, headers=headers)) as response:
        body: bytes = response.read()
        packed = response.headers.get("Content-Encoding") == "gzip"
        return len(body), response.headers.get_content_type(), gzip.decompress(body) if packed else body


def _asked_by(kind: str, body: bytes) -> Iterator[str]:
    if kind == "text/css":
        yield from (found for found in STYLE_FILES.findall(body.decode()) if not found.startswith("data:"))
    elif kind == "text/javascript":
        yield from (found for found in MODULES.findall(body.decode()) if found.startswith((".", "/")))
    elif kind == "text/html":
        page = _Asked()
        page.feed(body.decode())
        yield from page.found
