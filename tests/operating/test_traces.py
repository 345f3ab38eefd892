"""A round and its claim are one trace through every program; without a collector there is none."""

import os
import subprocess
import sys

import pytest

from tests.operating.claim_spans import LINK, TABLE, RecordedSpan, record_claim


def below(spans: list[RecordedSpan], parent: RecordedSpan, name: str) -> RecordedSpan:
    """The first span of a name directly under another."""
    return next(span for span in spans if span["parent"] == parent["id"] and span["name"] == name)


@pytest.mark.timeout(200)
def test_a_claim_is_one_trace_from_the_button_to_the_sign() -> None:
    spans = record_claim()
    known = {span["id"] for span in spans}
    assert [span["name"] for span in spans if span["parent"] not in known] == ["START GAME"]
    assert {span["program"] for span in spans} == {"table", "bookkeeper", "service"}
    start, press = (
        next(span for span in spans if span["name"] == name) for name in ("START GAME", "hand button")
    )
    assert press["parent"] == start["id"]
    published = [span for span in spans if span["name"] == "publish to NATS"]
    by_subject = {span["attributes"]["subject"].rpartition(".")[2]: span for span in published}
    assert by_subject["round"]["parent"] == start["id"]
    assert by_subject["claim"]["parent"] == by_subject["hand"]["parent"] == press["id"]
    assert by_subject["claim"]["attributes"]["subject"] == f"felt.{LINK}.{TABLE}.claim"
    assert below(spans, by_subject["claim"], "book")  # the hand that makes it has booked it already
    entries = []
    # The hand and its claim may be booked together; one message then tells of both.
    for kind, subjects in (("round", ("round",)), ("hand", ("hand", "claim"))):
        booked = below(spans, by_subject[kind], "book")
        entry = below(spans, booked, "journal entry")
        causes = {by_subject[subject]["id"] for subject in subjects}
        meters = [span for span in spans if span["name"] == "publish meters" and span["parent"] in causes]
        sign = next(
            span for span in spans if span["name"] == "sign" and span["parent"] in {m["id"] for m in meters}
        )
        programs = [span["program"] for span in (by_subject[kind], booked, entry, meters[0], sign)]
        assert programs == ["table", "bookkeeper", "bookkeeper", "bookkeeper", "service"]
        assert booked["begins"] <= entry["begins"] <= entry["ends"] <= booked["ends"] <= sign["ends"]
        entries.append(int(entry["attributes"]["entry"]))
        assert int(sign["attributes"]["entry"]) >= entries[-1]
    assert entries[0] < entries[1]


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
    return subprocess.run(
        [sys.executable, "-c", code], env=env | environment, capture_output=True, text=True, check=False
    )


def test_without_a_collector_opentelemetry_is_not_loaded() -> None:
    code = (
        "import sys; from feltwork.telemetry import tracing;"
        "import feltwork.site.bookkeeper.process, feltwork.site.table.controller, feltwork.site.web.app;"
        "tracing.start_tracing('table');"
        "assert not tracing.is_tracing() and tracing.span('a') is tracing.span('b', [''], entry=1);"
        "assert tracing.trace_headers() == {};"
        "assert 'opentelemetry.sdk' not in sys.modules"
    )
    result = python(code)
    assert result.returncode == 0, result.stderr


def test_a_collector_without_the_extra_is_refused() -> None:
    code = (
        "import sys; sys.modules['opentelemetry.sdk'] = None;"
        "from feltwork.telemetry.tracing import start_tracing; start_tracing('table')"
    )
    result = python(code, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:4318")
    assert "pip install 'feltwork[otel]'" in result.stderr
