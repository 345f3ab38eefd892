"""The record of what the product does: a change of a cent, a word or a digit is noticed, at its place."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from feltwork import money
from feltwork.odds.figures import catalog
from feltwork.odds.figures.figure import Figure
from feltwork.site.compliance.finding import Finding, FloorCase
from feltwork.titles import meter_pays
from feltwork.titles.meter_pays import Hands
from feltwork.titles.round import TableJackpot
from feltwork.toml_locations import Place
from tools.generate_docs import DOCS, PAGES
from tools.same import __main__ as same
from tools.same import record
from tools.same.contracts import contracts
from tools.same.floors import findings
from tools.same.odds import figures
from tools.same.record import Entries
from tools.same.rounds import rounds


def differing(name: str, prefix: str, entries: Entries, folder: Path) -> list[str]:
    """What differs now in a part of the record."""
    lines = record.run(name, lambda: entries, folder).lines
    recorded = {place: value for place, value in record.read(name).items() if place.startswith(prefix)}
    assert recorded
    return [text.splitlines()[0] for text in record.differences(recorded, lines)]


def test_a_cent_in_a_split(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    part = "dragon/"
    assert differing("rounds", f"rounds/worked/{part}", rounds(part), tmp_path) == []
    split = money.split

    def moved(amount: int, ways: int, unit: int = money.CENT) -> Sequence[int]:
        first, *others = split(amount, ways, unit=unit)
        return [first - unit, others[0] + unit, *others[1:]] if others else [first]

    monkeypatch.setattr(money, "split", moved)
    places = differing("rounds", f"rounds/worked/{part}", rounds(part), tmp_path)
    assert "differs: rounds/worked/dragon/suited-10-percent-three-ways" in places


def test_the_order_of_envy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    part = "five_card/"
    assert differing("rounds", f"rounds/worked/{part}", rounds(part), tmp_path) == []
    envy = meter_pays._envy

    def turned(table: TableJackpot, hands: Hands) -> dict[int, tuple[int, str]]:
        paid = envy(table, hands)
        return dict(zip(paid, reversed(paid.values()), strict=True))

    monkeypatch.setattr(meter_pays, "_envy", turned)
    places = differing("rounds", f"rounds/worked/{part}", rounds(part), tmp_path)
    assert places
    assert all(place.startswith(f"differs: rounds/worked/{part}") for place in places)


def test_the_remedy_of_a_finding(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = "examples/unlawful/short_notice.toml"
    assert differing("findings", f"findings/{path}", findings(path), tmp_path) == []
    refused = FloorCase.refused

    def polite(case: FloorCase, place: Place, requirement: str, what: str, remedy: str) -> Finding:
        return refused(case, place, requirement, what, f"please {remedy}")

    monkeypatch.setattr(FloorCase, "refused", polite)
    places = differing("findings", f"findings/{path}", findings(path), tmp_path)
    assert places == [f"differs: findings/{path}/1/remedy"]


def test_a_digit_of_a_figure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    identifier = "crazy_4/base/house_edge"
    place = f"figures/figures/{identifier}/"
    assert differing("figures", place, figures(identifier), tmp_path) == []
    figure = catalog.figure

    def inexact(name: str) -> Figure:
        return replace(figure(name), value=figure(name).value + Fraction(1, 10**15))

    monkeypatch.setattr(catalog, "figure", inexact)
    places = differing("figures", place, figures(identifier), tmp_path)
    assert places == [f"differs: {place}decimal", f"differs: {place}value"]


def test_a_field_of_the_api(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    texts = {name: (DOCS / name).read_text(encoding="utf-8") for name in PAGES if name.endswith(".json")}
    for name, text in texts.items():
        monkeypatch.setitem(PAGES, name, partial(str, text))
    assert differing("contracts", "", contracts(), tmp_path) == []
    document = json.loads(texts["openapi.json"])
    document["components"]["schemas"]["AwardView"]["properties"]["badges"]["type"] = "string"
    monkeypatch.setitem(PAGES, "openapi.json", partial(json.dumps, document))
    places = differing("contracts", "", contracts(), tmp_path)
    assert places == ["differs: contracts/openapi/schemas/AwardView/properties/badges"]


def test_a_place_that_is_gone_or_new_and_a_part_of_a_group(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def section() -> Iterator[tuple[str, str]]:
        yield from {"same": "1\n2", "long": "x" * 200, "group#1": "a", "group#2": "b", "gone": "c"}.items()

    monkeypatch.setattr(record, "RECORD", tmp_path)
    before = record.run("example", section, tmp_path / "full")
    assert same.report(before, is_recording=True) == 0
    assert (tmp_path / "example.txt").read_text().count("\n") == 4
    assert "example/group#2\tb\n" in (tmp_path / "full" / "example.txt").read_text()
    changed = {"same": "1\n2", "long": "x" * 199 + "y", "group#1": "a", "group#2": "c", "new": "d"}
    after = record.run("example", lambda: list(changed.items()), tmp_path / "full")
    assert same.report(after, is_recording=False) == 4
    printed = capsys.readouterr().out
    for line in (
        "missing: example/gone",
        "new: example/new",
        "differs: example/long",
        "differs: example/group",
    ):
        assert line in printed
