"""The pit: each job from sign-in to done, by touch with its taps counted, and by keyboard."""

import pytest
from playwright.sync_api import expect

from feltwork.money import DOLLAR
from feltwork.site.books.connection import connect
from feltwork.site.books.watch.alarms import raise_alarm
from tests.browser.conftest import Visit
from tests.browser.house import minor
from tests.browser.test_table_play import Open, open_floor
from tests.browser.visitor import SIGN_IN_TAPS, TO_PAY, Keys, fits, phase, serious, sign_in
from tests.web.house import PIN, House

__all__ = ["open_floor"]
ACES = "As Ah Ad Ac 2c"


@pytest.mark.requirement("LT-03", "GEN-10")
def test_a_later_claim_opens_the_first_one_and_loses_nothing_typed(open_floor: Open) -> None:
    with open_floor("three_tables_confirm", "four-aces") as (house, visit):
        for table in ("C1", "C2"):
            house.start("four-aces", table, (2, 3))
        first, second = (house.claim("four-aces", table, 2, cards=ACES) for table in ("C1", "C2"))
        page, hand = sign_in(visit, "sam", "table")
        later = 'article[aria-label="Claim at table C2, seat 2"]'
        expect(page.locator(later)).to_contain_text("Table C1, seat 2 claimed it first")
        fits(page)
        hand.tap(f"{later} [data-confirm]")
        expect(page.locator("#badge-about")).to_contain_text("Table C2")
        expect(page.locator("#badge-problem")).to_contain_text("Table C1, seat 2: Four Aces, $10,001.00.")
        hand.pin()
        expect(page.locator("#badge-shown")).to_have_text("✓ Sam")
        hand.tap("#badge-again")
        expect(page.locator("#badge")).to_be_visible()
        expect(page.locator("#badge-about")).to_contain_text("Table C1, seat 2")
        expect(page.locator("#badge-shown")).to_have_text("✓ Sam")
        expect(page.locator("#badge-problem")).to_be_hidden()
        hand.tap('#badge [data-badge="B-eve"]')
        hand.pin()
        expect(page.locator("#badge-about")).to_contain_text("Table C2")
        assert house.get("sam", f"/api/v1/links/four-aces/awards/{first}")["status"] == "confirmed"
        expect(page.locator("#badge-again")).to_have_text("Confirm $10,000.20")
        hand.tap("#badge-again")
        expect(page.locator("article.claim")).to_have_count(0)
        assert hand.taps == SIGN_IN_TAPS + 1 + 4 + 1 + 1 + 4 + 1
        assert house.get("sam", f"/api/v1/links/four-aces/awards/{second}")["amount"] == 10_000_200_000


@pytest.mark.requirement("GEN-10", "LT-03")
def test_a_disputed_claim_is_set_aside_in_the_pit(open_floor: Open) -> None:
    with open_floor("three_tables_claim", "four-aces") as (house, visit):
        for table in ("C1", "C2"):
            house.start("four-aces", table, (2, 3))
        first, second = (house.claim("four-aces", table, 2) for table in ("C1", "C2"))
        page, hand = sign_in(visit, "sam", "table")
        disputed = 'article[aria-label="Claim at table C1, seat 2"]'
        expect(page.locator("[data-aside]")).to_have_count(1)
        hand.tap(f"{disputed} [data-aside]")
        page.fill("#aside [name=reason]", "a card was exposed")
        hand.tap("#aside button.primary")
        expect(page.locator("[data-proposal]")).to_contain_text("A card was exposed")
        other, approving = sign_in(visit, "eve", "table")
        approving.tap("[data-proposal] button.primary")
        expect(other.locator(disputed)).to_contain_text("Set aside.")
        assert serious(other) == []
        expect(other.locator("[data-aside]")).to_have_count(0)
        assert house.confirm("four-aces", second, "sam", "eve").status_code == 200
        view = house.get("sam", f"/api/v1/links/four-aces/awards/{first}")
        assert (view["set_aside"], view["status"]) == (True, "claimed")
        assert house.confirm("four-aces", first, "sam", "eve").status_code == 200


