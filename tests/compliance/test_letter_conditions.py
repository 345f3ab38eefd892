"""The conditions and the advice of the letters, each for every game, jackpot and system that it names."""

from dataclasses import replace

import pytest

from feltwork import sources
from feltwork.site.compliance.approval import differences
from feltwork.site.compliance.check import check, rulings_of
from feltwork.site.compliance.checks.approvals import _amended
from feltwork.site.compliance.finding import Finding, FloorCase
from feltwork.site.compliance.floor import Floor
from tests.compliance.floors import DAY, floor_of

HEAD = """
site = "Example"
location = "example"
jurisdiction = "wa_cardroom"
approvals = { internal_controls = "IC-12", manufacturer_license = "ML-4" }
gambling_day = { time_zone = "America/Los_Angeles", starts_at_hour = 6 }
person = [
  { id = "sam", roles = ["supervisor"] },
  { id = "eve", roles = ["executive"] },
  { id = "ann", roles = ["accounting"] },
  { id = "bob", roles = ["accounting"] },
]
"""
#: The game of each letter, with what its table needs.
GAMES = {
    "C4": 'game = "crazy_4"\npaytables.super_bonus = "C4P-09"\nequipment = { shuffler = "i-Deal Plus" }',
    "DB": 'game = "mini_baccarat"\noptions = { decks = 8 }',
    "TH": 'game = "holdem_bonus"',
    "HM": 'game = "blackjack"\noptions = { decks = 6 }',
    "SF": 'game = "six_five_four"\npaytables.ante_bonus = "1"',
}
#: The jackpots of each letter: letter of the game, and the link.
JACKPOTS = {
    "four_card": ("C4", 'jackpot = "four_card"\npaytable = "1"'),
    "five_card at crazy_4": ("C4", 'jackpot = "five_card"\npaytable = "01"'),
    "five_card at holdem_bonus": ("TH", 'jackpot = "five_card"\npaytable = "01"'),
    "holdem": ("TH", 'jackpot = "holdem"\npaytable = "THBP-08"'),
    "dragon": ("DB", 'jackpot = "dragon"\npaytable = "3"\noptions = { share_with = "all_bettors" }'),
    "player_cards": ("HM", 'jackpot = "blazing_7s"\nvariant = "player_cards"\npaytable = "1"'),
    "dealer_up_card": ("HM", 'jackpot = "blazing_7s"\nvariant = "dealer_up_card"\npaytable = "1"'),
    "trilux": ("HM", 'jackpot = "trilux"\npaytable = "6"'),
}
METER = {"seed": '"10000.00"', "contribution": '"15%"', "reserve": '"1%"'}


def table(letter: str, *, name: str = "T1", more: str = "", sensors: int = 1) -> str:
    """A table of the game of a letter."""
    return f"""
[[table]]
id = "{name}"
seats = 7
entry = "sensors"
sensors = {sensors}
manufacturer = "Light & Wonder"
{"" if "highest_wager" in more else 'highest_wager = "300.00"'}
{GAMES[letter]}
{more}
"""


def link(
    jackpot: str,
    *,
    tables: str = '["T1"]',
    controls: str = "nexus",
    more: str = "",
    wager: str = "1.00",
    **meter: str,
) -> str:
    """A progressive, or a house jackpot where `more` says so, with one meter."""
    seed = {"trilux": '"1000.00"'}.get(jackpot, METER["seed"])
    values = METER | {"seed": seed} | meter
    levels = "\n".join(f"{key} = {value}" for key, value in values.items() if value)
    kind = "" if "kind =" in more else 'kind = "progressive"'
    return f"""
[[link]]
id = "{jackpot.replace(" ", "-").replace("_", "-")}"
{kind}
{JACKPOTS[jackpot][1]}
wager = "{wager}"
tables = {tables}
manufacturer = "Light & Wonder"
controls = "{controls}"
lock_at = "{"run" if controls == "aquarius" else "confirm"}"
executive_above = "5000.00"
cut_off = "stop"
{more}

[[link.meter]]
level = "jackpot"
{levels}
"""


def floor_with(jackpot: str, *, at_table: str = "", **of_link: str) -> Floor:
    """A floor with one table and one jackpot."""
    return floor_of(HEAD + table(JACKPOTS[jackpot][0], more=at_table) + link(jackpot, **of_link))


