"""Office and auditor in a browser: two people adjust, the chain is replayed, an award leads to its letter."""

import re
import tarfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web.rendering.report_format import amount, award_name
from tests.browser.conftest import Visit
from tests.browser.house import FLOOR, POSTED, furnished, minor
from tests.browser.visitor import serious
from tests.web.house import House


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    """A house of its own: these tests stop links and win at tables that others play on."""
    yield from furnished(server, "office")


@pytest.fixture(scope="module")
def award(house: House) -> str:
    claimed = minor(house, "C3")
    assert house.confirm("five-card", claimed, "sam", "eve").status_code == 200
    house.done("cara", f"/api/v1/links/five-card/awards/{claimed}/pay", {"form": "check"})
    house.end("five-card", "C3")
    return claimed


#: Pages on which a table may not be wider than the screen.
WHOLE = ("/office/reports/reconciliation?day=ALL", "/office/charts", "/office/days")


@pytest.mark.parametrize(
    "path",
    [
        "/office",
        "/office/proposals",
        "/office/days",
        "/office/charts",
        "/office/charts?group=table",
        "/office/links/five-card?day=ALL",
        "/office/reports/drop_and_hold?day=ALL",
        "/office/reports/funds",
        "/office/reports/reconciliation?day=ALL",
        "/office/reports/daily_lines",
        "/office/reports/adjustments?day=ALL",
        "/office/reports/hits",
        "/office/reports/counters",
        "/office/reports/gaps",
        "/office/reports/audit_log?day=ALL",
        "/audit",
        "/audit/verdict",
        "/audit/links/five-card",
    ],
)
def test_every_page_is_accessible_and_has_a_twin(house: House, visit: Visit, award: str, path: str) -> None:
    page = visit(person="ann", screen="desk")
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200
    assert serious(page) == []
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 1440
    if path in WHOLE:
        cut = "Array.from(document.querySelectorAll('.wide')).some(one => one.scrollWidth > one.clientWidth)"
        assert not page.evaluate(cut), "no column is cut off"
    twin = house.get("ann", path)
    assert twin


def is_drawn(image: Locator) -> bool:
    return bool(image.evaluate("async one => (await one.decode(), one.naturalWidth > 300)"))


def test_charts_stand_beside_their_figures(house: House, visit: Visit, award: str) -> None:
    page = visit(person="ann", screen="desk")
    page.goto("/office/links/five-card?level=minor&day=ALL")
    chart = page.locator("section:has(#history)")
    assert is_drawn(chart.locator(".chart img"))
    expect(chart.get_by_role("link", name=award_name(award))).to_be_visible()
    page.goto("/office/charts?group=game")
    view = house.get("ann", "/office/charts?group=game")
    assert view["total"]["drop"] == sum(row["drop"] for row in view["figures"]) > 0
    assert page.locator("tbody tr").count() == len(view["figures"])
    assert is_drawn(page.locator(".chart img"))
    drawing = house.of("ann").get("/office/charts.svg?group=game").text
    assert escape(view["figures"][0]["name"], quote=False) in drawing


@pytest.mark.requirement("WA-01")
def test_two_people_post_another_amount_of_a_house_jackpot(house: House, visit: Visit) -> None:
    ann, eve = visit(person="ann", screen="desk"), visit(person="eve", screen="desk")
    ann.goto(f"/office/links/{POSTED}?day=ALL")
    assert ann.locator("form:has(#adjust), form:has(#cap)").count() == 0, "it has no meter"
    assert serious(ann) == []
    ann.fill("form:has(#amount) input[name=amount]", "2600.00")
    ann.fill("form:has(#amount) input[name=reason]", "for the weekend")
    ann.click("form:has(#amount) button")
    ann.wait_for_url("**/office/proposals")
    eve.goto("/office/proposals")
    eve.get_by_role("button", name="Approve").click()
    expect(eve.get_by_role("button", name="Approve")).to_have_count(0)
    assert house.meter(POSTED) == 2_600_000_000


def test_the_player_funds_stand_beside_their_caption(house: House, visit: Visit) -> None:
    page = visit("/office", person="ann", screen="desk")
    funds = page.locator("p.lead", has_text="Player funds, all links")
    expect(funds.locator(".figure")).to_have_text(re.compile(r"^\$[\d,]+\.\d\d$"))


