"""The story from chips to slip, through dealer, pit and sign: by touch, and by keyboard alone."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.house import AQUARIUS
from tests.browser.visitor import SIGN_IN_TAPS, TO_PAY, Hand, Keys, phase, serious, sign_in
from tests.web.house import House


def cover(house: House, link: str, table: str, *seats: int) -> None:
    house.of("dana").put(f"/api/v1/links/{link}/tables/{table}/sensors", json={"covered": seats})


def seats(house: House, link: str, table: str) -> Any:
    return house.get("dana", f"/api/v1/links/{link}/tables/{table}")["seats"]


def award_of(house: House, link: str, table: str) -> dict[str, Any]:
    awards: list[dict[str, Any]] = house.get("otto", f"/api/v1/links/{link}/awards")["awards"]
    return next(award for award in reversed(awards) if award["table"] == table)


@pytest.mark.requirement("LT-01", "LT-02")
def test_a_round_without_a_win_is_two_taps_on_an_open_screen(house: House, visit: Visit) -> None:
    cover(house, "five-card", "H1", 2)
    page = visit("/dealer/five-card/H1", person="dana", screen="table")
    expect(page.locator(".seat.lit")).to_have_count(1)
    cover(house, "five-card", "H1", 2, 4, 5)
    expect(page.locator(".seat.lit")).to_have_count(3)
    hand = Hand(page)
    hand.tap("text=START GAME")
    phase(page, "playing")
    assert seats(house, "five-card", "H1") == [2, 4, 5], "what the sensors see"
    hand.tap("text=END GAME")
    phase(page, "idle")
    assert hand.taps == 2


@pytest.mark.requirement("LT-01")
def test_a_locked_seat_is_corrected_by_touch_and_the_pit_sees_it(house: House, visit: Visit) -> None:
    cover(house, "five-card", "H1", 2, 4, 5)
    pit = visit("/pit", person="sam", screen="tablet")
    page = visit("/dealer/five-card/H1", person="dana", screen="table")
    hand = Hand(page)
    hand.tap("text=START GAME")
    phase(page, "playing")
    expect(page.locator("#seat-4")).to_be_disabled()
    hand.tap("text=CORRECT SEAT")
    assert serious(page) == []
    hand.tap("#seat-4")
    expect(page.locator("#toast")).to_contain_text("Seat 4: return the wager.")
    expect(page.locator(".seat.lit")).to_have_count(2)
    hand.tap("text=CORRECT SEAT")
    hand.tap("#seat-6")
    expect(page.locator("#badge")).to_contain_text("A supervisor confirms it by badge.")
    hand.tap('#badge [data-badge="B-sam"]')
    hand.pin()
    expect(page.locator("#toast")).to_contain_text("Seat 6: wager locked.")
    assert seats(house, "five-card", "H1") == [2, 5, 6]
    expect(pit.get_by_label("Recent decisions")).to_contain_text("seat 6")
    hand.tap('[aria-label="Seat 6: Straight"]')
    expect(page.locator("#correct-key")).to_have_count(0)


def test_without_sensors_the_seats_are_tapped_once_and_stay(house: House, visit: Visit) -> None:
    page = visit(f"/dealer/{AQUARIUS}/X2", person="dana", screen="table")
    hand = Hand(page)
    hand.tap("#seat-3")
    hand.tap("#seat-6")
    for _ in range(2):
        hand.tap("text=COIN IN")
        phase(page, "playing")
        assert seats(house, AQUARIUS, "X2") == [3, 6]
        hand.tap("text=GAME OVER")
        phase(page, "idle")
    assert hand.taps == 2 + 2 + 2


@pytest.mark.requirement("LT-03", "LT-09")
def test_a_minor_from_hand_button_to_paid_is_six_taps(house: House, visit: Visit) -> None:
    cover(house, "five-card", "H2", 1, 2, 3)
    page, hand = sign_in(visit, "dana", "table", "/dealer/five-card/H2")
    hand.tap("text=START GAME")
    phase(page, "playing")
    since = hand.taps
    hand.tap('[aria-label="Seat 2: Four of a Kind"]')
    hand.tap('#badge [data-badge="B-sam"]')
    assert serious(page) == []
    hand.pin()
    expect(page.locator("#toast")).to_contain_text("confirmed and paid")
    assert hand.taps == since + 6
    award = award_of(house, "five-card", "H2")
    assert (award["status"], award["supervisor"], award["claimed_by"]) == ("paid", "sam", "dana")
    assert serious(page) == []
    hand.tap("text=END GAME")
    phase(page, "idle")
    assert hand.taps == SIGN_IN_TAPS + 1 + 6 + 1


@pytest.mark.requirement("LT-02")
def test_the_same_button_again_clears_and_envy_is_computed(house: House, visit: Visit) -> None:
    chips = {"wagers": {"five-card": [1, 2, 3]}, "players": [1, 2, 3, 4, 6]}
    house.done("dana", "/api/v1/tables/C1/start", chips)
    page = visit("/dealer/five-card/C1", person="dana", screen="table")
    hand = Hand(page)
    # Seat 6 has no jackpot chip: its hand pays envy to those who have one.
    for button, paid, amount in (
        ("Seat 1: Full House", (1,), "$50"),
        ("Seat 6: Straight Flush", (1, 2, 3), "$300"),
    ):
        hand.tap(f'[aria-label="{button}"]')
        for seat in paid:
            expect(page.locator(f'[data-seat="{seat}"] .due')).to_contain_text(amount)
        hand.tap(f'[aria-label="{button}"]')
        expect(page.locator('[data-seat="1"] .due')).not_to_contain_text(amount)


@pytest.mark.requirement("LT-03", "WA-30", "GEN-12", "GEN-14", "GL-02")
def test_chips_hand_claim_confirm_paid_slip_by_touch(house: House, visit: Visit) -> None:
    sign = visit(screen="wall")
    sign.clock.install()
    sign.goto("/signs/five-card")
    sign.clock.run_for(200_000)  # the wins of other tests have been announced
    expect(sign.locator("#win")).to_be_hidden()
    pit = visit("/pit", person="sam")
    dealer = visit("/dealer/five-card/C3", person="dana", screen="table")
    hand = Hand(dealer)
    for seat in (1, 2, 5):
        hand.tap(f"#seat-{seat}")
    hand.tap("text=START GAME")
    phase(dealer, "playing")
    hand.tap('[aria-label="Seat 5: Four of a Kind"]')
    hand.tap("#badge [data-close]")
    walking = Hand(pit)
    claim = pit.locator('article[aria-label="Claim at table C3, seat 5"]')
    expect(claim).to_contain_text("Four of a Kind")
    amount = claim.locator(".won").inner_text()
    expect(dealer.locator("[data-end]")).to_be_disabled()
    expect(sign.locator("#win-flag")).to_have_text("Hit pending")
    expect(sign.locator("#win")).to_contain_text("at table C3, seat 5")
    walking.tap('article[aria-label="Claim at table C3, seat 5"] [data-confirm]')
    walking.pin()
    expect(claim).to_have_count(0)
    expect(sign.locator("#win-flag")).to_have_text("Winner")
    expect(sign.locator("#win")).to_contain_text("at table C3, seat 5")
    expect(sign.locator("#win-amount")).to_have_text(amount)
    expect(sign.locator("#win-again")).to_contain_text("minor is now $")
    award = award_of(house, "five-card", "C3")
    house.done("cara", f"/api/v1/links/five-card/awards/{award['id']}/pay", {"form": "cash"})
    expect(pit.locator(f'a[href="/awards/{award["id"]}/win-page"]')).to_have_count(0)
    slip = visit(f"/awards/{award['id']}/win-page", person="sam", screen="desk")
    expect(slip.locator("main")).to_contain_text(amount)
    for step in ("Claimed", "Locked", "Confirmed", "Paid, cash"):
        expect(slip.locator(".figures")).to_contain_text(step)
    hand.tap("text=END GAME")
    phase(dealer, "idle")
    house.sound()


@pytest.mark.requirement("LT-01", "LT-03", "GL-10")
def test_the_whole_story_by_keyboard_alone(house: House, visit: Visit) -> None:
    page = visit("/sign-in?next=/dealer/five-card/H4", screen="table")
    keys = Keys(page)
    keys.sign_in("B-dana")
    keys.press("#seat-1")
    keys.press("#seat-2")
    keys.press("#main-key")
    phase(page, "playing")
    keys.press("#correct-key")
    expect(page.locator("#seat-1")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#seat-1")).to_be_disabled()
    keys.press("#correct-key")
    page.keyboard.press("Enter")
    expect(page.locator(".seat.lit")).to_have_count(1)
    assert seats(house, "five-card", "H4") == [2]
    keys.press('[aria-label="Seat 2: Four of a Kind"]')
    keys.show_badge("B-sue")
    expect(page.locator("#toast")).to_contain_text("confirmed and paid")
    keys.press("#main-key")
    phase(page, "idle")
    assert award_of(house, "five-card", "H4")["status"] == "paid"


@pytest.mark.requirement("LT-03", "GL-10", "TX-04")
def test_two_badges_above_the_executive_level_and_a_wrong_pin_is_flagged_before_the_second(
    house: House, visit: Visit
) -> None:
    house.start("sevens", "B5", (2,))
    house.claim("sevens", "B5", 2, "three_7s_diamonds", cards="7d 7d / 7d")
    pit = visit("/pit", person="sue", screen="table")
    hand = Hand(pit)
    claim = 'article[aria-label="Claim at table B5, seat 2"]'
    expect(pit.locator(claim)).to_contain_text("also need an executive badge")
    expect(pit.locator(f"{claim} .badge-rule li")).to_have_count(2)
    hand.tap(f"{claim} [data-confirm]")
    hand.pin("9999")
    expect(pit.locator("#badge-problem")).to_contain_text("Sue: Badge or PIN is wrong.")
    # The badge stays, and the next key clears the message.
    expect(pit.locator("#pin-asks")).to_have_text("PIN for Sue")
    hand.tap('#badge [data-key="2"]')
    expect(pit.locator("#badge-problem")).to_be_hidden()
    hand.tap('#badge [data-key="clear"]')
    hand.pin()
    expect(pit.locator("#badge-asks")).to_contain_text("Badge 2 of 2: executive")
    expect(pit.locator("#badge-shown")).to_have_text("✓ Sue")
    pit.locator("#badge-read").press_sequentially("B-nobody")
    pit.keyboard.press("Enter")
    expect(pit.locator("#badge-problem")).to_contain_text("Nobody has badge B-nobody.")
    expect(pit.locator("#pin-asks")).to_be_hidden()
    hand.tap('#badge [data-badge="B-eve"]')
    hand.pin("9999")
    expect(pit.locator("#badge-problem")).to_contain_text("Eve: Badge or PIN is wrong.")
    expect(pit.locator("#badge-shown")).to_have_text("✓ Sue")
    assert serious(pit) == []
    hand.pin()
    expect(pit.locator(claim)).to_have_count(0)
    award = award_of(house, "sevens", "B5")
    assert (award["status"], award["supervisor"], award["executive"]) == ("confirmed", "sue", "eve")
    owed = pit.locator(TO_PAY, has_text="B5")
    expect(owed).to_contain_text("TX-04")
    expect(owed).to_contain_text("The cage pays it.")
    expect(owed.get_by_role("button")).to_have_count(0)  # nothing that the service would refuse
    house.done("cara", f"/api/v1/links/sevens/awards/{award['id']}/pay", {"form": "check"})
    expect(owed).to_have_count(0)


@pytest.mark.requirement("LT-03")
def test_aquarius_turns_the_key_with_the_supervisors_badge(house: House, visit: Visit) -> None:
    house.start(AQUARIUS, "X1", (1, 3))
    page = visit(f"/dealer/{AQUARIUS}/X1", person="dana", screen="table")
    hand = Hand(page)
    hand.tap('[aria-label="Seat 3: Four Aces"]')
    hand.cards("As Ah Ad Ac 2c")
    for person in ("sam", "eve"):
        hand.tap(f'#badge [data-badge="B-{person}"]')
        hand.pin()
    expect(page.locator("#toast")).to_contain_text("confirmed")
    award = award_of(house, AQUARIUS, "X1")
    assert (award["status"], award["locked"]) == ("confirmed", True)
    hand.tap("text=GAME OVER")
    phase(page, "idle")
    house.sound()


def test_a_dialog_asks_about_one_thing_and_opens_again(house: House, visit: Visit) -> None:
    house.start("sevens", "B4", (1,))
    house.claim("sevens", "B4", 1, "three_7s_same_color")
    page = visit("/dealer/sevens/B4", person="dana", screen="table")
    hand = Hand(page)
    hand.tap("[data-claim]")
    expect(page.locator("#pay-now")).to_be_visible()
    hand.tap("#badge [data-close]")
    hand.tap('[aria-label="Seat 1: Three 7\'s - Same Color"]')
    hand.tap("#misdeal-key")
    hand.tap('#misdeal [data-reason="Wrong number of cards"]')
    expect(page.locator("#badge-title")).to_have_text("Misdeal")
    expect(page.locator("#pay-now")).to_be_hidden()
    hand.tap("#badge [data-close]")
    hand.tap('[aria-label="Seat 1: Three 7\'s - Same Color"]')
    hand.tap('#badge [data-badge="B-sue"]')
    hand.pin("9999")
    expect(page.locator("#badge-problem")).to_contain_text("or PIN is wrong")
    assert award_of(house, "sevens", "B4")["status"] == "claimed"
    hand.pin()
    expect(page.locator("#toast")).to_contain_text("confirmed")


@pytest.mark.requirement("GEN-10", "LT-03")
def test_an_amount_that_changed_is_shown_and_confirmed_with_one_more_tap(house: House, visit: Visit) -> None:
    house.start("five-card", "C2", (1,))
    first = house.claim("five-card", "C2", 1, "four_of_a_kind")
    house.start("five-card", "C1", (4,))
    house.claim("five-card", "C1", 4, "four_of_a_kind")
    before = award_of(house, "five-card", "C1")["amount"]
    pit = visit("/pit", person="sam")
    hand = Hand(pit)
    claim = 'article[aria-label="Claim at table C1, seat 4"]'
    hand.tap(f"{claim} [data-confirm]")
    house.void("sue", "five-card", first, "Late chip")  # its amount goes to the claim after it
    hand.pin()
    expect(pit.locator("#badge-problem")).to_contain_text("it is now")
    assert award_of(house, "five-card", "C1")["status"] == "claimed"
    hand.tap("#badge-again")
    expect(pit.locator(claim)).to_have_count(0)
    award = award_of(house, "five-card", "C1")
    assert (award["status"], award["supervisor"]) == ("confirmed", "sam")
    assert award["amount"] != before