@pytest.mark.requirement("LT-10")
def test_a_misdeal_is_called_from_the_pit_and_the_dealer_sees_it(house: House, visit: Visit) -> None:
    dealer = visit("/dealer/sevens/B2", person="dana", screen="small table")
    house.start("sevens", "B2", (1, 2))
    page, hand = sign_in(visit, "sue", "tablet")
    hand.tap('.tile[data-table="B2"]')
    expect(page.locator("#table-about")).to_contain_text("dealt from the screen")
    expect(page.locator("#table [data-takeover]")).to_be_hidden()
    assert serious(page) == []
    hand.tap("#table [data-misdeal]")
    hand.tap('#misdeal [data-reason="Card exposed by the dealer"]')
    hand.pin()
    expect(page.get_by_label("Recent decisions")).to_contain_text("Card exposed by the dealer")
    assert hand.taps == SIGN_IN_TAPS + 3 + 4
    expect(dealer.locator(".decision")).to_contain_text("Sue called a misdeal.")
    phase(dealer, "idle")
    assert serious(dealer) == []
    # Nothing is open now, so nothing is offered.
    hand.tap('.tile[data-table="B2"]')
    expect(page.locator("#table-about")).to_have_text("No round is open.")
    expect(page.locator("#table [data-misdeal]")).to_be_hidden()


@pytest.mark.requirement("GEN-07")
def test_a_dead_controllers_round_is_taken_over_in_the_pit(house: House, visit: Visit) -> None:
    # A round of a batch that has no end: its controller deals it.
    dealer = visit("/dealer/five-card/H3", person="dana", screen="small table")
    expect(dealer.locator("#takeover-key")).to_be_visible()
    expect(dealer.locator("[data-end]")).to_be_disabled()
    fits(dealer, accessible=False)
    page, hand = sign_in(visit, "sam", "table")
    hand.tap('.tile[data-table="H3"]')
    expect(page.locator("#table-about")).to_contain_text("dealt by the controller")
    expect(page.locator("#table [data-misdeal]")).to_be_hidden()
    hand.tap("#table [data-takeover]")
    hand.pin()
    expect(page.locator("#badge")).to_be_hidden()
    assert hand.taps == SIGN_IN_TAPS + 2 + 4
    fits(page)
    expect(dealer.locator("#takeover-key")).to_have_count(0)
    dealer.tap("text=END GAME")
    phase(dealer, "idle")


@pytest.mark.requirement("LT-02", "LT-03")
def test_the_cards_are_tapped_and_the_claim_confirmed_on_a_phone(house: House, visit: Visit) -> None:
    award = minor(house)
    page, hand = sign_in(visit, "sam", "phone")
    claim = 'article[aria-label="Claim at table C2, seat 3"]'
    expect(page.locator(f"{claim} .badge-rule")).to_contain_text("One badge.")
    fits(page)
    hand.tap(f"{claim} [data-cards]")
    for card in ("9s", "9h", "9d", "Kc", "2c"):
        hand.tap(f'#cards [data-card="{card}"]')
    hand.tap("#cards button.primary")
    expect(page.locator("#cards-problem")).to_be_visible()  # it is no four of a kind
    hand.tap('#chosen [data-place="3"]')
    hand.tap('#cards [data-card="9c"]')
    assert serious(page) == []
    hand.tap("#cards button.primary")
    expect(page.locator(f"{claim} .cards svg")).to_have_count(5)
    expect(page.locator(f"{claim} [data-cards]")).to_have_count(0)
    assert hand.taps == SIGN_IN_TAPS + 1 + 5 + 1 + 2 + 1
    hand.tap(f"{claim} [data-confirm]")
    expect(page.locator('#badge [data-key="enter"]')).to_be_in_viewport(ratio=1)
    hand.pin()
    expect(page.locator(claim)).to_have_count(0)
    assert hand.taps == SIGN_IN_TAPS + 10 + 1 + 4
    view = house.get("sam", f"/api/v1/links/five-card/awards/{award}")
    assert (view["status"], view["supervisor"]) == ("confirmed", "sam")
    # Sam confirmed it, so somebody else pays it, at the cage.
    owed = page.locator(TO_PAY, has_text="C2")
    expect(owed).to_contain_text("The cage pays it.")
    expect(owed.locator(f'a[href="/cage/five-card/{award}"]')).to_have_count(0)
    other = visit("/pit", person="sue", screen="phone")
    expect(other.locator(f'.owe a[href="/cage/five-card/{award}"]')).to_be_visible()
    fits(other)


