"""The board on a rules page: stepped through, told in words, and played on from."""

from playwright.sync_api import Page, expect


def test_the_example_is_stepped_through_and_played_on(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto("/rules/frog/")
    example = page.locator("#example")
    told = example.locator("[role=status]")
    expect(told).to_have_text("Step 0 of 15.")
    for _ in range(2):
        example.get_by_role("button", name="Forward").click()
    expect(told).to_have_text("2 of clubs from turned card to foundation 1; 2 cards home.")
    example.get_by_role("button", name="Play on from here").click()
    expect(page.locator(".tally-line [data-fill=count]")).to_have_text("2")
    expect(page.locator('[data-pile="foundation1"] .card').last).to_have_accessible_name(
        "2 of clubs, top of foundation 1, 2 cards"
    )
