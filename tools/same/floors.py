"""Sections about floors: fingerprints, findings, and the papers of a floor."""

import hashlib
import re
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tools.same.product import canonical, command, data, leaves, parsed, titles

#: The day whose rules apply where a floor names none.
_DAY = "2025-01-01"


def fingerprints() -> Iterator[tuple[str, str]]:
    """Rules, paytables, the lock of paytables, and the links of every floor as its tables know them."""
    for title, _, paytables in titles():
        rules = data("titles", title)
        del rules["fingerprint"]  # it is of the code, too
        yield from leaves(f"rules/{title}", rules)
        for bet, known in paytables:
            (paytable,) = data("titles", title, bet, known)
            yield from leaves(f"paytables/{title}/{bet}/{known}", paytable)
    for lock in Path("src").rglob("paytables.lock"):
        for line in lock.read_text(encoding="utf-8").splitlines():
            name, _, fingerprint = line.partition(" ")
            yield f"locked/{name}", fingerprint
    for path, text in _floors().items():
        for table in tomllib.loads(text).get("table", ()):
            place = f"{path}/{table['id']}"
            settings = parsed(command("dev", "device-settings", path, table["id"]))
            if isinstance(settings, str):
                yield place, settings
                continue
            for link in settings["links"]:
                yield f"{place}/{link['link']}/version", link["version"]
                yield f"{place}/{link['link']}", canonical(link)


def findings(only: str = "") -> Iterator[tuple[str, str]]:
    """Findings of every floor, or of those whose path has a text in it."""
    for path, text in _floors(only).items():
        head = re.search(r"^# on: (.+)$", text, flags=re.MULTILINE)
        checked = data("check", path, "--date", head[1] if head else _DAY)
        if isinstance(checked, dict):
            yield from leaves(f"{path}/bets", checked.pop("bets"))
            for number, finding in enumerate(checked.pop("findings"), 1):
                for part in ("what", "remedy"):
                    yield f"{path}/{number}/{part}", finding.pop(part)
                yield f"{path}/{number}", " ".join(finding.values())
        yield from leaves(path, checked)


def papers() -> Iterator[tuple[str, str]]:
    """Posting sheets and submissions, byte for byte; of a PDF its digest."""
    for name in ("card_room", "house_jackpot_room", "resort"):
        path = f"examples/{name}.toml"
        for odds in ((), ("--odds",)):
            for sheet in data("check", path, "--posting", "--date", _DAY, *odds):
                yield from leaves(f"{name}/posting{''.join(odds)}/{sheet.pop('table')}", sheet)
        with tempfile.TemporaryDirectory() as folder:
            command("check", path, "--date", _DAY, "--submission", folder)
            for file in Path(folder).iterdir():
                content = file.read_bytes()
                text = hashlib.sha256(content).hexdigest() if file.suffix == ".pdf" else content.decode()
                yield f"{name}/{file.name}", text


def _floors(only: str = "") -> dict[str, str]:
    """The text of every floor file of the examples, by its path."""
    texts = {path.as_posix(): path.read_text(encoding="utf-8") for path in Path("examples").rglob("*.toml")}
    return {path: text for path, text in texts.items() if only in path and "\nsite = " in f"\n{text}"}