@pytest.mark.requirement("LT-04", "GEN-19")
def test_a_reversal_is_requested_on_a_phone_and_accounting_approves_it(house: House, visit: Visit) -> None:
    award = minor(house, "C1")
    assert house.confirm("five-card", award, "sam").status_code == 200
    house.end("five-card", "C1")
    confirmed = visit("/pit", person="sam", screen="phone")
    expect(confirmed.locator(f'{TO_PAY} a[href^="/awards/{award}/"]')).to_be_visible()
    request = f'[data-reverse*="{award}"]'
    expect(confirmed.locator(request)).to_have_count(0)
    page, hand = sign_in(visit, "sue", "phone")
    fits(page)
    hand.tap(request)
    expect(page.locator("#reverse-about")).to_contain_text("Table C1, seat 3: Four of a Kind, $")
    assert serious(page) == []
    page.keyboard.type("The deck was short")
    hand.tap("#reverse [name=evidence]")
    page.keyboard.type("camera 12, 9:14 PM")
    hand.tap("#reverse button.danger")
    expect(page.locator("[data-proposal]", has_text="C1, round")).to_contain_text(
        "Someone else must approve it."
    )
    assert hand.taps == SIGN_IN_TAPS + 3
    fits(page)
    bob = visit("/office/proposals", person="bob", screen="desk")
    bob.locator("[data-proposal]", has_text="The deck was short").get_by_role(
        "button", name="Approve"
    ).click()
    expect(page.locator(request)).to_have_count(0)
    assert house.get("sue", f"/api/v1/links/five-card/awards/{award}")["status"] == "reversed"


@pytest.mark.requirement("WA-32", "GEN-19")
def test_alarms_incidents_and_proposals_are_worked_off_in_the_pit(house: House, visit: Visit) -> None:
    with connect(house.dsn) as connection:
        details = {"what": "the tray differs", "remedy": "count the tray", "requirement": "LT-09"}
        raise_alarm(connection, "tray difference", "table C3", details, by="test")
        raise_alarm(connection, "gap", "table H2", {"missing": "five-card 3-4"}, by="test")
        parked = {"what": "nobody is signed on at the table", "remedy": "sign on", "round": 7}
        raise_alarm(connection, "parked message", "felt.five-card.H2.hand", parked, by="test")
    page, hand = sign_in(visit, "sam", "phone")
    tray, gap = page.locator('[data-alarm="tray difference"]'), page.locator('[data-alarm="gap"]')
    expect(gap).to_contain_text("These rounds have not arrived: five-card 3-4.")
    expect(gap).to_contain_text("Check the controller of the table")
    expect(gap.locator("button")).to_have_count(0)  # it ends when the rounds arrive
    expect(page.locator('[data-alarm="parked message"]')).to_contain_text("table H2, link five-card, round 7")
    expect(tray).to_contain_text("Count the tray.")
    hand.tap('[data-alarm="tray difference"] button')
    hand.tap('#clear [data-reason="Counted, no difference"]')
    expect(tray).to_have_count(0)
    assert hand.taps == SIGN_IN_TAPS + 2
    hand.tap("#live [data-report]")
    page.fill("#incident [name=what]", "A sensor fails at C3")
    page.select_option("#incident [name=table]", "C3")
    hand.tap("#incident button.primary")
    expect(page.locator("[data-incident]", has_text="A sensor fails at C3")).to_contain_text("C3")
    fits(page)
    cap = {"command": "set_cap", "link": "sevens", "level": "major", "cap": 10**6 * DOLLAR}
    proposal = house.done("ann", "/api/v1/proposals", {**cap, "reason": "as agreed"})
    boss = visit("/pit", person="eve", screen="tablet")
    expect(boss.locator(f'[data-proposal="{proposal["proposal"]}"]')).to_contain_text("Ann asks: As agreed.")
    expect(boss.locator("#live .lead[role=status]")).to_contain_text("1 proposal waiting")
    fits(boss)
    expect(page.locator("[data-proposal]")).to_have_count(0)  # a supervisor may not approve it
    boss.tap(f'[data-proposal="{proposal["proposal"]}"] .danger')
    expect(boss.locator("[data-proposal]")).to_have_count(0)


