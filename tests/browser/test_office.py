"""Office and auditor in a browser: two people adjust, the chain is replayed, an award leads to its letter."""

import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltwork.servers.postgres import EmbeddedPostgres
from feltwork.web.rendering.report_format import award_name
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
    house.done("cara", f"/links/five-card/awards/{claimed}/pay", {"form": "check"})
    house.end("five-card", "C3")
    return claimed


@pytest.mark.parametrize(
    "path",
    [
        "/office",
        "/office/proposals",
        "/office/links/five-card?day=ALL",
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
    twin = house.get("ann", path)
    assert twin


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


def test_two_people_adjust_a_meter(house: House, visit: Visit) -> None:
    ann, bob = visit(person="ann", screen="desk"), visit(person="bob", screen="desk")
    ann.goto("/office/links/sevens?day=ALL")
    before = house.get("ann", "/links/sevens")["meters"]
    level = next(iter(before))
    ann.select_option("select[name=lawful_reason]", "HOUSE_ADDITION")
    wanted = before[level]["meter"] + 1_000_000_000
    ann.fill("form:has(#adjust) input[name=after]", f"{wanted / 1_000_000:.2f}")
    ann.fill("input[name=adjustment]", "ADJ-BROWSER-1")
    ann.fill("form:has(#adjust) input[name=reason]", "a gift for the anniversary")
    ann.fill("input[name=evidence]", "memo 12")
    ann.click("form:has(#adjust) button")
    ann.wait_for_url("**/office/proposals")
    expect(ann.get_by_text("someone else must approve")).to_be_visible()
    assert ann.get_by_role("button", name="Approve").count() == 0
    bob.goto("/office")
    bob.get_by_role("button", name="Approve").click()
    expect(bob.get_by_role("button", name="Approve")).to_have_count(0)
    assert house.get("ann", "/links/sevens")["meters"][level]["meter"] == wanted
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
    floors = len(house.get("ann", "/floors")["floors"])
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
    assert len(house.get("ann", "/floors")["floors"]) == floors + 1


def test_what_is_wrong_is_said_beside_the_field(house: House, visit: Visit) -> None:
    page = visit(person="ann", screen="desk")
    page.goto("/office/links/dragon-1?day=ALL")
    page.fill("input[name=bank_balance]", "1,0000")
    page.get_by_role("button", name="Record count").click()
    expect(page.locator("#bank_balance-refused")).to_have_text("Enter a dollar amount, such as 250.00.")
    assert serious(page) == []
    expect(page.locator("input[name=bank_balance]")).to_be_focused()
    page.fill("form:has(#adjust) input[name=after]", "$12,000")
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
    page.fill("input[name=bank_balance]", "1.00")
    page.get_by_role("button", name="Record count").click()
    expect(page.get_by_text("stopped:").first).to_be_visible()


def test_an_award_leads_down_to_its_letter(house: House, visit: Visit, award: str) -> None:
    page = visit(person="otto", screen="desk")
    page.goto("/audit")
    page.get_by_role("link", name=award_name(award)).click()
    expect(page.get_by_role("heading", name="Approval letter")).to_be_visible()
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
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download the books").click()
    file = tmp_path / "books.tar"
    taken.value.save_as(file)
    with tarfile.open(file) as bundle:
        assert {"./manifest.json", "./entries.jsonl"} <= set(bundle.getnames())


def test_a_dealer_does_not_read_the_books(house: House, visit: Visit) -> None:
    page = visit(person="dana", screen="desk")
    answer = page.goto("/office")
    assert answer is not None
    assert answer.status == 403
    expect(page.get_by_text("What to do:").first).to_be_visible()
