"""The wins on a sign: pending until a badge confirms, withdrawn with the claim, the highest level first."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.house import FLOOR
from tests.browser.visitor import Tabs
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import PIN, House

#: What the announcement shows, and since when on the sign's clock.
_RECORD = """() => {
  window.shown = [];
  const box = document.getElementById("win"), text = id => document.getElementById(id).textContent;
  new MutationObserver(() => {
    const says = box.hidden ? "" : `${text("win-flag")} ${text("win-level")}`;
    if (window.shown.at(-1)?.[0] !== says) window.shown.push([says, performance.now()]);
  }).observe(box, {attributes: true, childList: true, subtree: true, characterData: true});
}"""


@pytest.fixture(scope="module")
def at_claim(server: EmbeddedPostgres) -> Iterator[House]:
    """The example card room, whose amounts leave the meter at the claim."""
    for house in serve(server, new_books(server, "sign_wins")):
        text = FLOOR.read_text(encoding="utf-8")
        changed = text.replace('lock_at = "confirm"', 'lock_at = "claim"\napproval = "as approved"')
        house.open_floor(changed, "five-card", "dragon-1", "sevens")
        yield house


@pytest.fixture
def look(at_claim: House, chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Open a sign whose clock a test can advance."""
    tabs = Tabs(chromium, at_claim)

    def opened(path: str = "/signs/five-card", *, quiet: bool = True) -> Page:
        page = tabs.open(screen="desk")
        page.clock.install()
        page.goto(path)
        if quiet:  # the wins of other tests have been shown
            later(page, 200)
            expect(page.locator("#win")).to_be_hidden()
        return page

    with tabs:
        yield opened


def claim(house: House, table: str, hand: str, seat: int = 1) -> str:
    house.start("five-card", table, (1, 2, 3))
    return house.claim("five-card", table, seat, hand)


def confirm(house: House, award: str, link: str = "five-card") -> None:
    table = award.partition(":")[0]
    view = house.get("dana", f"/api/v1/links/{link}/awards/{award}")
    badges = [{"badge": f"B-{person}", "pin": PIN} for person in ("sam", "eve")]
    body = {"badges": badges, "amount": view["hit_amount"], "cards": house.cards_needed(link, view)}
    answer = house.post("dana", f"/api/v1/links/{link}/awards/{award}/confirm", body)
    assert answer.status_code == 200, answer.text
    house.end(link, table)


def withdraw(house: House, award: str) -> None:
    body = {"reason": "wrong button", "shown": {"badge": "B-sam", "pin": PIN}}
    house.done("sam", f"/api/v1/links/five-card/awards/{award}/void", body)
    house.end("five-card", award.partition(":")[0])


def later(page: Page, seconds: int) -> None:
    """Let time pass on the sign, event by event, so that its stream goes on."""
    page.clock.run_for(seconds * 1_000)


@pytest.mark.requirement("LT-02", "LT-03")
def test_a_hit_is_pending_until_it_is_withdrawn_or_a_badge_confirms_it(
    at_claim: House, look: Callable[..., Page]
) -> None:
    page = look()
    award = claim(at_claim, "H2", "straight_flush")
    expect(page.locator("#win-flag")).to_have_text("Hit pending")
    withdraw(at_claim, award)
    expect(page.locator("#win")).to_be_hidden()
    expect(page.locator('[data-level="major"] [data-note]')).not_to_contain_text("H2")
    award = claim(at_claim, "H1", "four_of_a_kind", seat=2)
    expect(page.locator("#win-flag")).to_have_text("Hit pending")
    expect(page.locator("#win-again")).to_have_text("The hand is being verified.")
    expect(page.locator("#win-where")).to_have_text("Four of a Kind at table H1, seat 2")
    expect(page.locator('[data-level="minor"] [data-note]')).to_have_text("Hit pending at table H1")
    text = page.inner_text("main").lower()
    assert "winner" not in text
    assert "won at" not in text
    later(page, 21)
    expect(page.locator("#win")).to_be_hidden()  # the meters are in view again, the note stays
    expect(page.locator('[data-level="minor"] [data-note]')).to_have_text("Hit pending at table H1")
    confirm(at_claim, award)
    expect(page.locator("#win-flag")).to_have_text("Winner")
    expect(page.locator('[data-level="minor"] [data-note]')).to_contain_text("Won at table H1: $")


def test_a_minor_never_covers_a_mega_and_each_is_shown_for_twenty_seconds(
    at_claim: House, look: Callable[..., Page]
) -> None:
    page = look()
    page.evaluate(_RECORD)
    awards = [
        claim(at_claim, table, hand)
        for table, hand in (("C1", "four_of_a_kind"), ("C2", "royal_flush"), ("C3", "straight_flush"))
    ]
    expect(page.locator("#win-level")).to_have_text("mega", timeout=8_000)  # it does not wait for the Minor
    for award in awards:
        confirm(at_claim, award)
    for level, table in (("minor", "C1"), ("mega", "C2"), ("major", "C3")):  # time passes faster than news
        expect(page.locator(f'[data-level="{level}"] [data-note]')).to_contain_text(f"Won at table {table}")
    later(page, 70)
    notices: list[tuple[str, float]] = page.evaluate("window.shown")
    won = notices[-4:]
    assert [notice[0] for notice in won] == ["Winner mega", "Winner major", "Winner minor", ""], notices
    starts = [at for _, at in won]
    assert all(after - at > 19_990 for at, after in pairwise(starts)), notices
    expect(page.locator("#win")).to_be_hidden()


def test_a_sign_that_is_opened_just_after_a_win_still_shows_it(
    at_claim: House, look: Callable[..., Page]
) -> None:
    at_claim.start("sevens", "B1", (1, 2, 3))
    confirm(at_claim, at_claim.claim("sevens", "B1", 3, "three_7s_diamonds"), "sevens")
    page = look("/signs/sevens", quiet=False)
    expect(page.locator("#win-flag")).to_have_text("Winner")
    expect(page.locator("#win-where")).to_have_text("Three 7's - Diamonds at table B1, seat 3")


@pytest.mark.requirement("LT-08")
def test_a_shared_win_names_every_seat(at_claim: House, look: Callable[..., Page]) -> None:
    page = look("/signs/dragon-1")
    at_claim.start("dragon-1", "M1", (1, 3, 5, 6))
    pressed = {"seat": 3, "hand": "suited_six_card_win_by_9"}
    award = at_claim.done("dana", "/api/v1/links/dragon-1/tables/M1/hand", pressed)["award"]
    expect(page.locator("#win-where")).to_have_text(
        "Suited 6 Card Win by 9 at table M1, shared by seats 1, 3, 5, and 6"
    )
    expect(page.locator("#win-flag")).to_have_text("Hit pending")
    confirm(at_claim, award, "dragon-1")
    expect(page.locator("#win-flag")).to_have_text("Winner")
    expect(page.locator("#win-again")).to_contain_text(" each")
