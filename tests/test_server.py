"""The server's own reading of short messages: what comes of them is what the library alone would make of it."""

from types import SimpleNamespace
from unittest.mock import Mock

from daphne import ws_protocol
from hypothesis import example, given, settings, strategies as st
from twisted.internet.testing import StringTransport

from config.server import Inbox, Protocol

KEYS = st.binary(min_size=4, max_size=4)
TEXTS = st.text(max_size=140) | st.text("ab{}:", max_size=140)


class Slow(Protocol):
    """As it would be without reading anything itself."""

    def _short_text(self, data: bytes) -> bytes | None:
        return None


def frame(opcode: int, payload: bytes, key: bytes, final: bool = True) -> bytes:
    length = bytes([0x80 | len(payload)]) if len(payload) < 126 else bytes([0x80 | 126]) + len(payload).to_bytes(2)
    masked = bytes(byte ^ key[place % 4] for place, byte in enumerate(payload))
    return bytes([opcode | 0x80 * final]) + length + key + masked


def text(words: str, key: bytes) -> bytes:
    return frame(1, words.encode(), key)


KEY = b"\x01\x02\x03\x04"
MOVE = text('{"type":"move"}', KEY)
LONG = text("a" * 140, b"\x01\x02\x13\x44")
PART = st.builds(lambda whole, end: whole[:end], st.builds(text, TEXTS, KEYS), st.integers(1, 150))
CHUNK = st.one_of(
    st.builds(text, TEXTS, KEYS),
    st.builds(frame, st.sampled_from([1, 1, 0, 2, 8, 9, 10, 3]), st.binary(max_size=60), KEYS, st.booleans()),
    PART,
    st.binary(min_size=1, max_size=20),
    st.just(MOVE),
    st.just(MOVE + MOVE),
)


def opened(kind: type[Protocol]) -> Protocol:
    """One that has just been let in, by no real network."""
    server = SimpleNamespace(log_action=lambda *_: None, protocol_disconnected=lambda _: None)
    factory = ws_protocol.WebSocketFactory(server)
    factory.protocol = kind
    one = factory.buildProtocol(None)
    one.transport = StringTransport()
    one._connectionMade()
    one.state, one.current_frame, one.inside_message = one.STATE_OPEN, None, False
    one.websocket_version, one.muted, one.client_addr, one.path = 13, False, None, "/"
    one.request = SimpleNamespace(path="/")
    one.application_queue, one.server = Inbox(), server
    one.registerProducer(one, True)
    return one


def heard(kind: type[Protocol], chunks: list[bytes]) -> tuple[list[object], bytes, int]:
    """What the application is told, what goes back over the wire, and how the socket stands then."""
    one = opened(kind)
    for chunk in chunks:
        one.dataReceived(chunk)
    return one.application_queue._messages, one.transport.value(), one.state


@settings(deadline=None)
@given(st.lists(CHUNK, max_size=6))
@example([frame(9, b"is it there?", KEY)[:8], MOVE])  # what belongs to a ping
@example([frame(1, b"of two", KEY, final=False), MOVE])  # what should be the rest of a message
@example([MOVE[:1], MOVE, MOVE[:20], MOVE])  # the beginning of a frame
@example([LONG[:132], LONG[132:], MOVE])  # its second byte would be the length of a whole one
@example([frame(1, b"\xc3(", KEY), MOVE])  # no text at all
@example([text("Дама", KEY), text("q" * 126, KEY), text("", KEY), MOVE])
@example([frame(8, b"\x03\xe8", KEY), MOVE])  # said after the good-bye
def test_what_is_read_at_once_is_what_the_library_would_read(chunks: list[bytes]) -> None:
    assert heard(Protocol, chunks) == heard(Slow, chunks)


def test_a_short_text_is_read_at_once() -> None:
    one = opened(Protocol)
    one._dataReceived = None
    one.dataReceived(MOVE)
    assert one.application_queue._messages == [{"type": "websocket.receive", "text": '{"type":"move"}'}]


def test_what_is_said_counts_as_an_answer_to_whether_anybody_is_there() -> None:
    one = opened(Protocol)
    asked = one.autoPingTimeoutCall = Mock()
    one.dataReceived(MOVE)
    asked.cancel.assert_called_once_with()
    assert one.autoPingTimeoutCall is None
