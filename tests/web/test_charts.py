"""Charts: every label of an axis tells its tick from the others."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from feltwork.money import DOLLAR
from feltwork.operations.reports.charts import MeterHistory
from feltwork.web.rendering import catalog
from feltwork.web.rendering.office_charts import history_chart

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
