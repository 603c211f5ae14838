"""The end of a websocket that a test holds. Whatever it waits for may take as long as a busy machine needs."""

from typing import Any

from channels.testing import WebsocketCommunicator

PATIENCE = 20.0  # seconds; those of Channels give up after one


class Wire(WebsocketCommunicator):
    """As Channels' own, with more patience."""

    async def connect(self, timeout: float = PATIENCE) -> tuple[bool, Any]:
        """Whether it is let in, and the subprotocol or the code of its end."""
        answer: tuple[bool, Any] = await super().connect(timeout)
        return answer

    async def receive_output(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next event that the application sends."""
        event: dict[str, Any] = await super().receive_output(timeout)
        return event

    async def receive_from(self, timeout: float = PATIENCE) -> str:
        """The next message, text in all that we send."""
        text: str = await super().receive_from(timeout)
        return text

    async def disconnect(self, code: int = 1000, timeout: float = PATIENCE) -> None:
        """Close it, and wait until the application is done with it."""
        await super().disconnect(code, timeout)

    async def wait(self, timeout: float = PATIENCE) -> None:
        """Wait until the application is done."""
        await super().wait(timeout)