def told(floor: Floor) -> list[Finding]:
    return [finding for finding in check(floor, on=DAY) if finding.severity != "note"]


def texts(floor: Floor) -> list[str]:
    return [finding.what for finding in told(floor)]


@pytest.mark.parametrize("jackpot", JACKPOTS)
def test_the_floors_of_this_module_pass_as_they_are(jackpot: str) -> None:
    assert texts(floor_with(jackpot)) == []


FILED = 'approvals = { internal_controls = "IC-12", manufacturer_license = "ML-4" }'
TRIBAL = 'approvals = { tribal_gaming_agency = "T-1", state = "S-3", manufacturer_license = "ML-4" }'


@pytest.mark.letter(
    "site.compliance.checks.approvals._first",
    "{C4,DB,TH,HM,SF}.approval.decision",
    "{C4,DB,TH,HM,SF}.approval.{cardroom-controls,cardroom-licensing,tribal-agency,tribal-concurrence}",
    "{C4,DB,TH,HM,SF}.approval.{tribal-compact,tribal-licensing}",
)
@pytest.mark.requirement("LT-17", "TR-01")
@pytest.mark.parametrize("letter", GAMES)
@pytest.mark.parametrize(
    ("filed", "missing", "paragraph", "message"),
    [
        (FILED, 'internal_controls = "IC-12", ', "cardroom-controls", "approval of the internal controls"),
        (FILED, ', manufacturer_license = "ML-4"', "cardroom-licensing", "state license of manufacturers"),
        (TRIBAL, 'tribal_gaming_agency = "T-1", ', "tribal-agency", "approval of the Tribal Gaming Agency"),
        (TRIBAL, 'state = "S-3", ', "tribal-concurrence", "Compact Appendix A, Section 18"),
        (
            TRIBAL,
            ', manufacturer_license = "ML-4"',
            "tribal-licensing",
            "the tribal license of manufacturers",
        ),
    ],
)
def test_a_game_waits_for_the_approvals_of_its_letter(
    letter: str, filed: str, missing: str, paragraph: str, message: str
) -> None:
    head = HEAD if filed is FILED else HEAD.replace(FILED, TRIBAL).replace("wa_cardroom", "wa_tribal")
    text = head + table(letter)
    assert texts(floor_of(text)) == []
    (what,) = texts(floor_of(text.replace(missing, "")))
    assert message in what
    assert f"[{letter}.approval.{paragraph}]" in what


@pytest.mark.letter("site.compliance.checks.approvals._amended", "{C4,DB,TH,HM,SF}.approval.amended-games")
@pytest.mark.requirement("LT-17")
@pytest.mark.parametrize("letter", GAMES)
def test_a_game_is_among_the_amended_ones_or_has_an_approval_of_its_own(letter: str) -> None:
    floor = floor_of(HEAD + table(letter))
    case = FloorCase(floor, rulings_of(floor, on=DAY))
    (known,) = floor.tables
    assert list(_amended(case, known)) == []
    other = replace(known, game=replace(known.game, name="other", title="Another Game"))
    (finding,) = _amended(case, other)
    assert "no letter approves Another Game at T1 [C4.approval.amended-games" in finding.what
    assert list(_amended(case, replace(other, approvals={"game": "G-1"}))) == []


@pytest.mark.letter("site.compliance.approval.differences", "{C4,DB,TH,HM,SF}.approval.modifications")
@pytest.mark.requirement("LT-16")
@pytest.mark.parametrize("letter", GAMES)
def test_a_modified_game_is_told_from_the_approved_one(letter: str) -> None:
    approved = floor_of(HEAD + table(letter))
    assert differences(approved, approved) == ()
    (change,) = differences(approved, floor_of(HEAD + table(letter).replace("seats = 7", "seats = 6")))
    assert (change.where, change.approved, change.operated) == ("table T1, seats", "7", "6")


