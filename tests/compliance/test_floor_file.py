"""The floor file: what it reads, how it says what it cannot read, and the links that come out of it."""

import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.compliance.floor import (
    ANY_SOFTWARE,
    OWN_SOFTWARE,
    SignOptions,
    link_from_floor,
    why_not_on_floor,
)
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.progressive.link import NO_CAP
from feltwork.toml_locations import Document
from tests.compliance.floors import SMALL, changed, floor_of, found, small

MORE = """
cap = "50000.00"
now = "12000.00"
unreasonable = "100.00"

[[link]]
id = "aces"
kind = "house"
jackpot = "five_card"
hand = "royal_flush"
amount = "5000.00"
wager = "1.00"
tables = ["C1"]
manufacturer = "Light & Wonder"
executive_above = "1000.00"

[[person]]
id = "sam"
roles = ["supervisor"]

[[confirmed]]
rule = "one_connected_jackpot"
is = false
reference = "a text"
"""


def test_a_floor_is_read() -> None:
    floor = small()
    (table,), (link,) = floor.tables, floor.links
    assert (floor.site, floor.location, floor.jurisdiction) == ("Example", "example", "wa_cardroom")
    assert (floor.day.time_zone, floor.day.starts_at_hour) == ("America/Los_Angeles", 6)
    assert (table.game.name, table.decks, table.location) == ("crazy_4", 1, "example")
    assert table.limits.side_bets == {"queens_up": 25 * DOLLAR}
    assert floor.tables_of(link) == (table,)
    assert floor.links_of(table) == (link,)


def test_the_least_numbers_are_allowed_and_nothing_is_added_to_what_is_left_out() -> None:
    floor = small(
        ('cut_off = "stop"', 'cut_off = "stop"\nnotice_days = 0'),
        ("seats = 7", "seats = 7\nrounds_per_hour = 1"),
    )
    (table,), (link,) = floor.tables, floor.links
    assert (link.notice_days, table.rounds_per_hour) == (0, 1)
    (meter,) = link.meters
    assert (meter.amount, meter.cap, meter.now, meter.unreasonable) == (0, NO_CAP, None, None)
    assert link.sign == SignOptions(layout="paytable", sound=False) == SignOptions()


def test_a_day_begins_at_its_hour_by_the_clock_of_the_house() -> None:
    day = small().day
    begins, ends = day.bounds(date(2025, 3, 8))
    assert begins == datetime(2025, 3, 8, 14, tzinfo=UTC)
    assert ends == datetime(2025, 3, 9, 13, tzinfo=UTC), "the clocks go forward in that night"
    assert day.of(datetime(2025, 3, 8, 13, 59, tzinfo=UTC)) == date(2025, 3, 7)
    assert day.of(begins) == date(2025, 3, 8)
    assert day.of(datetime(2025, 3, 9, 12, 59, tzinfo=UTC)) == date(2025, 3, 8)
    assert day.of(ends) == date(2025, 3, 9)


@pytest.mark.requirement("WA-31")
def test_a_controller_is_let_in_by_the_name_of_its_software() -> None:
    def admissions(*software: str) -> list[bool]:
        floor = small(('site = "Example"', f'site = "Example"\ndevice_software = {list(software)}'))
        return [floor.knows_software(name) for name in (OWN_SOFTWARE, "acme 1.0", "acme 1.1")]

    assert admissions() == [True, False, False]
    assert admissions("acme 1.0") == [True, True, False]
    assert admissions(ANY_SOFTWARE) == [True, True, True]


@pytest.mark.requirement("GEN-06")
@pytest.mark.parametrize(
    ("link", "table", "seats", "what"),
    [
        ("four-aces", "C1", (1, 7), None),
        ("four-aces", "C1", (), None),
        ("four-aces", "C1", (0, 1), "it has no seat 0"),
        ("four-aces", "C1", (9, 7, 8), "it has no seat 8, 9"),
        ("four-aces", "C2", (1,), "it is not in the current floor file"),
        ("dragon", "C1", (1,), "its game, crazy_4, is not played for dragon there"),
    ],
)
def test_a_table_plays_its_own_jackpots_at_its_own_seats(
    link: str, table: str, seats: Sequence[int], what: str | None
) -> None:
    problem = why_not_on_floor(small(), link, table, seats)
    assert (problem.what if problem else None) == what


