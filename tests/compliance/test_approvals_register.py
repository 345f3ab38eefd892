"""The approvals register: every entry cites a paragraph that there is, and the titles agree with it."""

import pytest

from feltwork.site.compliance import approvals_register as register
from feltwork.site.compliance.approval import operated
from feltwork.site.compliance.approvals_register import (
    AMENDED,
    GAMES,
    JACKPOTS,
    PAYTABLES,
    Component,
    component,
)
from feltwork.site.compliance.check import check
from feltwork.sources import citations, paragraphs
from feltwork.titles import registry
from feltwork.titles.title import Game
from tests.compliance.floors import DAY, changed, compliant, findings, floor_of, found, small, text_of

#: The paragraphs of the makers' advice that the check cites.
ADVICE = (
    *("contribution.percentage-only", "contribution.all-from-meter.growth"),
    *("reserve.portion", "reserve.keep-seed", "seed.preset", "seed.minimum", "seed.zero"),
)


def cited() -> list[str]:
    texts = [register.AMENDED_CITES]
    texts += [text for game in GAMES.values() for text in (game.cites, game.limits, game.equipment)]
    for jackpot in JACKPOTS.values():
        texts += [jackpot.cites, jackpot.systems_cites, jackpot.confirmation, jackpot.reversal]
        texts += [text for game in jackpot.games.values() for text in (game.cites, game.fixed_pays_cites)]
        texts += [f"{jackpot.advice}.{paragraph}" for paragraph in ADVICE]
    texts += [game.shuffler_approval for game in GAMES.values() if game.shuffler_approval]
    texts += [paytable.cites for paytable in PAYTABLES.values()]
    texts += [paytable.preset.cites for paytable in PAYTABLES.values() if paytable.preset]
    texts += [game.one_jackpot_cites for game in register.GAMES.values() if game.one_jackpot_with]
    letters = {game.letter for game in registry.games()}
    texts += [f"{letter}.approval.{first.paragraph}" for letter in letters for first in register.FIRST]
    for text in texts:
        assert citations(text), text
    return [paragraph for text in texts for paragraph in citations(text)]


@pytest.mark.requirement("LT-16")
def test_every_entry_cites_paragraphs_that_there_are() -> None:
    assert set(cited()) <= paragraphs().keys()


@pytest.mark.requirement("LT-16")
def test_the_66_amended_games_say_which_are_in_this_box() -> None:
    assert [game.number for game in AMENDED] == list(range(1, 67))
    assert len({game.name for game in AMENDED}) == 66
    assert {title for game in AMENDED for title in game.titles} == set(registry.own_names())
    inside = [game.number for game in AMENDED if game.titles]
    assert inside == [1, 10, 11, 12, 15, 18, 35, 53]


def test_the_register_has_every_title_and_its_paytables_exist() -> None:
    titles = [registry.title(name) for name in registry.own_names()]
    assert GAMES.keys() == {title.name for title in titles if isinstance(title, Game)}
    assert JACKPOTS.keys() == {title.name for title in titles if not isinstance(title, Game)}
    for name, approval in PAYTABLES.items():
        paytable = registry.paytable(*name.split("/", 2))
        assert not approval.preset or tuple(approval.preset.seeds) == tuple(paytable.levels)


def test_the_decks_and_seats_of_a_title_are_those_of_its_letter() -> None:
    for name, approval in GAMES.items():
        game = registry.game(name)
        decks = next((option.values for option in game.options if option.name == "decks"), ())
        assert not approval.decks or decks == approval.decks
        assert not approval.hands or game.max_seats + 1 == max(approval.hands)