NEXUS_ATLAS = (
    "Nexus Command Game Manager v1.3.0, GM Atlas v5.4.0, Nexus Command Table Controller Software v2.0.0"
)
NEXUS_2_ATLAS = (
    "Nexus Command Game Manager 2 v2.5.4, GM Atlas v5.4.0, Nexus Command Table Controller 2 v2.6.0"
)
NEXUS = "Nexus Command Game Manager v1.3.0, Nexus Command Table Controller Software v2.0.0"
NEXUS_2 = "Nexus Command Game Manager 2 v2.5.4, Nexus Command Table Controller 2 v2.6.0"
AQUARIUS = "Game Manager v6.6 Build 520, Aquarius Controller v6.5.6SP, Coin Spot v6.0"
#: Systems that each letter lists, and one that it does not: an older version, or components of two systems.
SYSTEMS = [
    ("four_card", "aquarius", AQUARIUS, AQUARIUS.replace("520", "519")),
    ("four_card", "nexus", NEXUS_ATLAS, NEXUS_ATLAS.replace("v1.3.0", "v1.2.9")),
    ("four_card", "nexus", NEXUS_2_ATLAS, NEXUS_2_ATLAS.replace("v5.4.0", "v5.3.9")),
    ("five_card at crazy_4", "nexus", NEXUS_ATLAS, NEXUS_ATLAS.replace("v2.0.0", "v1.9.9")),
    ("five_card at crazy_4", "nexus", NEXUS_2_ATLAS, NEXUS_2_ATLAS.replace("v2.6.0", "v2.5.9")),
    ("five_card at holdem_bonus", "nexus", NEXUS, f"{NEXUS}, Nexus Command Table Controller 2 v2.6.0"),
    (
        "five_card at holdem_bonus",
        "nexus",
        "Nexus Command Game Manager 2 v2.5.4",
        "Nexus Command Game Manager 2 v2.5.3",
    ),
    ("five_card at holdem_bonus", "nexus", "GM Atlas v5.4.0", "GM Atlas v5.3.9"),
    ("holdem", "aquarius", AQUARIUS, AQUARIUS.replace("v6.5.6SP", "v6.5.7SP")),
    ("holdem", "nexus", NEXUS, NEXUS.replace("v2.0.0", "v1.9.9")),
    ("holdem", "nexus", NEXUS_2, NEXUS_2.replace("v2.5.4", "v2.5.3")),
    ("holdem", "nexus", "Nexus Command II v5.4", "Nexus Command II v5.3"),
    ("dragon", "aquarius", AQUARIUS, AQUARIUS.replace("Coin Spot v6.0", "Coin Spot v5.0")),
    ("dragon", "nexus", NEXUS_ATLAS, NEXUS_ATLAS.replace("Software v2.0.0", "2 v2.6.0")),
    ("dragon", "nexus", NEXUS_2_ATLAS, NEXUS_2_ATLAS.replace("v2.5.4", "v2.5.3")),
    *(
        (jackpot, "nexus", system, system.replace("v2.5.4", "v2.5.3").replace("v5.4.0", "v5.3.9"))
        for jackpot in ("player_cards", "dealer_up_card", "trilux")
        for system in ("Nexus Command Game Manager 2 v2.5.4", "GM Atlas v5.4.0")
    ),
]


@pytest.mark.letter(
    "site.compliance.checks.approvals._system",
    "{C4,TH}.{aquarius,nexus,link}.components",
    "DB.{aquarius,nexus}.components",
    "DB.nexus.components-2",
    "HM.{blazing_player,blazing_upcard,trilux}.components",
    "{C4,DB,TH,HM}.approval.change-progressive",
)
@pytest.mark.requirement("LT-16")
@pytest.mark.parametrize(("jackpot", "controls", "system", "other"), SYSTEMS)
def test_a_jackpot_runs_on_a_system_that_its_letter_lists(
    jackpot: str, controls: str, system: str, other: str
) -> None:
    def on(system: str) -> list[str]:
        names = ", ".join(f'"{component}"' for component in system.split(", "))
        return texts(floor_with(jackpot, controls=controls, more=f"system = [{names}]"))

    assert on(system) == []
    (what,) = on(other)
    assert "which the letter does not list together" in what


