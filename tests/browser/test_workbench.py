"""The workbench in a browser: by keyboard, on every keystroke, quickly, and for everybody."""

import re
from collections.abc import Callable
from statistics import quantiles

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit


@pytest.fixture
def bench(visit: Visit) -> Callable[[str], Page]:
    """The bench with a paytable, its charts drawn."""

    def opened(paytable: str) -> Page:
        page = visit(f"/workbench?paytable={paytable}", screen="desk")
        expect(page.locator(".charts img").first).to_be_visible(timeout=60_000)
        return page

    return opened


def figure(page: Page, name: str) -> str:
    return page.locator(f'[data-figure="{name}"]').inner_text()


def test_a_pay_is_edited_and_everything_follows(bench: Callable[[str], Page]) -> None:
    page = bench("crazy_4/queens_up/C4P-09")
    assert figure(page, "house_edge") == "3.0606%"
    page.locator("#bench").get_by_label("flush", exact=True).fill("3 to 1")
    expect(page.locator('[data-figure="house_edge"]')).to_have_text("7.4707%")
    expect(page.locator(".tile").first).to_contain_text("was 3.0606%")
    row = page.get_by_role("row", name=re.compile("^flush 3 to 1"))
    expect(row).to_contain_text("17.6403%")
    expect(page.get_by_role("region", name="Printed figures")).to_contain_text("3.07%")
    page.locator("#bench").get_by_label("flush", exact=True).fill("3 t")
    expect(page.get_by_role("alert")).to_contain_text("'3 t' is not a pay")
    page.locator("#bench").get_by_label("flush", exact=True).fill("5 to 1")
    expect(page.locator("#figures")).to_contain_text("The house loses 1.349%")
    page.locator("#bench").get_by_label("flush", exact=True).fill("none")
    expect(page.get_by_role("row", name=re.compile("^flush removed"))).to_be_visible()
    page.get_by_text("Add a row").click()
    page.locator("#bench").get_by_label("four aces", exact=True).fill("100 to 1")
    expect(page.get_by_role("row", name=re.compile("^four aces 100 to 1"))).to_be_visible()


def test_terms_of_a_meter_and_the_floor(bench: Callable[[str], Page]) -> None:
    page = bench("four_card/jackpot/3")
    assert figure(page, "jackpot.mean_jackpot") == "$17,702.05"
    page.get_by_label("Seed, $").fill("5000")
    expect(page.locator('[data-figure="jackpot.mean_jackpot"]')).to_have_text("$20,702.05")
    page.get_by_label("Tables").fill("10")
    expect(page.locator('[data-figure="jackpot.hours_to_hit"]')).to_have_text("36.1 hours")
    page.get_by_label("Reserve", exact=True).fill("10%")
    risk = page.get_by_role("row", name=re.compile("^Seed shortfall, share of hits"))
    expect(risk).to_contain_text("60.2")
    page.get_by_label("Cap, $").fill("30000")
    expect(page.get_by_role("heading", name="Sampled")).to_be_visible(timeout=20_000)
    expect(page.locator("#depth")).to_contain_text("±")


def test_a_link_keeps_the_draft_and_the_meter(bench: Callable[[str], Page]) -> None:
    page = bench("four_card/jackpot/3")
    page.locator("#bench").get_by_label("straight flush", exact=True).fill("120 for 1")
    page.get_by_label("Meter today, $").fill("24500")
    expect(page.locator('[data-figure="edge_at_meter"]')).to_be_visible()
    edge = figure(page, "edge_at_meter")
    page.get_by_role("button", name="Link to this draft").click()
    page.wait_for_url("**meter.jackpot=24500**")
    page.goto(page.url)
    assert figure(page, "edge_at_meter") == edge
    expect(page.locator("#bench").get_by_label("straight flush", exact=True)).to_have_value("120 for 1")


def test_another_paytable_is_compared_and_put_on_the_bench(bench: Callable[[str], Page]) -> None:
    page = bench("crazy_4/queens_up/C4P-09")
    page.get_by_label("Compare with").select_option("C4P-12")
    expect(page.get_by_role("columnheader", name="Paytable C4P-12").first).to_be_visible()
    expect(page.locator(".tile").first).to_contain_text("was 6.7772%")
    page.locator("select[name=paytable]").select_option("blazing_7s/jackpot/ML03")
    expect(page.get_by_role("heading", name="Blazing 7's Jackpot")).to_be_visible()
    assert "blazing_7s" in page.url
    page.get_by_label("Decks").select_option("8")
    expect(page.locator('[data-figure="hit_frequency"]')).to_have_text("14.8100%")


MEASURE = """([selector, value]) => new Promise((resolve) => {
  const field = document.querySelector(selector);
  const shown = document.getElementById("figures");
  const start = performance.now();
  new MutationObserver((_, watching) => { watching.disconnect(); resolve(performance.now() - start); })
    .observe(shown, { childList: true });
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
})"""

BARE = """async () => {
  const start = performance.now();
  await (await fetch("/static/act.js", { cache: "no-store" })).text();
  return performance.now() - start;
}"""


@pytest.mark.parametrize(
    ("paytable", "row"),
    [
        ("crazy_4/queens_up/C4P-09", "flush"),
        pytest.param("crazy_4/super_bonus/C4P-09", "flush", marks=pytest.mark.whole),
        pytest.param("five_card/jackpot/ML03", "flush", marks=pytest.mark.whole),
        pytest.param("blazing_7s/jackpot/1", "two_7s", marks=pytest.mark.whole),
    ],
)
def test_from_an_edit_to_its_figure_in_150_ms(bench: Callable[[str], Page], paytable: str, row: str) -> None:
    page = bench(paytable)
    # Other work on the machine may disturb a round; one calm round of five shows what the service can do.
    # Where a file that is only sent takes longer than 10 ms, everything may take longer in proportion.
    slowest = []
    for _ in range(5):
        bare = quantiles([float(page.evaluate(BARE)) for _ in range(40)], n=20)[-1]
        slowest.append(quantiles(_edits(page, row), n=20)[-1] / max(1.0, bare / 10))
        if slowest[-1] < 150:
            break
    assert slowest[-1] < 150, slowest


def _edits(page: Page, row: str) -> list[float]:
    took = []
    for number in range(40):
        took.append(float(page.evaluate(MEASURE, [f"#pays-{row}", f"{number % 30 + 2} to 1"])))
        page.wait_for_timeout(20)
    return took
