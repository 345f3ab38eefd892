"""Every paragraph of the letters is backed by something that runs, or says why nothing could."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from feltwork import sources
from feltwork.titles.worked_rounds import worked_rounds
from tools.letters import (
    EXAMPLES,
    ROOT,
    backings,
    cited_by_functions,
    letters_page,
    marked_tests,
    nothing_to_run,
)

#: The jackpot, the variant and the controls that a section is about.
SECTIONS = {
    "C4.aquarius": ("four_card", "", "aquarius"),
    "C4.nexus": ("four_card", "", "nexus"),
    "C4.link": ("five_card", "", "nexus"),
    "TH.aquarius": ("holdem", "", "aquarius"),
    "TH.nexus": ("holdem", "", "nexus"),
    "TH.link": ("five_card", "", "nexus"),
    "DB.aquarius": ("dragon", "", "aquarius"),
    "DB.nexus": ("dragon", "", "nexus"),
    "HM.blazing_player": ("blazing_7s", "player_cards", "nexus"),
    "HM.blazing_upcard": ("blazing_7s", "dealer_up_card", "nexus"),
    "HM.trilux": ("trilux", "", "nexus"),
}


def section_of(paragraph: str) -> str:
    return ".".join(paragraph.split(".")[:2])


def test_every_paragraph_is_backed_or_says_why_nothing_could_run() -> None:
    known, backed, left = sources.paragraphs().keys(), backings().keys(), nothing_to_run().keys()
    assert known - backed - left == set(), "neither backed nor explained"
    assert backed & left == set(), "backed, so its reason is stale"
    assert (backed | left) - known == set(), "no paragraph has this code"


def test_few_paragraphs_are_left_to_words() -> None:
    assert len(nothing_to_run()) < 80
    assert all(len(why.split()) >= 5 for why in nothing_to_run().values())
    rules = [code for code in nothing_to_run() if sources.paragraphs()[code].kind == "rule"]
    assert rules == [], "a rule can always be run"


def test_every_function_and_test_exists() -> None:
    for function in {*cited_by_functions(), *(marked.function for marked in marked_tests())}:
        file = ROOT / "src" / "feltwork" / Path(*function.split(".")[:-1])
        text = next(
            path.read_text(encoding="utf-8")
            for path in (file.with_suffix(".py"), file / "__init__.py")
            if path.is_file()
        )
        assert f"\ndef {function.rpartition('.')[2]}(" in text, function
    assert all(marked.paragraphs for marked in marked_tests())


def broken(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=280, check=False
    )


@pytest.mark.whole
def test_each_cited_function_is_missed_when_it_is_broken() -> None:
    run = broken("tools/break_functions.py")
    assert run.returncode == 0, run.stdout + run.stderr
    assert (
        f"{len({*cited_by_functions(), *(test.function for test in marked_tests())})} functions" in run.stdout
    )


def test_a_function_that_nobody_misses_is_named() -> None:
    """The dealer's discards at 6-5-4 decide nothing at Crazy 4 Poker."""
    function, paragraph = "titles.games.six_five_four.rules.discards", "C4.overview.versus-dealer.win"
    run = broken(
        "-c",
        "from tools.break_functions import Breakage, unnoticed\n"
        f"unheard = Breakage({function!r}, {{{paragraph!r}: ('crazy_4/dealer-beaten',)}}, "
        "('tests/titles/test_crazy_4.py::test_the_dealer_qualifies_from_king_high',), frozenset())\n"
        "print(sorted(unnoticed([unheard])))",
    )
    assert f"{function}: no round of {paragraph}, no test" in run.stdout, run.stdout + run.stderr
    assert f"{function}: tests/titles/test_crazy_4.py::test_the_dealer_qualifies" in run.stdout


def links_of(text: str) -> set[tuple[str, str, str]]:
    """The jackpots of a floor file, with their variants and controls."""
    links = tomllib.loads(text)["link"] if "[[link]]" in text else []
    return {(link["jackpot"], link.get("variant", ""), link["controls"]) for link in links}


def assert_about(name: str, cited: list[str], held: set[tuple[str, str, str]]) -> None:
    for paragraph in cited:
        jackpot, variant, controls = SECTIONS.get(section_of(paragraph), ("", "", ""))
        matches = any(
            (jackpot, controls) == (held_jackpot, held_controls) and variant in ("", held_variant)
            for held_jackpot, held_variant, held_controls in held
        )
        # A floor may break a paragraph by having other controls than it asks for.
        assert matches or not jackpot or paragraph.endswith(".components"), (name, paragraph)


def test_a_rehearsal_is_about_the_jackpots_of_its_floors() -> None:
    for file in sorted((EXAMPLES / "rehearsals").glob("*.toml")):
        script = tomllib.loads(file.read_text(encoding="utf-8"))
        floors = {script["floor"], *(step["file"] for step in script["steps"] if step["do"] == "floor")}
        texts = [(file.parent / floor).read_text(encoding="utf-8") for floor in floors]
        assert_about(
            file.name, sources.citations(" ".join(script["cites"])), set().union(*map(links_of, texts))
        )


def test_a_floor_of_the_gallery_is_about_its_own_jackpots() -> None:
    for file in sorted(EXAMPLES.glob("un*/*.toml")):
        text = file.read_text(encoding="utf-8")
        proved = " ".join(re.findall(r"^# proves: (.+)$", text, flags=re.MULTILINE)).split()
        cited = [paragraph for citation in proved for paragraph in sources.expand(citation)]
        assert_about(file.name, cited, links_of(text))


def test_a_worked_round_is_about_the_title_that_it_plays() -> None:
    for title in ("four_card", "five_card", "holdem", "dragon", "blazing_7s", "trilux"):
        for worked in worked_rounds(title):
            for paragraph in sources.citations(" ".join(worked.proves)):
                about = SECTIONS.get(section_of(paragraph))
                assert about is None or about[0] == title or "irregularities" in paragraph, (
                    worked.file,
                    paragraph,
                )


def test_the_page_counts_and_links_what_backs_a_paragraph() -> None:
    lines = letters_page().splitlines()
    (row,) = [line for line in lines if line.startswith("| `C4.aquarius.9.g` |")]
    assert "/examples/rehearsals/crazy_4_aquarius_meter_pay.toml)" in row
    assert "](gallery.md#aquarius-at-claim)" in row
    (total,) = [line for line in lines if line.startswith("| all |")]
    assert total.startswith(f"| all | {len(sources.paragraphs())} |")
    assert total.endswith(f"| {len(nothing_to_run())} |")