def test_two_people_adjust_a_meter(house: House, visit: Visit) -> None:
    ann, bob = visit(person="ann", screen="desk"), visit(person="bob", screen="desk")
    ann.goto("/office/links/sevens?day=ALL")
    before = house.get("ann", "/api/v1/links/sevens")["meters"]
    level = next(iter(before))
    ann.select_option("select[name=lawful_reason]", "HOUSE_ADDITION")
    target = before[level]["meter"] + 1_000_000_000
    ann.fill("form:has(#adjust) input[name=to]", f"{target / 1_000_000:.6f}")
    expect(ann.locator("form:has(#adjust) [data-change]")).to_contain_text("change +$1,000.00, result")
    ann.fill("input[name=adjustment]", "ADJ-BROWSER-1")
    ann.fill("form:has(#adjust) input[name=reason]", "a gift for the anniversary")
    ann.fill("input[name=evidence]", "memo 12")
    ann.click("form:has(#adjust) button")
    ann.wait_for_url("**/office/proposals")
    expect(ann.get_by_text("someone else must approve")).to_be_visible()
    assert ann.get_by_role("button", name="Approve").count() == 0
    figures = "article:has-text('ADJ-BROWSER-1') .held dd"
    assert ann.locator(figures).all_inner_texts() == [
        amount(target),
        amount(before[level]["meter"]),
        "+$1,000.00",
        amount(target),
    ]
    house.start("sevens", "B1")
    house.end("sevens", "B1")
    played = house.get("ann", "/api/v1/links/sevens")["meters"][level]["meter"]
    assert played > before[level]["meter"]
    bob.goto("/office")
    ann.reload()
    for person in (ann, bob):
        assert person.locator(figures).all_inner_texts() == [
            amount(target),
            amount(played),
            "+$1,000.00",
            amount(played + 1_000_000_000),
        ], "both see the same change, from the meter of this moment"
    bob.get_by_role("button", name="Approve").click()
    expect(bob.get_by_role("button", name="Approve")).to_have_count(0)
    assert house.get("ann", "/api/v1/links/sevens")["meters"][level]["meter"] == played + 1_000_000_000
    bob.goto("/office/reports/adjustments?day=ALL")
    expect(bob.get_by_text("ADJ-BROWSER-1")).to_be_visible()


@pytest.mark.requirement("LT-04", "GEN-19")
def test_two_people_reverse_an_award(house: House, visit: Visit) -> None:
    claimed = minor(house, "C3")
    assert house.confirm("five-card", claimed, "sam", "eve").status_code == 200
    house.end("five-card", "C3")
    path = f"/audit/awards/five-card/{claimed}"
    ann, bob = visit(person="ann", screen="desk"), visit(person="bob", screen="desk")
    ann.goto(path)
    assert serious(ann) == []
    ann.fill("form:has(#reverse) input[name=adjustment]", "REV-BROWSER-1")
    ann.fill("form:has(#reverse) input[name=evidence]", "camera 12, 9:14 PM")
    ann.fill("form:has(#reverse) input[name=reason]", "the deck was short")
    ann.click("form:has(#reverse) button")
    ann.wait_for_url("**/office/proposals")
    bob.goto("/office/proposals")
    bob.get_by_role("button", name="Approve").click()
    expect(bob.get_by_role("button", name="Approve")).to_have_count(0)
    ann.goto(path)
    expect(ann.get_by_text("Reversed").first).to_be_visible()
    expect(ann.locator("#reverse")).to_have_count(0)
    otto = visit(person="otto", screen="desk")
    otto.goto(path)
    expect(otto.locator("#reverse")).to_have_count(0)


@pytest.mark.requirement("GEN-06", "GEN-19")
def test_two_people_apply_a_floor_file(house: House, visit: Visit) -> None:
    ann, eve = visit(person="ann", screen="desk"), visit(person="eve", screen="desk")
    floors = len(house.get("ann", "/api/v1/floors")["floors"])
    ann.goto("/office/proposals")
    ann.fill("textarea[name=floor]", FLOOR.read_text(encoding="utf-8") + "# reviewed in the office\n")
    ann.fill("form:has(#floor) input[name=reason]", "the yearly review")
    ann.click("form:has(#floor) button")
    expect(ann.get_by_text("someone else must approve")).to_be_visible()
    eve.goto("/office/proposals")
    eve.get_by_text("Floor file", exact=True).first.click()
    expect(eve.get_by_text("# reviewed in the office")).to_be_visible()
    eve.get_by_role("button", name="Approve").click()
    expect(eve.get_by_role("button", name="Approve")).to_have_count(0)
    assert len(house.get("ann", "/api/v1/floors")["floors"]) == floors + 1


def test_what_is_wrong_is_said_beside_the_field(house: House, visit: Visit) -> None:
    page = visit(person="ann", screen="desk")
    page.goto("/office/links/dragon-1/count")
    page.fill("input[name=bank_balance]", "1,0000")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#bank_balance-refused")).to_have_text("Enter a dollar amount, such as 250.00.")
    assert serious(page) == []
    expect(page.locator("input[name=bank_balance]")).to_be_focused()
    page.goto("/office/links/dragon-1?day=ALL")
    page.select_option("select[name=lawful_reason]", "HOUSE_ADDITION")
    page.fill("form:has(#adjust) input[name=to]", "$12,000")
    page.fill("input[name=adjustment]", "not an id!")
    page.fill("form:has(#adjust) input[name=reason]", "a gift")
    page.fill("input[name=evidence]", "memo 12")
    page.click("form:has(#adjust) button")
    expect(page.locator("#adjustment-refused")).to_have_text(
        "Use letters, digits and dashes only, such as P-1107."
    )
    expect(page.locator("#refusal")).not_to_be_visible()


