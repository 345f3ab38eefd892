"""Checks that no example shows: odds too long, dealers instead of sensors, the meaning of a note."""

from dataclasses import replace
from fractions import Fraction

import pytest

from feltwork.money import DOLLAR
from feltwork.odds.pricing import Price
from feltwork.odds.returns import Offer, Terms, returns
from feltwork.site.compliance.check import check, rulings_of
from feltwork.site.compliance.checks.links import stated_odds
from feltwork.site.compliance.finding import FloorCase
from feltwork.site.compliance.floor import FloorLink, FloorTable
from feltwork.site.compliance.link_odds import Uncounted, meter_prizes, offer_at, one_in
from feltwork.titles.paytables.paytable import Share
from tests.compliance.floors import DAY, example, floor_of, found, small, text_of

IOWA = ('"wa_cardroom"', '"iowa"')
NEW_JERSEY = ('"wa_cardroom"', '"new_jersey"')


def case_of(*changes: tuple[str, str]) -> tuple[FloorCase, FloorLink]:
    floor = small(*changes)
    (link,) = floor.links
    return FloorCase(floor, rulings_of(floor, on=DAY)), link


@pytest.mark.requirement("GEN-03")
@pytest.mark.parametrize(("deals", "refused"), [(100_000_000, False), (100_000_001, True)])
def test_new_jersey_refuses_odds_longer_than_one_in_a_hundred_million(deals: int, refused: bool) -> None:
    case, link = case_of(NEW_JERSEY)
    prizes = {"four_aces": Fraction(1, deals)}
    findings = list(stated_odds(case, link, prizes))
    assert [finding.requirement for finding in findings] == (["GEN-03"] if refused else [])
    anywhere, _ = case_of()
    assert list(stated_odds(anywhere, link, prizes)) == []


@pytest.mark.requirement("GEN-03")
def test_new_jersey_wants_odds_that_are_counted() -> None:
    case, link = case_of(NEW_JERSEY)
    (finding,) = stated_odds(case, link, Uncounted("nobody counted"))
    assert finding.severity == "refused"
    assert "nobody counted" in finding.what


@pytest.mark.requirement("GEN-03")
def test_new_jersey_wants_the_plan_of_who_has_access_on_file() -> None:
    plan = ('[[link]]\nid = "four-aces"', '[[link]]\naccess_plan = "controls, section 9"\nid = "four-aces"')
    assert found(small(NEW_JERSEY)) == ["refused GEN-03"]
    assert found(small(NEW_JERSEY, plan)) == []
    assert found(small()) == []


@pytest.mark.requirement("LT-11", "WA-12")
def test_a_table_whose_game_does_not_fit_is_no_table_of_the_link() -> None:
    room = text_of("card_room")
    assert found(floor_of(room)) == []
    odd = room.replace('tables = ["C1", "C2", "C3", "H1"', 'tables = ["M1", "C1", "C2", "C3", "H1"')
    findings = found(floor_of(odd))
    assert findings == ["refused WA-04", "refused LT-11"], "not that different games share its meter"


def test_a_table_without_sensors_is_noted_and_passes() -> None:
    floor = small(('entry = "sensors"\nsensors = 1', 'entry = "dealer"'))
    assert found(floor) == []
    assert "LT-01" in [finding.requirement for finding in check(floor, on=DAY)]


@pytest.mark.requirement("WA-14")
def test_an_approval_lets_manufacturers_mix() -> None:
    other = ('[[link]]\nid = "four-aces"', '[[link]]\ninteroperability_approval = "IO-3"\nid = "four-aces"')
    maker = ('manufacturer = "Light & Wonder"\nhighest', 'manufacturer = "Another"\nhighest')
    assert found(small(maker)) == ["refused WA-14"]
    assert found(small(maker, other)) == []


@pytest.mark.requirement("WA-11", "LT-11")
def test_different_five_card_games_have_exactly_the_same_chance() -> None:
    floor = example("card_room")
    link = next(link for link in floor.links if link.id == "five-card")
    prices = [price_of(link, table) for table in floor.tables_of(link)]
    assert {table.game.name for table in floor.tables_of(link)} == {"crazy_4", "holdem_bonus"}
    royal = [meter_prizes(price)["royal_flush"] for price in prices]
    assert royal == [Fraction(4, 2_598_960)] * 7


