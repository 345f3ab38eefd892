"""The cage: a large win from its confirmation in the pit to the money and its slip, by touch and keyboard."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from feltwork.money import DOLLAR, dollars
from tests.browser.conftest import Visit
from tests.browser.visitor import TO_PAY, Hand, Keys, fits
from tests.web.house import PIN, House

LINK = "five-card"
ROYAL = ("As", "Ks", "Qs", "Js", "Ts")


@pytest.fixture
def house(strict: House) -> House:
    """A win needs its payout record here."""
    return strict


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
    for text in ("confirmed by Sam, Eve", "Waits", "Royal Flush", "seat 2", f"Slip {award}"):
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


@pytest.mark.requirement("TX-04")
def test_what_is_wrong_stands_beside_its_field(house: House, visit: Visit) -> None:
    # Whatever other tests have won: an amount for which the payee shows documents, and no executive.
    gift = {"level": "major", "pool": "meter", "change": 1_500 * DOLLAR, "lawful_reason": "HOUSE_ADDITION"}
    house.two("ann", "bob", command="adjust", link=LINK, adjustment="ADJ-CAGE", evidence="memo", **gift)
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
    for _ in range(3):
        page.tap('[data-card="7h"]')
    page.tap('.choices label:has-text("2")')
    page.tap("[name=photo]")
    page.fill("[name=payee]", "Pat Patron")
    page.tap("text=Save record")
    expect(page.locator("#record-form")).to_be_hidden()
    fits(page, apart=False)
    assert house.get("otto", f"/api/v1/payouts/sevens/{award}")["cards"] == "7h 7h 7h"


def test_a_search_stays_when_the_list_is_loaded_again(house: House, visit: Visit) -> None:
    found, other = confirmed(house, "C3"), confirmed(house, "H4")
    page = visit("/cage", person="cara", screen="phone")
    fits(page)
    rows = [page.locator(f'[id="{LINK}-{award}"]') for award in (found, other)]
    for row in rows:
        expect(row).to_be_visible()
    page.fill("#q", "no such thing")
    expect(page.locator("main")).to_contain_text("Nothing found")
    page.fill("#q", "c3")
    expect(rows[0]).to_be_visible()
    for _ in range(2):
        page.wait_for_event("response", lambda answer: "/cage" in answer.url)
    expect(rows[0]).to_be_visible()
    expect(rows[1]).to_have_count(0)
    Hand(page).tap(f'[id="{LINK}-{found}"]')
    expect(page.locator("#record-form")).to_be_visible()


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