@pytest.mark.letter(
    "site.compliance.checks.approvals._system",
    "{C4,TH}.{nexus,link}.display",
    "DB.nexus.display",
    "HM.{blazing_player,blazing_upcard,trilux}.display",
    "{C4,DB,TH}.aquarius.components",
)
@pytest.mark.requirement("LT-16")
@pytest.mark.parametrize(
    ("jackpot", "controls", "display"),
    [
        *((jackpot, "nexus", "table monitor") for jackpot in JACKPOTS),
        *((jackpot, "aquarius", "CHAM2+ v1.66P$") for jackpot in ("four_card", "holdem", "dragon")),
        *((jackpot, "aquarius", "ViPS v1.2.0") for jackpot in ("four_card", "holdem", "dragon")),
    ],
)
def test_a_jackpot_is_shown_on_a_display_that_its_letter_lists(
    jackpot: str, controls: str, display: str
) -> None:
    def on(screen: str) -> list[str]:
        shuffler = 'shuffler = "i-Deal Plus", ' if JACKPOTS[jackpot][0] == "C4" else ""
        line = f'equipment = {{ {shuffler}display = "{screen}" }}'
        text = HEAD + table(JACKPOTS[jackpot][0], more=line) + link(jackpot, controls=controls)
        return texts(floor_of(text.replace('equipment = { shuffler = "i-Deal Plus" }\n', "")))

    assert on(display) == []
    (what,) = on("networked tablet")
    assert "is shown on networked tablet at T1" in what


@pytest.mark.letter(
    "site.compliance.checks.tables._wagers",
    "{C4,TH}.{aquarius,nexus,link}.limits",
    "DB.{introduction,aquarius,nexus}.limits",
    "TH.irregularities.limits",
    "HM.{house_money,blazing_player,blazing_upcard,trilux}.limits",
    "SF.overview.limits",
)
@pytest.mark.requirement("WA-26")
def test_no_wager_of_a_game_or_a_jackpot_is_above_the_limit() -> None:
    for letter in GAMES:
        assert texts(floor_of(HEAD + table(letter, more='highest_wager = "400.00"'))) == []
        (what,) = texts(floor_of(HEAD + table(letter, more='highest_wager = "500.00"')))
        assert "WAC 230-15-140 (text unread) allows $400.00" in what
        assert sources.citations(what)[0].startswith(f"{letter}.")
    for jackpot in JACKPOTS:
        for controls in ("nexus", "aquarius") if jackpot in ("four_card", "holdem", "dragon") else ("nexus",):
            messages = texts(floor_with(jackpot, controls=controls, wager="400.01"))
            assert any(what.startswith("the wager of") and "allows $400.00" in what for what in messages)
            messages = texts(floor_with(jackpot, controls=controls, wager="400.00"))
            assert not any(what.startswith("the wager of") for what in messages)


@pytest.mark.letter(
    "site.compliance.checks.approvals._shuffler",
    "C4.deal.introduction",
    "C4.cover_all.{hand-dealt,equipment,4}",
    "DB.{introduction,aquarius,nexus}.{equipment,shuffling}",
    "TH.deal.1",
    "HM.{house_money,trilux}.shuffling",
    "SF.deal.introduction",
)
@pytest.mark.requirement("LT-16")
@pytest.mark.parametrize(
    ("letter", "equipment", "message"),
    [
        ("C4", 'shuffler = "i-Deal", shuffler_mode = "Caribbean Stud"', ""),
        ("C4", 'shuffler = "i-Deal Plus", shuffler_mode = "Crazy 4 Poker"', ""),
        ("C4", 'shuffler = "i-Deal Plus", shuffler_mode = "6-5-4"', "in the mode 6-5-4"),
        ("C4", 'shuffler = "Card Mixer"', "the letter lists i-Deal or i-Deal Plus"),
        ("C4", 'shoe = "i-Shoe v2.0.141"', "must be dealt from one"),
        ("caribbean_stud", "", ""),
        ("caribbean_stud", 'shoe = "any shoe"', ""),
        (
            "caribbean_stud",
            'shuffler = "i-Deal Plus v1.0.102", shuffler_mode = "Caribbean Stud Poker Cover All"',
            "",
        ),
        ("caribbean_stud", 'shuffler = "i-Deal Plus v1.0.101"', "i-Deal Plus v1.0.102 or higher"),
        ("caribbean_stud", 'shuffler_mode = "Caribbean Stud"', "in the mode Caribbean Stud"),
        *(
            ("DB", f'shoe = "{shoe}"', message)
            for shoe, message in (
                ("i-Shoe v2.0.141", ""),
                ("Safe-Shoe v1.2.0.0", ""),
                ("CardRec v4.0.014", ""),
                ("i-Score v1.5.19", ""),
                ("i-Shoe v2.0.140", "i-Shoe v2.0.141 or higher"),
                ("Safe-Shoe v1.1.9.9", "Safe-Shoe v1.2.0.0 or higher"),
                ("CardRec v4.0.013", "CardRec v4.0.014 or higher"),
                ("i-Score v1.5.18", "i-Score v1.5.19 or higher"),
            )
        ),
        ("DB", 'shuffler = "Card Mixer"', "the Commission's approval of it is not on file"),
        ("HM", 'shuffler = "Card Mixer"', "the Commission's approval of it is not on file"),
        ("HM", "", ""),
        ("TH", 'shuffler = "Deck Mate 2"', ""),
        ("TH", 'shuffler = "Card Mixer"', ""),
        ("SF", 'shuffler = "ACE", shuffler_mode = "Bahama Bonus"', ""),
        ("SF", "", ""),
        ("SF", 'shuffler = "ACE", shuffler_mode = "Three Card Poker"', "in the mode Three Card Poker"),
    ],
)
def test_shufflers_and_shoes_are_those_of_the_letter(letter: str, equipment: str, message: str) -> None:
    cover_all = 'game = "caribbean_stud"\nside_bets = { cover_all = "5.00" }'
    game = GAMES.get(letter, cover_all).partition("\nequipment")[0]
    text = HEAD + table("SF", more=f"equipment = {{ {equipment} }}").replace(GAMES["SF"], game)
    messages = texts(floor_of(text))
    assert len(messages) == bool(message)
    assert all(message in what for what in messages)
    approved = text.replace(
        'manufacturer_license = "ML-4"', 'manufacturer_license = "ML-4", shuffler = "S-2"'
    )
    assert (texts(floor_of(approved)) == []) is (not message or "not on file" in message)


