"""What the check may say: the letters bind in Washington and advise elsewhere."""

import re
from pathlib import Path
from typing import Any

import pytest

from feltwork.problem import ProblemsError
from feltwork.site.compliance.approvals_register import AMENDED
from feltwork.site.compliance.approvals_register import JACKPOTS as REGISTER
from feltwork.site.compliance.check import check, rulings_of
from feltwork.site.compliance.jurisdiction import ids, jurisdiction
from feltwork.site.compliance.posting import posting_sheet
from feltwork.site.compliance.requirements import REQUIREMENTS
from feltwork.site.compliance.submission import make_submission
from feltwork.site.web import screens
from feltwork.sources import citations, paragraphs
from feltwork.titles.settle import settle
from tests.compliance.floors import DAY, example, floor_of, found, small, text_of
from tests.compliance.test_examples import GALLERY, day_of
from tests.compliance.test_letter_conditions import (
    FILED,
    HEAD,
    JACKPOTS,
    TRIBAL,
    floor_with,
    link,
    table,
    told,
)
from tests.titles.test_dragon import round_of

SCREENS = Path(screens.__file__).parent
SPLIT_AMONG_ALL = "split among all players, at that table, participating in the progressive wager that round"
WINNING = 'options = { share_with = "winning_side" }'
CONTROLS = 'internal_controls = "IC-7"'


@pytest.mark.letter("site.compliance.checks.approvals._policies", "DB.{aquarius,nexus}.7.b")
@pytest.mark.requirement("LT-08")
def test_a_share_for_the_winning_side_needs_internal_controls_and_the_letter_is_quoted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert found(floor_with("dragon")) == []
    monkeypatch.setitem(JACKPOTS, "dragon", ("DB", f'jackpot = "dragon"\npaytable = "3"\n{WINNING}'))
    for more, severity in (("", "refused"), (CONTROLS, "warning")):
        (finding,) = told(floor_with("dragon", more=more))
        assert (finding.severity, finding.requirement) == (severity, "LT-08")
        assert SPLIT_AMONG_ALL in finding.what
        assert "[DB.{aquarius,nexus}.7.b]" in finding.what


@pytest.mark.requirement("LT-08")
def test_a_round_that_says_nothing_divides_the_share_among_all_bettors() -> None:
    paid = settle(round_of("1", "2d 3d 4d", "Ks Qh Jc"))
    assert [seat.jackpots["dragon"].award for seat in paid.seats] == [5_000 * 1_000_000] * 4


@pytest.mark.letter(
    "site.compliance.checks.approvals._policies",
    "C4.{aquarius,nexus,link}.9.c",
    "TH.{aquarius,nexus}.9.c",
    "TH.link.11.c",
    "HM.blazing_player.13.c",
    "HM.blazing_upcard.11.c",
    "HM.trilux.9.b",
)
@pytest.mark.requirement("LT-07")
@pytest.mark.parametrize("jackpot", [name for name in JACKPOTS if name != "dragon"])
@pytest.mark.parametrize("policy", ["split", "each_in_full"])
def test_only_internal_controls_replace_the_order_of_the_letter(jackpot: str, policy: str) -> None:
    other = f'options = {{ several_winners = "{policy}" }}'
    (finding,) = told(floor_with(jackpot, more=other))
    assert (finding.severity, finding.requirement) == ("refused", "LT-07")
    assert "this policy can be replaced by casino internal controls" in finding.what
    assert found(floor_with(jackpot, more=f"{other}\n{CONTROLS}")) == []


def test_every_policy_that_a_verdict_rests_on_is_quoted() -> None:
    for approval in REGISTER.values():
        quotes = {paragraphs()[cited].quote for cited in citations(approval.policy.cites)}
        assert all(quotes)


ELSEWHERE = sorted({*ids()} - {"wa_cardroom", "wa_tribal"})
#: What no approval changes: the keypad cannot move the meter then, and the game does not show the cards.
IMPOSSIBLE = {"unlawful/aquarius_at_claim", "unlawful/cards_not_seen"}


@pytest.mark.requirement("LT-16")
@pytest.mark.parametrize("place", ELSEWHERE)
def test_elsewhere_the_letters_refuse_nothing_and_an_approval_ends_their_advice(place: str) -> None:
    for name in sorted({*GALLERY} - IMPOSSIBLE):
        there = re.sub(r'jurisdiction = ".*"', f'jurisdiction = "{place}"', text_of(name))
        approved = re.sub(r"(?m)^cut_off = .*$", r'\g<0>\napproval = "A-7"', there)
        approved = re.sub(r"(?m)^approvals = {", 'approvals = { game = "A-8", ', approved)
        for text, severities in ((there, {"refused"}), (approved, {"refused", "warning"})):
            try:
                floor = floor_of(text)
            except ProblemsError:
                continue
            told = [finding for finding in check(floor, on=day_of(name)) if finding.severity in severities]
            assert [finding for finding in told if REQUIREMENTS[finding.requirement].mark == "L"] == [], name