@pytest.mark.requirement("WA-12")
def test_a_confirmed_change_allows_a_second_jackpot() -> None:
    floor = example("unlawful/second_connected_jackpot")
    assert found(floor) == ["refused WA-12"]
    text = '\n[[confirmed]]\nrule = "one_connected_jackpot"\nis = false\nreference = "WSR 23-11-107"\n'
    assert found(floor_of(text_of("unlawful/second_connected_jackpot") + text)) == []


@pytest.mark.letter(
    "odds.returns.returns",
    "C4.{aquarius,nexus,link}.4",
    "TH.{aquarius,nexus}.4",
    "TH.link.6",
    "HM.trilux.4",
)
@pytest.mark.requirement("LT-14")
def test_the_house_edge_by_hand() -> None:
    """Four aces in five of 52 cards come 48 times in 2,598,960; everything else is counted once in odds."""
    _, link = case_of()
    (table,) = small().tables
    price = price_of(link, table)
    chance = Fraction(48, 2_598_960)
    terms = {
        "jackpot": Terms(seed=Fraction(10_000), contribution=Fraction(20, 100), reserve=Fraction(5, 100))
    }
    at_five = replace(link, wager=5 * DOLLAR)
    by_tray = offer_at(at_five, table, terms)
    assert isinstance(by_tray, Offer)
    assert returns(by_tray).kept == 1 - price.fixed_return - Fraction(1, 4) - 2_000 * chance
    off_meter = offer_at(replace(at_five, options={"fixed_pays_from": "meter"}), table, {"jackpot": RICH})
    assert isinstance(off_meter, Offer)
    assert returns(off_meter).kept == 1 - Fraction(9, 10) - 2_000 * chance
    dry = offer_at(replace(at_five, options={"fixed_pays_from": "meter"}), table, terms)
    assert isinstance(dry, Offer)
    assert returns(dry).total == max(price.fixed_return, Fraction(1, 4) + 2_000 * chance), (
        "the tray pays the rest"
    )


RICH = Terms(seed=Fraction(10_000), contribution=Fraction(90, 100))


def price_of(link: FloorLink, table: FloorTable) -> Price:
    offered = offer_at(link, table)
    assert isinstance(offered, Offer)
    (price,) = offered.prices.values()
    return price


@pytest.mark.requirement("GEN-26")
def test_what_the_house_keeps_is_told_once_where_more_players_change_nothing() -> None:
    def percentages(name: str) -> dict[str, str]:
        sentences = [
            finding.what for finding in check(example(name), on=DAY) if finding.requirement == "GEN-26"
        ]
        return {what.split(" of each wager on ")[1].partition(",")[0]: what for what in sentences}

    rooms = percentages("card_room")
    assert rooms["sevens"] == "the house keeps 21.3892% (107231/501332) of each wager on sevens"
    assert rooms["five-card"].endswith("and 14.5085% (157113/1082900) with all 7 players betting"), "envy"


def test_odds_in_words() -> None:
    assert one_in(Fraction(1, 649_740)) == "one in 649,740"
    assert one_in(Fraction(3, 250_666)) == "one in 83555.3333"


def test_meter_prizes_are_the_shares() -> None:
    _, link = case_of()
    price = price_of(link, small().tables[0])
    shares = [row.hand for row in link.paytable.rows if isinstance(row.pays, Share)]
    assert list(meter_prizes(price)) == shares == ["four_aces"]


@pytest.mark.requirement("GEN-23")
@pytest.mark.parametrize(
    ("limit", "lowest", "message"),
    [
        ("24999.99", "5.00", "at least $25,000.00"),
        ("25000.00", "5.00", ""),
        ("39999.99", "200.00", "at least $40,000.00"),
        ("40000.00", "200.00", ""),
        ("25000.00", "", "no lowest wager to check it against"),
    ],
)
def test_iowa_wants_a_limit_of_a_round_that_covers_the_top_award(
    limit: str, lowest: str, message: str
) -> None:
    """Four aces pay 200 to 1 on the Super Bonus."""
    keys = f'table_aggregate = "{limit}"' + (f'\nlowest_wager = "{lowest}"' if lowest else "")
    change = ('highest_wager = "300.00"', f'highest_wager = "300.00"\n{keys}')
    findings = [finding for finding in check(small(change, IOWA), on=DAY) if finding.requirement == "GEN-23"]
    assert [finding.severity for finding in findings] == (["refused"] if message else [])
    assert all(message in finding.what and finding.remedy for finding in findings)
    assert [finding for finding in check(small(change), on=DAY) if finding.requirement == "GEN-23"] == []
