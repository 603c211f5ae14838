"""Without a network the browser shows a page of the site's own, and leads back when it is there again."""

from playwright.sync_api import Page, expect

READY = """async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));
}"""
SPOKEN = """async (language) => {
    const spoken = async () => (await caches.match("/offline/"))?.headers.get("Content-Language");
    while ((await spoken()) !== language) await new Promise((resolve) => setTimeout(resolve, 20));
}"""


def test_a_page_without_a_network_says_so_and_leads_back(page: Page) -> None:
    page.goto("/")
    page.evaluate(READY)
    page.context.set_offline(True)
    page.goto("/race/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Two gardens, one clock")).to_be_visible()


def test_without_a_network_too_the_page_is_in_the_language_that_was_chosen(page: Page) -> None:
    page.goto("/")
    page.evaluate(READY)
    page.get_by_role("button", name="Русский").click()
    page.evaluate(SPOKEN, "ru")
    page.context.set_offline(True)
    page.goto("/race/")
    expect(page.get_by_role("heading", name="Нет связи с сетью")).to_be_visible()


def test_static_files_come_from_what_is_kept(page: Page) -> None:
    page.goto("/")
    page.evaluate(READY)
    page.reload()
    style = page.locator('link[href*="css/site"]').get_attribute("href")
    page.context.set_offline(True)
    assert page.evaluate("(style) => fetch(style).then((answer) => answer.ok)", style)
