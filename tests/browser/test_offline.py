"""Without a network the browser shows a page of the site's own, and leads back when it is there again."""

from playwright.sync_api import Page, expect

READY = """async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));
}"""
KEPT = """async (wish) => {
    const kept = async () => (await caches.match("/offline/"))?.url ?? "";
    while (!(await kept()).includes(wish)) await new Promise((resolve) => setTimeout(resolve, 20));
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
    page.evaluate(KEPT, "lang=ru")
    page.context.set_offline(True)
    page.goto("/race/")
    expect(page.get_by_role("heading", name="Нет связи с сетью")).to_be_visible()


def test_without_a_network_too_the_page_is_in_the_colours_that_were_chosen(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/settings/")
    page.evaluate(READY)
    page.get_by_role("group", name="Colours", exact=True).get_by_label("Dark", exact=True).check()
    page.evaluate(KEPT, "theme=dark")
    night = page.locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor")
    page.context.set_offline(True)
    page.goto("/race/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.locator("body")).to_have_css("background-color", night)


def test_static_files_come_from_what_is_kept(page: Page) -> None:
    page.goto("/")
    page.evaluate(READY)
    page.reload()
    style = page.locator('link[href*="css/site"]').get_attribute("href")
    page.context.set_offline(True)
    assert page.evaluate("(style) => fetch(style).then((answer) => answer.ok)", style)