def test_a_jurisdiction_of_which_little_was_read_is_generic_with_notes() -> None:
    nevada, room = jurisdiction("nevada"), jurisdiction("wa_cardroom")
    assert nevada.offered_as == "generic, with notes of Nevada"
    assert nevada.basis.startswith("Checked against 1 rule of Nevada. This is not a review of Nevada law. ")
    assert room.offered_as == room.name
    assert room.basis.startswith(
        "Checked against 11 rules of Washington, commercial card rooms, and the approval"
    )
    read = {name: jurisdiction(name).read for name in ids()}
    assert (read["wa_cardroom"], read["new_jersey"], read["nevada"], read["wa_tribal"]) == (11, 6, 1, 1)


#: Every listed title whose rules are not in this box, as the letters write it and without its suffix.
MISSING = [name for game in AMENDED if not game.titles for name in (game.name, game.name.partition(" - ")[0])]


@pytest.mark.requirement("LT-16", "WA-28")
@pytest.mark.parametrize("title", sorted({*MISSING, "Zappit Blackjack", "Kings Bounty"} - {"Dragon Bonus"}))
def test_no_sheet_is_posted_for_a_game_whose_rules_we_lack(title: str) -> None:
    floor = floor_with("trilux", at_table=f'known_as = "{title}"')
    assert "are not in Feltwork" in " ".join(finding.what for finding in told(floor))
    sheet = posting_sheet(floor, floor.tables[0], rulings_of(floor, on=DAY))
    assert f"post the approved sheet of {title}" in sheet
    assert "Bets and limits" not in sheet
    assert "TriLux" in sheet
    package = make_submission(floor, "", on=DAY)
    assert "Blackjack" not in [procedure.title for procedure in package.procedures]
    assert all(table.rows == () for table in package.tables if table.title == "Wager limits")


@pytest.mark.parametrize("title", ["", "Blackjack", "House Money", "Evergreen Blackjack", "Dragon Bonus"])
def test_a_name_of_the_houses_own_keeps_its_sheet(title: str) -> None:
    floor = floor_with("trilux", at_table=f'known_as = "{title}"')
    assert not floor.tables[0].lacks_rules_of
    assert "Bets and limits" in posting_sheet(floor, floor.tables[0], rulings_of(floor, on=DAY))


@pytest.mark.requirement("GEN-26")
def test_a_disputed_figure_is_marked_wherever_ours_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = 'options = { share_with = "all_bettors" }'
    monkeypatch.setitem(JACKPOTS, "dragon", ("DB", f'jackpot = "dragon"\npaytable = "1"\n{shares}'))
    floor = floor_with("dragon")
    both = (
        "The letter prints a house advantage of 22.90%; its rules, at the terms that fit best, give 61.4481%"
    )
    sheet = posting_sheet(floor, floor.tables[0], rulings_of(floor, on=DAY), odds=True)
    package = make_submission(floor, "", on=DAY)
    returns = [row[-1] for table in package.tables if table.title == "Returns" for row in table.rows]
    noted = [finding.what for finding in check(floor, on=DAY)]
    assert all(any(both in text for text in texts) for texts in ([sheet], returns, noted))
    assert "odds of one in 569,182; its rules, at the terms that fit best, give 588304.07" in sheet
    agreed = posting_sheet(example("card_room"), example("card_room").tables[0], rulings_of(floor, on=DAY))
    assert "disputed" not in agreed


@pytest.mark.requirement("GEN-10")
def test_the_order_of_two_tables_is_posted_where_a_link_has_two() -> None:
    order = "Tables that win at the same time are paid in the order in which their hands were entered."
    floor = example("card_room")
    for name, linked in (("C1", True), ("M1", False)):
        sheet = posting_sheet(floor, floor.table_by_id[name], rulings_of(floor, on=DAY))
        assert (order in sheet) is linked


@pytest.mark.requirement("LT-14", "LT-03")
def test_odd_terms_get_a_word() -> None:
    (seed,) = told(floor_with("four_card", seed='"0"'))
    assert "[C4.recommendations.seed.zero] [C4.recommendations.reserve.keep-seed]" in seed.what
    (reserve,) = told(floor_with("four_card", contribution='"5%"', reserve='"30%"'))
    assert (
        "takes 30% of each wager, and its meters grow by 5% only [C4.recommendations.reserve" in reserve.what
    )
    above = ('executive_above = "5000.00"', 'executive_above = "10000000.00"')
    notes = [finding.what for finding in check(small(above), on=DAY)]
    assert (
        "a supervisor alone confirms every award of four-aces up to $10,000,000.00: over 100 seeds" in notes
    )


