"""The rehearsal report: one self-contained HTML page to print, sign and file."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from feltwork import __version__
from feltwork.rehearsal.rehearse import FileReport
from feltwork.rehearsal.runner import RunReport
from feltwork.rehearsal.script import Script
from feltwork.rehearsal.step import KINDS, Step

_UNTOLD = ("number", "do", "by", "expect", "comment")


def html_report(reports: Sequence[FileReport]) -> str:
    """Render every file with its runs."""
    now = datetime.now(tz=UTC).astimezone()
    return _template().render(
        version=__version__,
        date=f"{now:%B} {now.day}, {now:%Y %H:%M %Z}",
        passed=all(report.passed for report in reports),
        files=[_file(report) for report in reports],
    )


def _file(report: FileReport) -> dict[str, Any]:
    script = report.script
    return {
        "name": script.name,
        "title": script.title,
        "cites": script.cites,
        "comment": script.comment,
        "site": script.floor.site,
        "floor": script.floor_name,
        "fingerprint": hashlib.sha256(script.floor_text.encode()).hexdigest(),
        "meters": [
            (link, level, _amount(amount))
            for link, levels in script.meters.items()
            for level, amount in levels.items()
        ],
        "passed": report.passed,
        "disagreements": report.disagreements,
        "compared": len(report.runs) > 1,
        "runs": [_run(script, run) for run in report.runs],
    }


def _run(script: Script, run: RunReport) -> dict[str, Any]:
    return {
        "entry_point": {"http": "the screens (HTTP)", "nats": "the table controller (NATS)"}[run.entry_point],
        "steps": [_step(step, result, run) for step, result in zip(script.steps, run.results, strict=False)],
        "left_out": len(script.steps) - len(run.results),
        "audit": run.audit,
        "verifier": run.verifier,
        "passed": run.passed,
        "seconds": f"{run.seconds:.2f}",
    }


def _step(step: Step, result: dict[str, Any], run: RunReport) -> dict[str, Any]:
    failed = run.failed_step == step.number
    return {
        "number": step.number,
        "by": ", ".join(step.by) or "-",
        "do": step.do,
        "does": KINDS[step.do].does,
        "details": list(_details(step)),
        "comment": step.comment,
        "ok": result["ok"],
        "rule": result.get("rule", ""),
        "what": result.get("what", ""),
        "remedy": result.get("remedy", ""),
        "round": result.get("round", 0),
        "meters": [
            (link, level, f"${amount}")
            for link, levels in result.get("meters", {}).items()
            for level, amount in levels.items()
        ],
        "awards": result.get("awards", []),
        "tray": [
            (seat, pays["fixed"], pays["envy"])
            for seat, pays in result.get("tray", {}).items()
            if (pays["fixed"], pays["envy"]) != ("0.00", "0.00")
        ],
        "expected": "met" if step.expect is not None else "none",
        "differences": run.differences if failed else [],
        "failed": failed,
    }


def _details(step: Step) -> Iterator[str]:
    """Yield the details of a step other than its actor."""
    for name in step.__dataclass_fields__:
        value = getattr(step, name)
        if name in _UNTOLD or value in ("", 0, None, (), {}) or (name == "wagered" and step.do != "correct"):
            continue
        if name in ("to", "bank", "amount"):
            value = _amount(value)
        elif name == "wagers":
            value = "; ".join(f"{link}: {', '.join(map(str, seats))}" for link, seats in value.items())
        elif isinstance(value, Step):
            value = ", ".join((value.do, *_details(value)))
        elif isinstance(value, tuple):
            value = ", ".join(map(str, value))
        label = {"reference": "number", "state": "is", "name": "as"}.get(name, name)
        yield f"{label} {value}"


def _amount(micros: int) -> str:
    cents, rest = divmod(micros, 10_000)
    return f"${cents // 100:,}.{cents % 100:02}" + (f"{rest:04}".rstrip("0") if rest else "")


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("feltwork.rehearsal", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html")