TITLES = {
    "bet-the-set": "Bet the Set",
    "free-bet": "Free Bet Blackjack",
    "house-money": "House Money",
    "kings-bounty": "Kings Bounty",
    "royal-match": "Royal Match",
    "trilux": "TriLux Blackjack",
    "zappit": "Zappit Blackjack",
}


@pytest.mark.letter(
    "site.compliance.checks.links._title_rule",
    "HM.{blazing_player,blazing_upcard,trilux}.titles",
    "HM.{blazing_player,blazing_upcard,trilux}.titles.*",
)
@pytest.mark.requirement("WA-13")
@pytest.mark.parametrize("jackpot", ["player_cards", "dealer_up_card", "trilux"])
@pytest.mark.parametrize("paragraph", TITLES)
def test_one_jackpot_serves_the_seven_titles_and_no_other(jackpot: str, paragraph: str) -> None:
    section = {"player_cards": "blazing_player", "dealer_up_card": "blazing_upcard"}.get(jackpot, jackpot)
    assert TITLES[paragraph] in sources.paragraphs()[f"HM.{section}.titles.{paragraph}"].says

    def shared_with(title: str) -> list[str]:
        tables = table("HM", more='known_as = "House Money"') + table(
            "HM", name="T2", more=f'known_as = "{title}"'
        )
        findings = told(floor_of(HEAD + tables + link(jackpot, tables='["T1", "T2"]')))
        return [finding.what for finding in findings if finding.severity == "refused"]

    assert shared_with(TITLES[paragraph]) == []
    (what,) = shared_with("Super Fun 21")
    assert what.startswith("Super Fun 21 at T2 is not a title that may share")


@pytest.mark.letter(
    "site.compliance.checks.links._title_rule",
    "HM.{blazing_player,blazing_upcard,trilux}.linking",
    "DB.{aquarius,nexus}.no-link",
)
@pytest.mark.requirement("WA-13")
@pytest.mark.parametrize(
    ("jackpot", "controls", "second", "message"),
    [
        ("player_cards", "nexus", "8", "links shoes of 6 and 8 decks"),
        ("dealer_up_card", "nexus", "8", "links shoes of 6 and 8 decks"),
        ("trilux", "nexus", "8", "links shoes of 6 and 8 decks"),
        ("dragon", "nexus", "8", "is never linked"),
        ("dragon", "aquarius", "8", "is never linked"),
    ],
)
def test_what_may_be_linked(jackpot: str, controls: str, second: str, message: str) -> None:
    letter = JACKPOTS[jackpot][0]
    other = table(letter, name="T2").replace("decks = 6", f"decks = {second}")
    text = HEAD + table(letter) + other + link(jackpot, tables='["T1", "T2"]', controls=controls)
    assert any(message in what for what in texts(floor_of(text)))
    same = text.replace("decks = 8", "decks = 6") if letter == "HM" else text.replace(', "T2"]', "]")
    assert texts(floor_of(same)) == []


