"""Charts: every label of an axis tells its tick from the others."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from feltwork.money import DOLLAR
from feltwork.site.books.connection import connect
from feltwork.site.books.context import Actor, Operation, Policy
from feltwork.site.books.reports.charts import MeterHistory, drop_and_hold
from feltwork.site.web.rendering import catalog
from feltwork.site.web.rendering.office_charts import history_chart
from tests.web.house import House

BEGUN = datetime(2026, 11, 18, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "span", [timedelta(seconds=40), timedelta(hours=5), timedelta(days=4), timedelta(days=400)]
)
@pytest.mark.parametrize("grown", [0, DOLLAR // 5, 3 * DOLLAR, 40 * DOLLAR, 90_000 * DOLLAR])
def test_no_two_ticks_of_the_meter_chart_have_one_label(span: timedelta, grown: int) -> None:
    points = [(BEGUN + span * part / 9, 10_000 * DOLLAR + grown * part // 9) for part in range(10)]
    drawn = history_chart(MeterHistory(points=points, hits=()), UTC)
    labels = re.findall(r"<text[^>]*>([^<]+)</text>", drawn)
    assert [label for label in labels if label.startswith("$")], "amounts"
    assert [label for label in labels if re.search(r":\d\d [AP]M$|^[A-Z][a-z]+ \d+, \d{4}$", label)], "times"
    assert sorted(set(labels)) == sorted(labels)


def test_ticks_in_another_language_have_no_english_words() -> None:
    points = [(BEGUN + timedelta(days=part), 10_000 * DOLLAR) for part in range(10)]
    catalog.select_language("es")
    try:
        drawn = history_chart(MeterHistory(points=points, hits=()), UTC)
    finally:
        catalog.select_language("en")
    assert re.search(r">2026-11-\d\d<", drawn)
    assert "Nov" not in drawn


def test_the_table_with_the_largest_drop_is_first(house: House) -> None:
    link = house.open("charted")
    for table, rounds in (("K1", 1), ("L1", 3), ("M1", 2)):
        for _ in range(rounds):
            house.start(link, table)
            house.end(link, table)
    auditor = Actor(id="otto", name="Otto", role="auditor", place="office")
    with connect(house.dsn) as connection:
        op = Operation(connection=connection, actor=auditor, policy=Policy(key_required=False))
        by_table = [figure.name for figure in drop_and_hold(op, days=2, by="table").figures]
    assert [name for name in by_table if name in ("K1", "L1", "M1")] == ["L1", "M1", "K1"]