def test_a_link_becomes_what_progressive_runs() -> None:
    floor = small()
    (link,) = floor.links
    runs = link_from_floor(floor, link)
    (level,) = runs.levels
    assert (runs.id, runs.jackpot, runs.wager) == ("four-aces", "four_card", 5 * DOLLAR)
    assert (level.seed, level.contribution, level.reserve) == (10_000 * DOLLAR, 2_000, 500)
    assert level.cap == NO_CAP
    assert level.unreasonable == 7 * 100 * CENT, "what seven seats add at most"
    assert runs.options["several_winners"] == "seat_order"


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ('game = "crazy_4"', 'game = "crazy_5"', 11, "there is no such title"),
        ("seats = 7", "seats = 12", 12, "seats at most 9"),
        ("seats = 7", "seats = true", 12, "not a whole number of at least"),
        ('highest_wager = "300.00"', 'highest_wager = "lots"', 16, "not an amount"),
        ('highest_wager = "300.00"', 'highest_wager = "-3"', 16, "below zero"),
        ('highest_wager = "300.00"\n', "", 9, "highest_wager is missing"),
        ("queens_up =", "trips =", 17, "'trips' is not a known key here"),
        ('"C4P-09"', '"C4P-99"', 18, "there is no paytable 'C4P-99'"),
        ('"C4P-09" }', '"C4P-09", trips = "1" }', 18, "'trips' is not a known key here"),
        (', queens_up = "C4P-09" }', " }", 18, "queens_up is on offer without a paytable"),
        ('super_bonus = "C4P-09", ', "", 18, "super_bonus is on offer without a paytable"),
        ('kind = "progressive"', 'kind = "grand"', 22, "'grand' is not one of them"),
        ('paytable = "3"', 'paytable = "9"', 24, "there is no paytable '9'"),
        ('tables = ["C1"]', 'tables = ["C1", "C9"]', 26, "there is no table 'C9'"),
        ('tables = ["C1"]', "tables = []", 26, "has no tables"),
        ('tables = ["C1"]', 'tables = ["C1", "C1"]', 26, "'C1' is used twice"),
        ('cut_off = "stop"', 'executive_levels = ["mega"]\ncut_off = "stop"', 31, "no level 'mega'"),
        ('controls = "nexus"', 'controls = "atari"', 28, "'atari' is not one of them"),
        ('level = "jackpot"', 'level = "mega"', 34, "'mega' is not one of them"),
        ('contribution = "20%"', 'contribution = "0.2"', 36, "not a rate"),
        ('reserve = "5%"', 'reserv = "5%"', 37, "'reserv' is not a known key here"),
        ("starts_at_hour = 6", "starts_at_hour = 24", 7, "24 is no hour"),
        ("America/Los_Angeles", "America/Atlantis", 6, "no time zone"),
        ('jurisdiction = "wa_cardroom"', 'jurisdiction = "mars"', 3, "'mars' is not one of them"),
        ('id = "four-aces"', 'id = "four aces"', 21, "cannot name an account"),
    ],
)
def test_a_problem_names_its_line(old: str, new: str, line: int, what: str) -> None:
    with pytest.raises(ProblemsError) as refusal:
        small((old, new))
    problems = [(problem.where, problem.what, problem.remedy) for problem in refusal.value.problems]
    assert any(
        where == f"floor.toml:{line}" and what in message and remedy for where, message, remedy in problems
    ), problems


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(ProblemsError) as refusal:
        small(
            ("seats = 7", "seats = 0"), ('wager = "5.00"', 'wager = "x"'), ('reserve = "5%"', 'reserve = "x"')
        )
    assert len(refusal.value.problems) == 3


