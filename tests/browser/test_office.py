"""Office and auditor in a browser: two people adjust, a report is sorted, the chain is replayed."""

import tarfile
from pathlib import Path

from playwright.sync_api import expect

from feltwork.site.web.rendering.report_format import amount
from tests.browser.conftest import Visit
from tests.browser.visitor import serious
from tests.web.house import House


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
    house.start("sevens", "B4")
    house.end("sevens", "B4")
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


def test_the_chain_is_replayed_and_the_bundle_taken_home(visit: Visit, tmp_path: Path) -> None:
    page = visit("/audit", person="otto", screen="desk")
    page.get_by_role("button", name="Replay the books").click()
    expect(page.get_by_text("Every balance, meter, and award matches the rules.")).to_be_visible(
        timeout=60_000
    )
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the books").click()
    download.value.save_as(tmp_path / "books.tar")
    with tarfile.open(tmp_path / "books.tar") as bundle:
        assert {"manifest.json", "entries.jsonl"} <= set(bundle.getnames())


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