@pytest.mark.letter("site.compliance.checks.links._views", "HM.{blazing_player,blazing_upcard,trilux}.decks")
@pytest.mark.requirement("WA-13")
@pytest.mark.parametrize("jackpot", ["player_cards", "dealer_up_card", "trilux"])
def test_a_blackjack_jackpot_is_dealt_from_six_or_eight_decks(jackpot: str) -> None:
    def dealt_from(decks: int) -> list[str]:
        return texts(floor_of(floor_text(jackpot).replace("decks = 6", f"decks = {decks}")))

    assert dealt_from(6) == []
    assert any("is not offered with the 4 decks of T1" in what for what in dealt_from(4))


def floor_text(jackpot: str, *, controls: str = "nexus") -> str:
    return HEAD + table(JACKPOTS[jackpot][0]) + link(jackpot, controls=controls)


@pytest.mark.letter("site.compliance.checks.approvals._games", "{C4,TH}.{aquarius,nexus}.use")
@pytest.mark.requirement("WA-13")
@pytest.mark.parametrize("jackpot", ["four_card", "holdem"])
@pytest.mark.parametrize("controls", ["aquarius", "nexus"])
def test_tables_of_one_same_game_are_connected(jackpot: str, controls: str) -> None:
    letter = JACKPOTS[jackpot][0]

    def connected(known_as: str) -> list[str]:
        other = table(letter, name="T2", more=f'known_as = "{known_as}"' if known_as else "")
        return texts(
            floor_of(HEAD + table(letter) + other + link(jackpot, tables='["T1", "T2"]', controls=controls))
        )

    assert connected("") == []
    (what,) = connected("Another Game")
    assert "only tables of the same game may share it" in what


@pytest.mark.letter("site.compliance.checks.links._views", "{C4,TH}.link.use")
@pytest.mark.requirement("LT-11")
def test_the_link_is_for_games_that_show_five_cards() -> None:
    for letter in ("C4", "TH"):
        assert texts(floor_of(HEAD + table(letter) + link("five_card at crazy_4"))) == []
    for letter in ("DB", "HM"):
        messages = texts(floor_of(HEAD + table(letter) + link("five_card at crazy_4")))
        assert any("looks at" in what for what in messages)


@pytest.mark.letter("site.compliance.checks.links._equal_chance", "C4.link.3", "TH.link.4")
@pytest.mark.requirement("WA-11", "LT-11")
def test_the_link_connects_five_card_games_with_the_same_chance_and_no_others() -> None:
    two = '["T1", "T2"]'
    games = table("C4") + table("TH", name="T2")
    assert texts(floor_of(HEAD + games + link("five_card at crazy_4", tables=two))) == []
    sevens = table("HM", more='known_as = "House Money"') + table(
        "HM", name="T2", more='known_as = "Royal Match"'
    ).replace("decks = 6", "decks = 8")
    messages = texts(floor_of(HEAD + sevens + link("dealer_up_card", tables=two)))
    assert any("T1 and T2 do not have the same chance" in what for what in messages)


HOUSE = 'kind = "house"'
#: A house jackpot has a posted amount and no meter that grows.
POSTED = {"seed": "", "contribution": "", "reserve": "", "amount": '"5000.00"'}
BLACKJACK_JACKPOTS = ("player_cards", "dealer_up_card", "trilux")


def layout(*links: str, sensors: int = 2) -> list[str]:
    """The findings for one blackjack table with these links."""
    return texts(floor_of(HEAD + table("HM", sensors=sensors) + "".join(links)))


@pytest.mark.letter(
    "site.compliance.checks.tables._sensors",
    "HM.{blazing_player,blazing_upcard,trilux}.types",
    "HM.{blazing_player,blazing_upcard,trilux}.types.{two-options,one-per-sensor}",
)
@pytest.mark.requirement("WA-04")
@pytest.mark.parametrize("jackpot", BLACKJACK_JACKPOTS)
def test_a_layout_has_two_jackpots_each_on_its_own_sensor(jackpot: str) -> None:
    first, second, third = [jackpot, *(other for other in BLACKJACK_JACKPOTS if other != jackpot)]
    assert layout(link(first), link(second)) == []
    assert any("on 1 sensors" in what for what in layout(link(first), link(second), sensors=1))
    assert any(
        "a layout carries 2" in what for what in layout(link(first), link(second), link(third), sensors=3)
    )


