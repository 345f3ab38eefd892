"""The sign: it climbs between true values, goes back only for an announced reset."""

import time

import pytest
from playwright.sync_api import Page, expect

from feltwork.money import DOLLAR
from tests.browser.conftest import Visit
from tests.browser.house import POSTED
from tests.browser.visitor import SIZES
from tests.web.house import House

_RECORD = """level => {
  const meter = document.querySelector(`[data-level="${level}"]`);
  window.seen = [Number(meter.dataset.shown)];
  new MutationObserver(() => window.seen.push(Number(meter.dataset.shown)))
    .observe(meter, {attributes: true, attributeFilter: ["data-shown"]});
}"""

#: What the reels show when they stand: every one on a whole digit, and together the amount in cents.
_READS = """amount => {
  const marks = [...document.querySelector("[data-odometer]").children];
  const digit = mark => {
    const [strip, reel] = [mark.firstElementChild, mark].map(one => one.getBoundingClientRect());
    return String(Math.round((reel.top - strip.top) / reel.height * 1000) / 1000);
  };
  const read = mark => mark.className.includes("reel") ? digit(mark) : mark.textContent;
  return marks.map(read).join("") === amount;
}"""


def meter(house: House, link: str, level: str) -> int:
    amount: int = house.get("otto", f"/api/v1/links/{link}")["meters"][level]["meter"]
    return amount


def wait_for(page: Page, level: str, amount: int) -> None:
    page.wait_for_function(
        "([shown, amount]) => Number(document.querySelector(shown).dataset.shown) === amount",
        arg=[f'[data-level="{level}"]', amount],
    )


@pytest.mark.requirement("GEN-14", "WA-02")
def test_the_odometer_climbs_smoothly_and_never_exceeds_the_truth(house: House, visit: Visit) -> None:
    page = visit("/signs/dragon-2", screen="desk")
    before = meter(house, "dragon-2", "jackpot")
    page.evaluate(_RECORD, "jackpot")
    house.start("dragon-2", "M2", (1, 2, 3, 4))
    house.end("dragon-2", "M2")
    after = meter(house, "dragon-2", "jackpot")
    wait_for(page, "jackpot", after)
    amounts: list[int] = page.evaluate("window.seen")
    assert amounts == sorted(amounts)
    assert amounts[0] == before
    assert max(amounts) == after
    assert len(set(amounts)) > 10, "it steps, it does not jump"
    page.wait_for_function(_READS, arg=f"${after // 1_000_000:,}.{after // 10_000 % 100:02d}")


@pytest.mark.requirement("GEN-12")
def test_it_goes_back_only_for_an_announced_reset(house: House, visit: Visit) -> None:
    page = visit("/signs/dragon-2", screen="wall")
    house.start("dragon-2", "M2", (1, 2, 3, 4))
    top = meter(house, "dragon-2", "jackpot")
    wait_for(page, "jackpot", top)
    house.done("sam", "/api/v1/tables/M2/misdeal?link=dragon-2", {"reason": "a card short"})
    after = meter(house, "dragon-2", "jackpot")
    assert after < top
    wait_for(page, "jackpot", after)
    expect(page.locator("[data-note]")).to_have_text("New amount: the wagers of a voided round were returned")


@pytest.mark.requirement("WA-07")
def test_every_table_of_a_link_shows_the_same_amount_at_once(house: House, visit: Visit) -> None:
    pages = [visit(f"/dealer/sevens/{table}", person="dana", screen="table") for table in ("B5", "B6")]
    house.start("sevens", "B5", (1, 2, 3))
    booked = time.monotonic()
    cents = meter(house, "sevens", "mega") // 10_000
    amount = f"${cents // 100:,}.{cents % 100:02d}"
    for page in pages:
        expect(page.locator('[data-meter="sevens/mega"]')).to_have_text(amount, timeout=3_000)
    assert time.monotonic() - booked < 3
    house.end("sevens", "B5")


@pytest.mark.requirement("WA-02")
def test_a_house_jackpot_stands_still_with_both_disclosures(house: House, visit: Visit) -> None:
    page = visit(f"/signs/{POSTED}", screen="wall")
    expect(page.locator(".amount")).to_have_text("$2,500.00")
    expect(page.locator(".notices")).to_contain_text("no player money funds it")
    expect(page.locator(".notices")).to_contain_text("may be removed without notice")
    assert page.locator(".odometer").count() == 0
    assert page.evaluate("document.getAnimations().length") == 0
    expect(page.locator(".pays")).to_contain_text("Four Aces")
    amount = {"command": "set_amount", "link": POSTED, "level": "jackpot"}
    house.two("ann", "eve", **amount, amount=2_750 * DOLLAR)
    expect(page.locator(".amount")).to_have_text("$2,750.00", timeout=5_000)
    house.two("ann", "eve", **amount, amount=2_500 * DOLLAR)


@pytest.mark.requirement("GL-02")
def test_no_digit_is_cut_off_however_large_the_meter(house: House, visit: Visit) -> None:
    page = visit("/signs/sevens", screen="wall")
    for screen in ("wall", "desk", "tablet"):
        page.set_viewport_size(SIZES[screen]["viewport"])
        for places in ("$485.04", "$1,234,567.89", "$999,999,999.99"):
            inside = page.evaluate(
                """text => [...document.querySelectorAll('.meter')].every(meter => {
                  const line = meter.querySelector('.amount');
                  line.style.setProperty('--places', text.length);
                  const odometer = line.querySelector('.odometer');
                  odometer.textContent = text;
                  const inner = odometer.getBoundingClientRect(), outer = meter.getBoundingClientRect();
                  const across = inner.left >= outer.left && inner.right <= outer.right;
                  return across && inner.bottom <= outer.bottom;
                })""",
                places,
            )
            assert inside, (screen, places)
