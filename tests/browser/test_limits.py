"""What the server itself refuses, before any code of ours sees it (the limit stands in bin/serve)."""

from playwright.sync_api import Page

SEND = """async (size) => {
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    const form = new URLSearchParams({ csrfmiddlewaretoken: token, game: "frog", kind: "" });
    const table = await fetch("/new/", { method: "POST", body: form });
    const socket = new WebSocket(`/ws${new URL(table.url).pathname}`);
    return new Promise((resolve) => {
        socket.onopen = () => socket.send("x".repeat(size));
        socket.onclose = (event) => resolve(event.code);
    });
}"""


def test_a_huge_message_ends_the_socket(page: Page) -> None:
    page.goto("/accounts/login/")
    assert page.evaluate(SEND, 4097) == 1006  # cut off, without the courtesy of a close frame
