"""Every alert fires on what it is for and is silent otherwise; dashboards name metrics that exist."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from feltwork.telemetry.bookkeeper_metrics import BookkeeperMetrics
from feltwork.telemetry.request_log import RequestMetrics
from tests.docs.console import ROOT

RULES = ROOT / "deploy" / "prometheus" / "alerts.yml"
DASHBOARD = ROOT / "deploy" / "grafana" / "feltwork.json"
SLOW = 'feltwork_request_seconds_bucket{route="/pit",le="%s"}'
#: Alert -> the series it looks at, with their values for an hour: while all is well, and while it is not.
SERIES: dict[str, list[tuple[str, str, str]]] = {
    "FeltworkProgramDown": [('up{job="feltwork",instance="a"}', "1x60", "0x60")],
    "FeltworkNatsDisconnected": [("feltwork_nats_connected", "1x60", "0x60")],
    "FeltworkNothingBooked": [("feltwork_bookkeeper_silent_seconds", "4x60", "0+60x60")],
    "FeltworkBookingLag": [('feltwork_lag_messages{link="a"}', "900x60", "1001x60")],
    "FeltworkBooksAway": [("feltwork_books_away_total", "3x60", "0+1x60")],
    "FeltworkLinkClosed": [("feltwork_closed_links", "0x60", "1x60")],
    "FeltworkMissingRounds": [("feltwork_missing_rounds_tables", "0x60", "1x60")],
    "FeltworkMessagesParked": [('feltwork_parked_messages_total{link="a"}', "7x60", "0+1x60")],
    "FeltworkRoundsRefused": [('feltwork_refused_rounds_total{link="a"}', "7x60", "0+1x60")],
    "FeltworkAlarmOpen": [('feltwork_open_alarms{kind="gap"}', "0x60", "1x60")],
    "FeltworkCertificateExpires": [('feltwork_certificate_days{name="server"}', "30x60", "29x60")],
    "FeltworkServerErrors": [('feltwork_requests_total{status="500"}', "9x60", "0+1x60")],
    "FeltworkSlowAnswers": [
        (SLOW % "0.1", "0+60x60", "0+1x60"),
        (SLOW % "5.0", "0+60x60", "0+60x60"),
        (SLOW % "+Inf", "0+60x60", "0+60x60"),
    ],
}


@pytest.fixture(scope="module")
def promtool(tmp_path_factory: pytest.TempPathFactory) -> str:
    """From the path, or unpacked from Debian's package."""
    if program := shutil.which("promtool"):
        return program
    folder = tmp_path_factory.mktemp("prometheus")
    download = ["apt-get", "download", "-qq", "prometheus"]
    if subprocess.run(download, cwd=folder, check=False, capture_output=True).returncode:
        subprocess.run(["apt-get", "update", "-qq"], check=True, capture_output=True)
        subprocess.run(download, cwd=folder, check=True, capture_output=True)
    (package,) = folder.glob("*.deb")
    subprocess.run(["dpkg", "-x", package.name, "."], cwd=folder, check=True)
    return str(folder / "usr" / "bin" / "promtool")


def fired(promtool: str, test: Path, column: int) -> set[str]:
    """The alerts that are raised at the end of an hour, each by the series it looks at."""
    cases = [
        {
            "interval": "1m",
            "input_series": [{"series": one[0], "values": one[column]} for one in series],
            "alert_rule_test": [{"eval_time": "59m", "alertname": alert, "exp_alerts": []}],
        }
        for alert, series in SERIES.items()
    ]
    content = {"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": cases}
    test.write_text(json.dumps(content), encoding="utf-8")
    result = subprocess.run(
        [promtool, "test", "rules", str(test)], capture_output=True, text=True, check=False
    )
    alerts = set(re.findall(r"alertname: (\w+)", result.stderr))
    assert bool(alerts) == (result.returncode != 0), result.stderr
    return alerts


def test_every_alert_fires_on_what_it_is_for(promtool: str, tmp_path: Path) -> None:
    assert fired(promtool, tmp_path / "well.yml", 1) == set()
    assert fired(promtool, tmp_path / "wrong.yml", 2) == set(SERIES)


def test_every_rule_is_tested_and_valid(promtool: str) -> None:
    assert re.findall(r"alert: (\w+)", RULES.read_text(encoding="utf-8")) == list(SERIES)
    subprocess.run([promtool, "check", "rules", str(RULES)], check=True, capture_output=True)


def test_alerts_and_dashboard_name_metrics_that_exist() -> None:
    metrics = {
        sample
        for registry in (BookkeeperMetrics().registry, RequestMetrics().registry)
        for family in registry.collect()
        for sample in (family.name, f"{family.name}_total", f"{family.name}_bucket")
    }
    for file in (RULES, DASHBOARD):
        names = {*re.findall(r"\bfeltwork_\w+", file.read_text(encoding="utf-8"))}
        assert names <= metrics, file.name
    dashboard_names = {*re.findall(r"\bfeltwork_\w+", DASHBOARD.read_text(encoding="utf-8"))}
    assert len(dashboard_names) >= 12