def test_a_shortfall_stops_the_link_and_is_told(house: House, visit: Visit) -> None:
    page = visit(person="ann", screen="desk")
    page.goto("/office/links/dragon-2?day=ALL")
    page.get_by_role("link", name="Count the bank").click()
    page.fill("input[name=bank_balance]", "1.00")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("Recording this count stops wagers on this link immediately")).to_be_visible()
    assert serious(page) == []
    page.get_by_role("button", name="Record the count and stop wagers").click()
    expect(page.get_by_text("stopped:").first).to_be_visible()


def _play(house: House) -> None:
    for _ in range(3):
        house.start("five-card", "H4")
        house.end("five-card", "H4")


@pytest.mark.requirement("WA-18")
def test_the_bank_is_counted_during_play_as_of_a_cutoff(house: House, visit: Visit) -> None:
    page = visit(person="ann", screen="desk")
    page.goto("/office/links/five-card/count")
    required = page.locator("tr.total td").first.inner_text()
    _play(house)
    page.fill("input[name=bank_balance]", required)
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#difference")).to_have_text("$0.00")
    before = house.get("ann", "/api/v1/links/five-card")
    _play(house)
    page.get_by_role("button", name="Record the count", exact=True).click()
    page.wait_for_url("**/office/links/five-card")
    after = house.get("ann", "/api/v1/links/five-card")
    assert after["player_funds"] > before["player_funds"], "play went on"
    assert (after["takes_wagers"], after["stops"]) == (True, {}), "the count of a moment stops nothing"


def test_an_award_leads_down_to_its_letter(house: House, visit: Visit, award: str) -> None:
    page = visit(person="otto", screen="desk")
    page.goto("/audit")
    page.get_by_role("link", name=award_name(award)).click()
    expect(page.get_by_role("heading", name="Summary of the letter")).to_be_visible()
    assert re.search(r"WSGC submission \d+ of \d{4}-\d{2}-\d{2}", page.inner_text("main"))
    assert "100% of minor" in page.inner_text("main")
    assert serious(page) == []
    page.get_by_role("link", name="at table C3").click()
    expect(page.get_by_role("heading", name="round booked")).to_be_visible()
    assert serious(page) == []


def test_the_chain_is_replayed_and_the_bundle_taken_home(
    house: House, visit: Visit, award: str, tmp_path: Path
) -> None:
    page = visit(person="otto", screen="desk")
    page.goto("/audit")
    page.get_by_role("button", name="Replay the books").click()
    expect(page.get_by_text("Every balance, meter, and award matches the rules.")).to_be_visible(
        timeout=60_000
    )
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the books").click()
    file = tmp_path / "books.tar"
    download.value.save_as(file)
    with tarfile.open(file) as bundle:
        assert {"manifest.json", "entries.jsonl"} <= set(bundle.getnames())


def test_a_dealer_does_not_read_the_books(house: House, visit: Visit) -> None:
    page = visit(person="dana", screen="desk")
    answer = page.goto("/office")
    assert answer is not None
    assert answer.status == 403
    expect(page.get_by_text("What to do:").first).to_be_visible()


def test_a_report_is_searched_sorted_and_summed(house: House, visit: Visit) -> None:
    page = visit(person="ann", screen="desk")
    page.goto("/office/reports/daily_lines?day=ALL")
    rows = page.locator("table[data-report] tbody tr")
    assert rows.count() > 2
    total = page.locator("tfoot [data-total]").nth(2)
    whole = total.inner_text()
    page.get_by_role("button", name="wagered").click()
    page.get_by_role("button", name="wagered").click()
    expect(page.locator("th[aria-sort=descending]")).to_have_text("wagered")
    amounts = [int(cell.get_attribute("data-value") or 0) for cell in rows.locator("td:nth-child(6)").all()]
    assert amounts == sorted(amounts, reverse=True)
    assert sum(amounts) == int(total.get_attribute("data-total") or 0)
    first = rows.first.locator("td").first.inner_text()
    page.get_by_label("Search these rows").fill(first)
    expect(page.locator("[data-shown]")).to_contain_text("of")
    expect(total).not_to_have_text(whole)
    page.get_by_label("Search these rows").fill("")
    expect(total).to_have_text(whole)
    assert serious(page) == []