def test_an_id_names_one_thing() -> None:
    table = SMALL[SMALL.index("[[table]]") : SMALL.index("[[link]]")]
    with pytest.raises(ProblemsError, match="'C1' is used twice"):
        floor_of(changed(("[[link]]", f"{table}[[link]]")))


def test_options_are_those_of_the_title_and_of_its_kind() -> None:
    def with_option(text: str) -> str:
        return changed(('cut_off = "stop"', f'cut_off = "stop"\noptions = {{ {text} }}'))

    (link,) = floor_of(with_option("folded_hands_qualify = false")).links
    assert link.options == {"folded_hands_qualify": False}
    for wrong in ("folded_hands_qualify = 0", 'several_winners = "luck"', "nothing = true"):
        with pytest.raises(ProblemsError):
            floor_of(with_option(wrong))


def test_lines_are_found_in_nested_arrays_and_long_texts() -> None:
    meter = "[[link]]\n[[link.meter]]\nseed = 1\n"
    document = Document(f'a = """\nb = 1\n"""\n{meter}\n{meter}', where="f")
    assert document.line(("link", 0, "meter", 0, "seed")) == 6
    assert document.line(("link", 1, "meter", 0, "seed")) == 10
    assert document.line(("link", 1, "meter", 0, "cap")) == 9
    assert document.line(("b",)) == 1


@pytest.mark.parametrize(
    "junk", ["", "x = 1", "= 0", '= ""', '= "-1"', "= [1]", "= {}", "= false", '= "99999999"']
)
def test_whatever_is_written_in_a_line_is_answered_with_problems_or_findings(junk: str) -> None:
    lines = (SMALL + MORE).splitlines()
    for number, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        wrong = f"{key} {junk}" if equals and junk.startswith("=") else junk
        text = "\n".join([*lines[:number], wrong, *lines[number + 1 :]])
        with suppress(ProblemsError):
            found(floor_of(text))


_DEEP = ".".join(["a"] * 480)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a." * 20_000 + "a = 1", "the line has 40,005 characters"),
        ('"a,".' * 150 + "a = 1", "a key has 151 parts"),
        ("x = " + "[" * 400_000, "it has 400,004 characters"),
        ("x = " + "[" * 900, "too many brackets are open at once"),
        ("x =\n" + "[\n" * 90_000, "too many brackets are open at once"),
        # What hides in a long text is found by the parser.
        ("x = ['''\n\" ''', " + "[" * 900, "too many brackets are open at once"),
        ("x = [" + f"'''\n\" ''', {{{_DEEP} = 1}},\n" * 200 + "]", "has no tables"),
    ],
)
def test_a_document_that_would_take_minutes_to_parse_is_a_finding(text: str, what: str) -> None:
    """Attack 2: the work of tomllib grows with the square of a key's parts."""
    began = time.process_time()
    with pytest.raises(ProblemsError, match=what):
        read_floor(text, where="floor")
    assert time.process_time() - began < 3


def test_a_sign_has_a_known_layout_and_is_silent_unless_asked() -> None:
    (link,) = small().links
    assert (link.sign.layout, link.sign.sound) == ("paytable", False)
    text = SMALL.replace('jackpot = "', 'sign = { layout = "marquee", sound = true }\njackpot = "', 1)
    (link,) = floor_of(text).links
    assert (link.sign.layout, link.sign.sound) == ("marquee", True)
    with pytest.raises(ProblemsError) as refused:
        floor_of(text.replace("marquee", "neon").replace("sound", "noise"))
    problems = [(problem.what, problem.remedy) for problem in refused.value.problems]
    assert (
        "link 1, sign, layout: 'neon' is not one of them",
        "choose from: paytable, meters, marquee",
    ) in problems
    assert ("link 1, sign, noise: 'noise' is not a known key here", "use one of layout, sound") in problems
