"""The cage: a large win from its confirmation in the pit to the money and its slip, by touch and keyboard."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from feltwork.money import dollars
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.conftest import Visit
from tests.browser.house import furnished
from tests.browser.visitor import COOKIE, TO_PAY, Hand, Keys, serious
from tests.web.house import PIN, House

LINK = "five-card"
ROYAL = ("As", "Ks", "Qs", "Js", "Ts")


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres, slips: Path) -> Iterator[House]:
    """A site where a win needs its payout record, with a slip printer."""
    yield from furnished(server, "cage", payout_record="required", slip_printer=f"file:{slips}")


def claimed(house: House, table: str, hand: str = "royal_flush", *, link: str = LINK) -> str:
    house.start(link, table, (2,))
    return house.claim(link, table, 2, hand)


def confirmed(house: House, table: str, hand: str = "royal_flush", *, link: str = LINK) -> str:
    """A large win that Sam and Eve have confirmed."""
    award = claimed(house, table, hand, link=link)
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    house.end(link, table)
    return award


def award_of(house: House, award: str, link: str = LINK) -> dict[str, Any]:
    return house.get("otto", f"/api/v1/links/{link}/awards/{award}")


def fits(page: Page) -> None:
    """Everything is accessible, within the width of the screen, and large enough to tap."""
    assert serious(page) == []
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    small = """() => [...document.querySelectorAll('main :is(button, a.button, a.award, .choices label)')]
      .filter(one => one.checkVisibility())
      .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
      .filter(([, box]) => box.width < 44 || box.height < 44).map(([html]) => html)"""
    assert page.evaluate(small) == []


@pytest.mark.requirement("WA-24", "WA-30", "TX-03", "TX-04", "LT-15")
def test_a_large_win_confirmed_in_the_pit_is_paid_at_the_cage_with_18_taps(
    house: House, visit: Visit, slips: Path
) -> None:
    award = claimed(house, "H1")
    pit = visit("/pit", person="sam")
    walking = Hand(pit)
    walking.tap(f'[data-confirm="{award}"]')
    walking.cards(" ".join(ROYAL))
    walking.pin()
    walking.tap('#badge [data-badge="B-eve"]')
    walking.pin()
    expect(pit.locator(TO_PAY, has_text="H1")).to_be_visible()

    page = visit("/sign-in", screen="table")
    hand = Hand(page)
    page.wait_for_selector("[name=badge]:focus")
    page.keyboard.type("B-cara")
    hand.tap('[data-key="enter"]')
    for digit in PIN:
        hand.tap(f'[data-key="{digit}"]')
    expect(page.locator("nav.doors a").first).to_contain_text("Cage")
    hand.tap("nav.doors a >> nth=0")
    row = page.locator(f'[id="{LINK}-{award}"]')
    for text in ("confirmed by Sam, Eve", "Waits 1 minute", "Royal Flush", "seat 2", f"Slip {award}"):
        expect(row).to_contain_text(text, ignore_case=True)
    hand.tap(f'[id="{LINK}-{award}"]')
    hand.tap("[name=payee]")
    page.keyboard.type("Pat Patron")
    hand.tap('.choices label:has-text("2")')
    hand.tap("[name=photo]")
    for name, value in (("address", "1 Main St, Olympia"), ("taxpayer", "900-00-1234")):
        hand.tap(f"[name={name}]")
        page.keyboard.type(value)
    fits(page)
    hand.tap("text=Save record")
    hand.tap(".step >> nth=0 >> text=Done")
    expect(page.locator(".step").first).to_contain_text("Cara: Cards on camera")
    hand.tap(".step >> nth=1 >> text=Done")
    expect(page.locator(".step button")).to_have_count(1)
    hand.tap("[name=note]")
    page.keyboard.type("not in the state's system")
    hand.tap('button:has-text("Look up")')
    view = award_of(house, award)
    record = house.get("otto", f"/api/v1/payouts/{LINK}/{award}")
    due = dollars(view["amount"] - record["withheld"])
    expect(page.locator("#withheld")).to_have_text(dollars(record["withheld"]))
    expect(page.locator(".pays button")).to_have_text([f"Pay {due} by check"])
    hand.tap(".pays button")
    expect(page.locator("#paid")).to_contain_text(f"{due}, check")
    assert hand.taps == 18
    fits(page)
    assert record["withheld"] > 0
    assert (record["payee"], record["cards"]) == ("Pat Patron", " ".join(ROYAL))
    view = award_of(house, award)
    assert (view["status"], view["paid_by"]) == ("paid", "cara")
    expect(pit.locator(TO_PAY, has_text="H1")).to_have_count(0)

    hand.tap("text=Slip printer")
    expect(page.locator("#printed")).to_have_text("The slip is printed.")
    printed = slips.read_bytes().decode("ascii", "ignore")
    for text in ("Pat Patron", award, due, "Paid by                     Cara"):
        assert text in printed
    house.sound()


@pytest.mark.requirement("WA-24")
def test_the_whole_payout_by_keyboard_alone(house: House, visit: Visit) -> None:
    award = confirmed(house, "H2", "straight_flush")
    page = visit("/sign-in?next=/cage", screen="desk")
    page.wait_for_selector("[name=badge]:focus")
    page.keyboard.type("B-cara")
    page.keyboard.press("Enter")
    page.keyboard.type(PIN)
    page.wait_for_selector("#to-pay")
    keys = Keys(page)
    keys.press(f'[id="{LINK}-{award}"]')
    page.wait_for_selector("#record-form")
    keys.focus("[name=payee]")
    page.keyboard.type("Kim Key")
    keys.focus("[name=documents]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    keys.focus("[name=photo]")
    page.keyboard.press("Space")
    for name, value in (("address", "1 Main St, Olympia"), ("taxpayer", "900-00-1234")):
        keys.focus(f"[name={name}]")
        page.keyboard.type(value)
    keys.focus('[data-card="As"]')
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#chosen button")).to_have_count(6)
    page.keyboard.press("Shift+Tab")
    expect(page.locator('[aria-label="Remove 9 of hearts"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#chosen button")).to_have_count(5)
    keys.press("#record-form button.primary")
    expect(page.locator("#checklist")).to_be_focused()
    for left in (2, 1):
        keys.press(".step button")
        expect(page.locator(".step button")).to_have_count(left)
    keys.focus("[name=note]")
    page.keyboard.type("not in the state's system")
    keys.press(".step button")
    expect(page.locator(".step button")).to_have_count(0)
    keys.press(".pays button")
    expect(page.locator("#paid")).to_be_focused()
    assert house.get("otto", f"/api/v1/payouts/{LINK}/{award}")["cards"] == "Ks Qs Js Ts 9s"
    assert award_of(house, award)["paid_by"] == "cara"


@pytest.mark.requirement("WA-30")
def test_the_person_who_confirmed_is_told_why_they_may_not_pay(house: House, visit: Visit) -> None:
    award = confirmed(house, "C1")
    house.record(LINK, award)
    page = visit(f"/cage/{LINK}/{award}", person="sam", screen="phone")
    notice = page.locator("#may-not-pay")
    for text in ("Sam confirmed it.", "One person confirms a win and another pays it.", "WA-30"):
        expect(notice).to_contain_text(text)
    expect(page.locator(".pays button")).to_have_count(0)
    fits(page)
    # Two people share the screen: Cara opens the award, and Sam signs in before the button is pressed.
    other = visit(f"/cage/{LINK}/{award}", person="cara", screen="phone")
    token = house.of("sam").headers["Authorization"].removeprefix("Bearer ")
    other.context.add_cookies([{"name": COOKIE, "value": token, "url": house.url}])
    other.tap(".pays button")
    expect(other.locator("#refusal")).to_contain_text("Sam confirmed it")
    expect(other.locator("#refusal-remedy")).to_have_text("Ask someone else to pay it.")
    assert award_of(house, award)["status"] == "confirmed"


@pytest.mark.whole
@pytest.mark.requirement("TX-04")
def test_what_is_wrong_stands_beside_its_field(house: House, visit: Visit) -> None:
    award = confirmed(house, "C2", "straight_flush")
    page = visit(f"/cage/{LINK}/{award}", person="cara", screen="phone")
    fits(page)
    page.tap("text=Save record")
    expect(page.locator("#payee-problem")).to_have_text("Enter the name of the person who is paid.")
    expect(page.locator("#cards-problem")).to_have_text("Tap the cards of the winning hand.")
    expect(page.locator("[name=payee]")).to_be_focused()
    page.keyboard.type("Pat Patron")
    page.fill("[name=patron]", "P 11/07")
    for card in ("Ks", "Qs", "Js", "Ts", "8s"):
        page.tap(f'[data-card="{card}"]')
    expect(page.locator("#cards-problem")).to_be_hidden()
    page.tap("text=Save record")
    expect(page.locator("#patron-problem")).to_contain_text("letters, digits and dashes")
    page.fill("[name=patron]", "P-1107")
    page.tap("text=Save record")
    expect(page.locator("#patron-problem")).to_be_hidden()
    expect(page.locator("#cards-problem")).to_contain_text("the cards make", ignore_case=True)
    page.tap('[data-place="4"]')
    page.tap('[data-card="9s"]')
    page.tap("text=Save record")
    expect(page.locator("#identity-problem")).to_contain_text("two documents, one of them with a photo")
    fits(page)
    page.tap("[name=excepted]")
    expect(page.locator("#identity-problem")).to_be_hidden()
    page.tap("text=Save record")
    expect(page.locator("#address-problem")).to_have_text(
        "Form W-2G has no address. Enter the address of the payee."
    )
    page.fill("[name=address]", "1 Main St, Olympia")
    whole = dollars(award_of(house, award)["amount"])
    expect(page.locator("#due")).not_to_have_text(whole)
    page.type("[name=taxpayer]", "900-00-1234")
    expect(page.locator("#due")).to_have_text(whole)
    page.tap("text=Save record")
    expect(page.locator("#record-form")).to_be_hidden()
    assert house.get("cara", f"/api/v1/payouts/{LINK}/{award}")["patron"] == "P-1107"
    fits(page)


@pytest.mark.requirement("TX-04")
def test_a_shoe_has_a_card_more_than_once(house: House, visit: Visit) -> None:
    award = confirmed(house, "B1", "three_7s_suited", link="sevens")
    page = visit(f"/cage/sevens/{award}", person="cara", screen="small table")
    whole = dollars(award_of(house, award, "sevens")["amount"])
    expect(page.locator("#due")).to_have_text(whole)
    for _ in range(3):
        page.tap('[data-card="7h"]')
    page.tap('.choices label:has-text("2")')
    page.tap("[name=photo]")
    page.fill("[name=payee]", "Pat Patron")
    page.tap("text=Save record")
    expect(page.locator("#record-form")).to_be_hidden()
    for left in (2, 1):
        page.tap(".step button >> nth=0")
        expect(page.locator(".step button")).to_have_count(left)
    page.fill("[name=note]", "not in the state's system")
    page.tap(".step button")
    expect(page.locator(".pays button")).to_have_text(
        [f"Pay {whole} in chips", f"Pay {whole} in cash", f"Pay {whole} by check"]
    )
    fits(page)
    page.tap("text=in cash")
    expect(page.locator("#paid")).to_contain_text("cash")
    assert house.get("otto", f"/api/v1/payouts/sevens/{award}")["cards"] == "7h 7h 7h"


@pytest.mark.requirement("LT-15")
def test_a_paid_award_is_found_by_slip_table_amount_and_patron_and_printed_again(
    house: House, visit: Visit, slips: Path
) -> None:
    award = confirmed(house, "C3")
    written = {"payee": "Rita Reprint", "patron": "P-77", "cards": award_of(house, award)["cards"]}
    identity = {"documents": 2, "photo": True, "taxpayer_number": True}
    house.done(
        "cara",
        f"/api/v1/payouts/{LINK}/{award}",
        {
            **written,
            "identity": identity,
            "address": "1 Main St, Olympia WA 98501",
            "taxpayer": "900-00-1234",
        },
    )
    for step in ("exclusion", "countdown", "seal"):
        house.done("cara", f"/api/v1/payouts/{LINK}/{award}/steps/{step}", {"note": "camera 12"})
    house.done("cara", f"/api/v1/links/{LINK}/awards/{award}/pay", {"form": "check"})
    waiting = confirmed(house, "H4")
    page = visit("/cage", person="cara", screen="phone")
    fits(page)
    row, other = (page.locator(f'[id="{LINK}-{name}"]') for name in (award, waiting))
    expect(row).to_be_visible()
    expect(other).to_be_visible()
    code = f"{house.url}/awards/{award}/win-page"
    amount = dollars(award_of(house, award)["amount"])
    for query in (award, "c3", amount, "rita", "p-77", code):
        page.fill("#q", "no such thing")
        expect(page.locator("main")).to_contain_text("Nothing found")
        page.fill("#q", query)
        expect(row).to_be_visible()
        expect(other).to_have_count(0)
    page.wait_for_timeout(3_500)
    expect(other).to_have_count(0)  # the list was reloaded with the search
    hand = Hand(page)
    hand.tap(f'[id="{LINK}-{award}"]')
    slips.write_bytes(b"")
    hand.tap("text=Slip printer")
    expect(page.locator("#printed")).to_have_text("The slip is printed.")
    assert b"Rita Reprint" in slips.read_bytes()
    assert hand.taps == 2
    fits(page)
    for name, width in (("A5", 420), ("Letter", 612), ("A4", 595)):
        address = page.get_by_role("link", name=f"{name} (PDF)").get_attribute("href")
        assert address
        document = PdfReader(io.BytesIO(house.of("cara").get(address).content))
        assert (len(document.pages), round(document.pages[0].mediabox.width)) == (1, width)
        assert "Rita Reprint" in document.pages[0].extract_text()


def test_only_those_who_may_pay_have_the_cage(house: House, visit: Visit) -> None:
    for person in ("dana", "ann", "otto", "ivy"):
        assert house.of(person).get("/cage").status_code == 403
        page = visit("/", person=person)
        expect(page.locator('header nav a[href="/cage"]')).to_have_count(0)
    page = visit("/", person="sam")
    expect(page.locator('header nav a[href="/cage"]')).to_have_count(1)
    expect(page.locator("nav.doors a").first).to_contain_text("Signs")


@pytest.mark.requirement("WA-24", "WA-35")
def test_what_another_cashier_does_appears_and_is_not_done_twice(house: House, visit: Visit) -> None:
    award = confirmed(house, "C1")
    path = f"/api/v1/payouts/{LINK}/{award}"
    page = visit(f"/cage/{LINK}/{award}", person="sue", screen="phone")
    page.wait_for_selector("#record-form")
    house.record(LINK, award)
    expect(page.locator("#record-form")).to_be_hidden()
    expect(page.locator("#checklist")).to_contain_text("done")
    fits(page)
    house.done("cara", f"/api/v1/links/{LINK}/awards/{award}/pay", {"form": "check"})
    page.tap(".pays button", timeout=2_000)
    expect(page.locator("#already-says")).to_contain_text("Already done by Cara at")
    assert house.get("otto", path)["status"] == "paid"