@pytest.mark.letter(
    "site.compliance.checks.tables._games_per_hand",
    "HM.{blazing_player,blazing_upcard,trilux}.types.separate-game",
)
@pytest.mark.requirement("WA-04", "WA-26")
@pytest.mark.parametrize("jackpot", BLACKJACK_JACKPOTS)
def test_each_jackpot_sensor_is_a_game_of_its_own(jackpot: str) -> None:
    second = next(other for other in BLACKJACK_JACKPOTS if other != jackpot)
    bets = 'side_bets = { house_money = "10.00" }\npaytables = { house_money = "1" }'
    floor = HEAD + table("HM", sensors=2, more=bets)
    (what,) = [
        what
        for what in texts(floor_of(floor + link(jackpot, wager="6.00") + link(second, wager="6.00")))
        if "takes more than" in what
    ]
    assert "on 4 games: blackjack, house_money, " in what


@pytest.mark.letter(
    "site.compliance.checks.tables._types", "HM.{blazing_player,blazing_upcard,trilux}.types.single-type"
)
@pytest.mark.requirement("WA-04")
@pytest.mark.parametrize("jackpot", BLACKJACK_JACKPOTS)
def test_the_jackpots_of_a_table_are_of_one_type(jackpot: str) -> None:
    second = next(other for other in BLACKJACK_JACKPOTS if other != jackpot)
    assert layout(link(jackpot, more=HOUSE, **POSTED), link(second, more=HOUSE, **POSTED)) == []
    (what,) = layout(link(jackpot, more=HOUSE, **POSTED), link(second))
    assert "one table's jackpots are all of one type" in what


@pytest.mark.letter(
    "site.compliance.checks.links._runs",
    "HM.{blazing_player,blazing_upcard,trilux}.types.{no-mixed-link,house}",
)
@pytest.mark.requirement("WA-01")
@pytest.mark.parametrize("jackpot", BLACKJACK_JACKPOTS)
def test_no_link_is_both_a_house_jackpot_and_a_progressive(jackpot: str) -> None:
    both = {**POSTED, "contribution": '"15%"'}
    (what,) = layout(link(jackpot, more=HOUSE, **both))
    assert "no player money may feed a house jackpot" in what


@pytest.mark.letter(
    "site.compliance.checks.links._shows",
    "HM.{blazing_player,blazing_upcard,trilux}.types.{house,progressive}",
)
@pytest.mark.requirement("WA-02", "WA-07")
@pytest.mark.parametrize("jackpot", BLACKJACK_JACKPOTS)
@pytest.mark.parametrize(("more", "meter"), [("", {}), (HOUSE, POSTED)])
def test_what_can_be_won_is_displayed_at_every_table(jackpot: str, more: str, meter: dict[str, str]) -> None:
    text = HEAD + table("HM", more="shows_meter = false") + link(jackpot, more=more, **meter)
    (what,) = texts(floor_of(text))
    assert what.startswith("T1 does not show the amounts of")
    assert texts(floor_of(text.replace("shows_meter = false", ""))) == []


#: A jackpot of each letter with its section of the makers' advice.
ADVICE = {
    "four_card": "C4.recommendations",
    "dragon": "DB.recommendations",
    "holdem": "TH.recommendations",
    "dealer_up_card": "HM.recommendations.blazing",
    "trilux": "HM.recommendations.trilux",
}
PAY_ALL = 'fixed_pays_from = "meter"'


def advised(jackpot: str, paragraph: str, **of_link: str) -> list[str]:
    """The warnings that cite a paragraph of the advice."""
    more = of_link.pop("options", "")
    text = HEAD + table(JACKPOTS[jackpot][0]) + link(jackpot, **of_link)
    if more and "share_with" in text:
        text = text.replace("{ share_with", f"{{ {more}, share_with")
    elif more:
        text = text.replace('cut_off = "stop"', f'cut_off = "stop"\noptions = {{ {more} }}')
    return [what for what in texts(floor_of(text)) if f"[{ADVICE[jackpot]}.{paragraph}]" in what]