@pytest.mark.requirement("LT-16")
@pytest.mark.parametrize(
    ("approved", "installed", "allowed"),
    [
        ("GM Atlas v5.4.0 or higher", "GM Atlas v5.4.0", True),
        ("GM Atlas v5.4.0 or higher", "gm atlas 5.10.0", True),
        ("GM Atlas v5.4.0 or higher", "GM Atlas v5.3.9", False),
        ("GM Atlas v5.4.0 or higher", "GM Atlas", False),
        ("Game Manager v6.6 Build 520 or higher", "Game Manager v6.6 Build 519", False),
        ("Game Manager v6.6 Build 520 or higher", "Game Manager v6.7 Build 1", True),
        ("Nexus Command Game Manager v1.3.0 or higher", "Nexus Command Game Manager 2 v2.5.4", False),
        ("Aquarius Controller v6.5.6SP", "Aquarius Controller v6.5.6SP", True),
        ("Aquarius Controller v6.5.6SP", "Aquarius Controller v6.5.7SP", False),
        ("CHAM2+ v1.66P$", "CHAM2+ v1.66P$", True),
        ("i-Deal Plus", "i-Deal Plus v1.0.7", True),
    ],
)
def test_a_component_is_held_against_the_listed_version(approved: str, installed: str, allowed: bool) -> None:
    assert component(approved).allows(component(installed)) is allowed
    assert str(component(approved)) == approved


@pytest.mark.requirement("LT-16")
def test_a_version_alone_does_not_allow_higher_ones() -> None:
    assert Component("GM Atlas", "5.4.0").allows(component("GM Atlas v5.4.0"))
    assert not Component("GM Atlas", "5.4.0").allows(component("GM Atlas v5.5.0"))


@pytest.mark.requirement("LT-16")
@pytest.mark.parametrize(
    "name", ["blazing_on_aquarius", "dragon_3_at_5_dollars", "four_card_on_6_5_4", "old_atlas"]
)
def test_outside_of_washington_an_approval_settles_what_the_letters_do_not_allow(name: str) -> None:
    text = text_of(f"unlawful/{name}").replace('"wa_cardroom"', '"generic"')
    (warning,) = findings(floor_of(text))
    assert warning.severity == "warning"
    approved = text.replace('cut_off = "stop"', 'cut_off = "stop"\napproval = "A-7"')
    assert found(floor_of(approved)) == []
    assert "allowed by A-7" in [finding.remedy for finding in check(floor_of(approved), on=DAY)]
    here = approved.replace('"generic"', '"wa_cardroom"')
    assert [finding.severity for finding in findings(floor_of(here))] == ["refused"]


@pytest.mark.requirement("LT-03", "LT-04", "LT-17")
def test_elsewhere_no_letter_asks_for_people_or_approvals() -> None:
    bare = changed(('"wa_cardroom"', '"generic"')).partition("[approvals]")[0]
    assert found(floor_of(bare)) == []
    here = bare.replace('"generic"', '"wa_cardroom"')
    assert [finding.requirement for finding in findings(floor_of(here)) if finding.severity == "refused"] == [
        "LT-03",
        "LT-03",
        "LT-04",
        "LT-17",
    ]


@pytest.mark.requirement("LT-17")
def test_an_approval_may_be_for_one_table_alone() -> None:
    moved = compliant(text_of("unlawful/no_internal_controls"))
    line = 'approvals = { internal_controls = "IC-12", manufacturer_license = "ML-4" }\n'
    assert line in moved
    at_table = moved.replace(line, "").replace("seats = 7\n", f"seats = 7\n{line}")
    assert found(floor_of(at_table)) == []


@pytest.mark.requirement("LT-16")
def test_what_is_operated_names_the_equipment() -> None:
    values = operated(small(('cut_off = "stop"', 'cut_off = "stop"\nsystem = ["GM Atlas v5.4.0"]')))
    assert values["table C1, equipment, shuffler"] == "i-Deal Plus"
    assert values["link four-aces, system"] == "GM Atlas v5.4.0"


@pytest.mark.requirement("GEN-26")
def test_a_dragon_is_priced_for_the_side_of_the_bettor() -> None:
    """On paytable 2 both sides together return more than a wager, and the house would seem to lose."""
    floor = floor_of(compliant(text_of("unlawful/dragon_2_at_5_dollars")))
    notes = [finding.what for finding in check(floor, on=DAY) if finding.requirement == "GEN-26"]
    assert len(notes) == 1
    assert notes[0].startswith("the house keeps")
