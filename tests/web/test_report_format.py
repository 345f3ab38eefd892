"""Cells of reports as people read them."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from feltwork.money import DOLLAR
from feltwork.site.books.reports.reports import _file_cell
from feltwork.site.web.rendering import catalog
from feltwork.site.web.rendering.report_format import cell
from feltwork.site.web.rendering.templating import sentence


@contextmanager
def read_in(language: str) -> Iterator[None]:
    with catalog.in_english():
        catalog.select_language(language)
        yield


def test_the_number_of_an_entry_is_no_amount_whatever_it_stands_in() -> None:
    booked = {"entry": 7, "opening": {"mega": 10_000 * DOLLAR}, "wagers": 3, "at": 1_700_000_000_000_000}
    text = cell("after", {"booked": booked}).says
    assert "entry 7," in text
    assert "wagers 3," in text
    assert "opening mega $10,000.00" in text
    assert "2023" in text


@pytest.mark.parametrize(
    ("name", "value", "english", "spanish"),
    [
        ("status", "paid", "paid", "pagado"),
        ("stopped_by", "suspended, shortfall", "suspended, shortfall", "suspendido, faltante"),
        ("what", "Opened", "opened", "abierto"),
        ("kind", "PaidFromTray", "paid from tray", "pagado de la bandeja"),
        ("step", "Locked", "Locked", "Bloqueado"),
        ("kind", "Locked", "locked", "bloqueado"),
        ("then", "it stays", "it stays", "se conserva"),
        ("what", "The reader is dead.", "The reader is dead.", "The reader is dead."),
        ("what", "Broken, seat_4", "Broken, seat_4", "Broken, seat_4"),
        ("what", "", "", ""),
        ("what", "seed returned", "seed returned", "monto inicial devuelto"),
        ("explanation", "3 batches of rounds", "3 batches of rounds", "3 lotes de rondas"),
        (
            "explanation",
            "adjustment ADJ-7; award was wrong; round C1/12",
            "adjustment ADJ-7; award was wrong; round 12 at table C1",
            "ajuste ADJ-7; award was wrong; ronda 12 en la mesa C1",
        ),
        ("explanation", "award C1:12:3", "award C1, round 12, seat 3", "premio C1, ronda 12, asiento 3"),
        ("day", "2026-11-17", "Nov 17, 2026", "17 nov 2026"),
        ("day", "ALL", "ALL", "ALL"),
        ("game", "crazy_4", "Crazy 4 Poker", "Crazy 4 Poker"),
    ],
)
def test_words_of_ours_are_in_the_readers_language(name: str, value: str, english: str, spanish: str) -> None:
    with read_in("en"):
        assert cell(name, value).says == english
    with read_in("es"):
        assert cell(name, value).says == spanish


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("rounds", 1_700, "1,700"),
        ("round", 1_700, "1700"),
        ("contribution_basis_points", 2_500, "25.00%"),
        ("rates", {"jackpot": {"reserve_basis_points": 150}}, "jackpot reserve rate 1.50%"),
    ],
)
def test_counts_have_separators_and_rates_are_percentages(name: str, value: object, text: str) -> None:
    with read_in("en"):
        assert cell(name, value).says == text


def test_a_level_has_the_name_that_every_page_gives_it() -> None:
    with read_in("zh"):
        assert cell("level", "jackpot").says == "大奖"


def test_a_sentence_ends_as_its_language_does() -> None:
    assert sentence("the reader is dead") == "The reader is dead."
    assert sentence("奖金为投注额的300%") == "奖金为投注额的300%。"
    assert sentence("为什么？") == "为什么？"


def test_a_moment_in_a_file_is_the_local_time_to_the_second() -> None:
    zone = ZoneInfo("America/Los_Angeles")
    assert _file_cell(1_795_000_000_000_000, "moment", zone) == "2026-11-18 03:06:40 PST"
    assert _file_cell(250 * DOLLAR, "amount", zone) == Decimal("250.000000")
