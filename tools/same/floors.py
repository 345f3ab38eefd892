"""Sections about floors: fingerprints, findings, and the papers of a floor."""

import hashlib
import re
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tools.same.product import command, data, leaves, parsed, titles
from tools.same.record import ROOT

#: The day whose rules apply where the file names none.
_DAY = "2025-01-01"
_WITH_PAPERS = ("card_room", "house_jackpot_room", "resort")


def fingerprints() -> Iterator[tuple[str, str]]:
    """Fingerprints of links, paytables and rules."""
    for title in titles():
        name = title["title"]
        rules = data("rules", name)
        yield f"rules/{name}/rules.md", rules["markdown"]
        yield f"rules/{name}/sources", str(rules["sources"])
        for paytable in data("paytable", name):
            yield from leaves(f"paytables/{name}/{paytable['bet']}/{paytable['paytable']}", paytable)
    for lock in (ROOT / "src").rglob("paytables.lock"):
        for line in lock.read_text(encoding="utf-8").splitlines():
            name, _, locked = line.partition(" ")
            yield f"{lock.name}/{name}", locked
    for path in _floors(""):
        floor = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        tables = [table["id"] for table in floor.get("table", ()) if "id" in table]
        for table in tables:
            settings = command("device-settings", path, table)
            if settings.startswith("refused: "):
                yield f"{path}/{table}", settings
                continue
            for link in parsed(settings)["links"]:
                yield f"{path}/{table}/{link['link']}/version", link["version"]
                yield f"{path}/{table}/{link['link']}/paytable", link["paytable"]


def findings(only: str = "") -> Iterator[tuple[str, str]]:
    """Findings of every example floor, or of those whose path has a text in it."""
    for path in _floors(only):
        answer = command("check", path, "--json", "--date", _day(path))
        if answer.startswith("refused: "):
            yield path, answer
            continue
        checked = parsed(answer)
        for number, finding in enumerate(checked.pop("findings"), 1):
            line = f"{finding['severity']} {finding['requirement']} {finding['where'].removeprefix(path)}"
            yield f"{path}/{number}", line
            yield f"{path}/{number}/what", finding["what"]
            yield f"{path}/{number}/remedy", finding["remedy"]
        for table, bets in checked.pop("bets").items():
            yield f"{path}/bets/{table}", str(bets)
        yield from leaves(path, checked)


def papers() -> Iterator[tuple[str, str]]:
    """Posting sheets and submissions, byte for byte; the PDF is compared by its digest."""
    for name in _WITH_PAPERS:
        path = f"examples/{name}.toml"
        for odds in ((), ("--odds",)):
            for sheet in data("posting", path, "--date", _DAY, *odds):
                yield from leaves(f"{name}/posting{''.join(odds)}/{sheet['table']}", sheet)
        with tempfile.TemporaryDirectory() as folder:
            command("submission", path, "--date", _DAY, "--out", folder)
            for file in Path(folder).iterdir():
                content = file.read_bytes()
                is_text = file.suffix == ".html"
                yield (
                    f"{name}/{file.name}",
                    content.decode() if is_text else hashlib.sha256(content).hexdigest(),
                )


def _floors(only: str) -> list[str]:
    """Every floor file of the examples, by its path."""
    paths = sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / "examples").rglob("*.toml"))
    return [path for path in paths if only in path and "\nsite = " in "\n" + _text(path)]


def _day(path: str) -> str:
    """The day of a floor, as its head names it."""
    head = re.search(r"^# on: (.+)$", _text(path), flags=re.MULTILINE)
    return head[1] if head else _DAY


def _text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