@pytest.mark.requirement("LT-02", "GL-10")
def test_a_claim_is_voided_by_pin_and_the_dealer_sees_who_did_it(house: House, visit: Visit) -> None:
    house.of("dana").put("/api/v1/links/sevens/tables/B3/sensors", json={"covered": [1, 2]})
    dealer, dealing = sign_in(visit, "dana", "small table", "/dealer/sevens/B3")
    dealing.tap("text=START GAME")
    dealing.tap('[aria-label="Seat 1: Three 7\'s - Same Color"]')
    expect(dealer.locator("#badge")).to_be_visible()
    colleague = visit("/pit", person="sue", screen="phone")
    pit, hand = sign_in(visit, "sam", "phone")
    claim = 'article[aria-label="Claim at table B3, seat 1"]'
    hand.tap(f"{claim} [data-void]")
    hand.tap("text=Cards don't match the hand")
    expect(pit.locator("#badge-title")).to_have_text("Void claim")
    assert serious(pit) == []
    hand.pin()
    expect(pit.locator(claim)).to_have_count(0)
    assert hand.taps == SIGN_IN_TAPS + 2 + 4
    fits(pit)
    awards = house.get("otto", "/api/v1/links/sevens/awards")["awards"]
    assert [award["status"] for award in awards if award["table"] == "B3"] == ["voided"]
    expect(dealer.locator(".decision")).to_contain_text("Sam voided the claim, seat 1")
    expect(dealer.locator(".decision")).to_contain_text("Cards don't match the hand.")
    expect(dealer.locator("#badge")).to_be_hidden()  # nobody shows a badge for a void claim
    expect(colleague.get_by_label("Recent decisions")).to_contain_text("claim voided, seat 1")
    expect(colleague.get_by_label("Recent decisions")).to_contain_text("by Sam")
    fits(dealer)
    dealing.tap("text=END GAME")
    phase(dealer, "idle")
    assert dealing.taps == SIGN_IN_TAPS + 3
    house.start("sevens", "B3", (1, 2))
    expect(dealer.locator(".decision")).to_have_count(0)


@pytest.mark.requirement("GL-10")
def test_a_claim_is_voided_by_keyboard_alone(house: House, visit: Visit) -> None:
    award = minor(house)
    page = visit("/sign-in?next=/pit", screen="table")
    keys = Keys(page)
    keys.sign_in("B-sam")
    keys.press('article[aria-label="Claim at table C2, seat 3"] [data-void]')
    keys.press('#void [data-reason="Late chip"]')
    page.wait_for_selector("#badge-pin:focus")
    page.keyboard.type(PIN)
    expect(page.locator('article[aria-label="Claim at table C2, seat 3"]')).to_have_count(0)
    assert house.get("sam", f"/api/v1/links/five-card/awards/{award}")["status"] == "voided"