def kept(jackpot: str, contribution: str) -> float:
    """The percentage of each wager that the house keeps, as the check says."""
    findings = check(floor_with(jackpot, contribution=f'"{contribution}"'), on=DAY)
    (what,) = [finding.what for finding in findings if finding.what.startswith("the house keeps")]
    return float(what.removeprefix("the house keeps ").partition("%")[0])


@pytest.mark.letter(
    "site.compliance.checks.meters._seed",
    "{C4,DB,TH}.recommendations.{seed,seed.minimum,seed.zero,reserve.keep-seed}",
    "HM.recommendations.{blazing,trilux}.{seed,seed.minimum,seed.zero,reserve.keep-seed}",
)
@pytest.mark.requirement("LT-14")
@pytest.mark.parametrize("jackpot", ADVICE)
def test_a_seed_is_advised_and_not_below_the_largest_fixed_prize(jackpot: str) -> None:
    largest = {"four_card": 300, "dragon": 300, "holdem": 3000, "dealer_up_card": 200, "trilux": 125}[jackpot]
    assert advised(jackpot, "seed.zero", seed='"0.00"', reserve='"0%"')
    assert advised(jackpot, "reserve.keep-seed", seed='"0.00"', reserve='"1%"')
    assert advised(jackpot, "seed.minimum", seed=f'"{largest - 1}.00"')
    assert not advised(jackpot, "seed.minimum", seed=f'"{largest}.00"')
    assert not advised(jackpot, "seed.zero", seed='"0.01"', reserve='"0%"')


@pytest.mark.letter(
    "site.compliance.checks.meters._seed",
    "DB.recommendations.seed.preset",
    "HM.recommendations.blazing.seed.preset",
)
@pytest.mark.requirement("LT-14")
@pytest.mark.parametrize(("jackpot", "preset"), [("dragon", 5000), ("dealer_up_card", 2000)])
def test_the_preset_seed_is_advised(jackpot: str, preset: int) -> None:
    assert advised(jackpot, "seed.preset", seed=f'"{preset - 1}.00"')
    assert not advised(jackpot, "seed.preset", seed=f'"{preset}.00"')


@pytest.mark.letter(
    "site.compliance.checks.meters._rates",
    "{C4,DB,TH}.recommendations.{reserve,reserve.portion,contribution,contribution.all-from-meter.growth}",
    "{C4,DB,TH}.recommendations.contribution.{all-from-meter,percentage-only}",
    "HM.recommendations.{blazing,trilux}.{reserve,reserve.portion,contribution}",
    "HM.recommendations.{blazing,trilux}.contribution.{all-from-meter.growth,all-from-meter,percentage-only}",
)
@pytest.mark.requirement("LT-14")
@pytest.mark.parametrize("jackpot", ADVICE)
def test_rates_are_advised(jackpot: str) -> None:
    assert advised(jackpot, "reserve.portion", reserve='"0%"')
    assert not advised(jackpot, "reserve.portion", reserve='"1%"')
    growth = "contribution.all-from-meter.growth"
    for rate in ("0%", "69%"):
        assert advised(jackpot, growth, contribution=f'"{rate}"', options=PAY_ALL)
    for rate in ("70%", "99%"):
        assert not advised(jackpot, growth, contribution=f'"{rate}"', options=PAY_ALL)
    for rate in ("0%", "99%"):
        assert not any(
            "basis points" in what for what in texts(floor_with(jackpot, contribution=f'"{rate}"'))
        )
    above = texts(floor_with(jackpot, contribution='"100%"'))
    assert any("10100 basis points" in what for what in above), "with the reserve of 1%"
    assert advised(jackpot, "contribution.percentage-only", contribution='"99%"')
    assert not advised(jackpot, "contribution.percentage-only", contribution='"5%"')
    assert kept(jackpot, "5%") - kept(jackpot, "6%") == pytest.approx(1), "a raise costs the house that much"


@pytest.mark.letter("site.compliance.checks.tables._alone", "HM.house_money.one-jackpot")
@pytest.mark.requirement("WA-13")
def test_house_money_has_one_jackpot_beside_it() -> None:
    bets = 'side_bets = { house_money = "5.00" }\npaytables = { house_money = "1" }'
    text = HEAD + table("HM", sensors=2, more=bets) + link("dealer_up_card")
    assert texts(floor_of(text)) == []
    (what,) = texts(floor_of(text + link("trilux")))
    assert "only one jackpot is allowed with that bet" in what