def test_every_template_that_prints_a_paragraph_calls_it_a_summary() -> None:
    prints = re.compile(r"for (?:one|letter) in (?:award\.)?(?:paragraphs|letters|order) %}")
    templates = {page: page.read_text(encoding="utf-8") for page in SCREENS.rglob("*.html")}
    printing = {page.name for page, text in templates.items() if prints.search(text)}
    labeled = {page.name for page, text in templates.items() if re.search("ummary of the letter", text)}
    assert printing >= {"auditor_award.html", "dispute.html", "win_page.html", "school_course.html"}
    assert printing - {"verdicts.html"} <= labeled


A7 = 'approval = "A-7"'
PLAN = 'access_plan = "P-1"'
SPLIT = 'options = { several_winners = "split" }'
#: Jurisdiction, jackpot, what is added to table and link, and a finding: severity, rule, mark, text.
FLOORS = [
    ("generic", "dragon", {}, "note GEN-26 read", "the house keeps"),
    ("nevada", "dragon", {"more": A7, "other": WINNING}, "note LT-08 quoted", SPLIT_AMONG_ALL),
    ("iowa", "four_card", {"more": f"{SPLIT}\n{A7}"}, "note LT-07 quoted", "farthest on the right"),
    (
        "new_york",
        "trilux",
        {"more": A7, "table": "decks = 2"},
        "note WA-13 read",
        "not offered with the 2 decks",
    ),
    ("new_jersey", "four_card", {"more": PLAN}, "note GEN-26 read", "the house keeps"),
    (
        "united_states",
        "holdem",
        {"more": A7, "sensors": 3},
        "note WA-04 read",
        "has 3 sensors and 1 jackpots",
    ),
    (
        "wa_tribal",
        "holdem",
        {"more": f"{SPLIT}\n{CONTROLS}"},
        "note LT-07 quoted",
        "replaced by casino internal",
    ),
    (
        "wa_cardroom",
        "trilux",
        {"more": f"{SPLIT}\n{CONTROLS}"},
        "note LT-07 quoted",
        "replaced by casino internal",
    ),
    (
        "wa_cardroom",
        "trilux",
        {"table": 'known_as = "Free Bet Blackjack"'},
        "warning LT-16 read",
        "not in Feltwork",
    ),
    ("generic", "four_card", {"more": A7, "seed": '"0"'}, "note LT-14 read", "reserve alone"),
    ("wa_cardroom", "dragon", {"other": WINNING}, "refused LT-08 quoted", SPLIT_AMONG_ALL),
    ("wa_tribal", "four_card", {"more": SPLIT}, "refused LT-07 quoted", "farthest on the right"),
    (
        "wa_cardroom",
        "trilux",
        {"table": 'highest_wager = "500.00"'},
        "refused WA-26 unread",
        "(text unread) allows",
    ),
    ("wa_cardroom", "holdem", {"more": "notice_days = 3"}, "refused WA-22 unread", "3 days of notice"),
    ("new_jersey", "four_card", {}, "refused GEN-03 read", "names no access plan"),
    (
        "new_jersey",
        "holdem",
        {"cut_off": "store_and_forward", "more": PLAN},
        "refused GEN-07 read",
        "not what N.J.A.C. 13:69E",
    ),
    (
        "iowa",
        "trilux",
        {"table": 'table_aggregate = "900.00"\nlowest_wager = "5.00"'},
        "refused GEN-23 read",
        "25,000",
    ),
    ("new_york", "holdem", {"cap": '"20000"', "now": '"20000"'}, "refused GEN-15 read", "is not above its"),
    ("wa_cardroom", "trilux", {"sensors": 3}, "refused WA-04 read", "a layout carries 2"),
    (
        "wa_tribal",
        "holdem",
        {"controls": "aquarius", "more": 'system = ["Coin Spot v5"]'},
        "refused LT-16 read",
        "v5",
    ),
]


@pytest.mark.parametrize(("place", "jackpot", "has", "finding", "phrase"), FLOORS)
def test_a_floor_gets_its_finding_with_the_rule_and_how_its_text_is_known(
    place: str, jackpot: str, has: dict[str, Any], finding: str, phrase: str
) -> None:
    """The first ten are lawful, and no other finding refuses one of the others."""
    more = {key: value for key, value in has.items() if key not in ("table", "sensors", "other", "cut_off")}
    text = HEAD.replace("wa_cardroom", place) + table(
        JACKPOTS[jackpot][0], more=has.get("table", ""), sensors=has.get("sensors", 1)
    )
    text += link(jackpot, **more)
    for old, new in (
        (
            'options = { share_with = "all_bettors" }',
            has.get("other", 'options = { share_with = "all_bettors" }'),
        ),
        ('cut_off = "stop"', f'cut_off = "{has.get("cut_off", "stop")}"'),
        (FILED, TRIBAL if place == "wa_tribal" else FILED),
        ("options = { decks = 6 }\ndecks = 2", "options = { decks = 2 }"),
    ):
        text = text.replace(old, new)
    findings = check(floor_of(text), on=DAY)
    told = {f"{one.severity} {one.requirement} {one.mark}": one.what for one in findings}
    assert phrase in told[finding]
    assert [one for one in told if one.startswith("refused")] == [finding] * finding.startswith("refused")
