"""Entries of a record: where a value belongs, what it is, and how two records differ."""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import chdir
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parent.parent.parent
RECORD = ROOT / "tests" / "same"
#: Every value of the last run in full, for a comparison with another checkout.
FULL = ROOT / "build" / "same"
#: The place of each value, and the value. What follows a # in a place is part of a group: the record has one
#: digest for the group, the full text a line for each part.
Entries: TypeAlias = Iterable[tuple[str, str]]
Section: TypeAlias = Callable[[], Entries]
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Run:
    """What a section gives now, as the record has it."""

    section: str
    lines: Mapping[str, str]
    seconds: float


def run(name: str, section: Section, full: Path = FULL) -> Run:
    """Run a section and write its full text."""
    start = time.perf_counter()
    with chdir(ROOT):  # findings name the file as it was given
        entries = sorted((f"{name}/{place}", _one_line(value)) for place, value in section())
    places = [place for place, _ in entries]
    assert len(places) == len(set(places)), next(place for place in places if places.count(place) > 1)
    full.mkdir(parents=True, exist_ok=True)
    _write(full / f"{name}.txt", entries)
    return Run(name, recorded(entries), time.perf_counter() - start)


def recorded(entries: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Give each place its value, or a digest of a long value or of a group; the entries are sorted."""
    lines = {}
    for place, group in groupby(entries, key=lambda entry: entry[0].partition("#")[0]):
        parts = list(group)
        if "#" in parts[0][0]:
            lines[place] = _digest("".join(f"{part}\t{value}\n" for part, value in parts))
        else:
            value = parts[0][1]
            lines[place] = value if len(value) <= _LONGEST else _digest(value)
    return lines


def write(lines: Mapping[str, str], name: str) -> None:
    """Write the record of a section."""
    RECORD.mkdir(exist_ok=True)
    _write(RECORD / f"{name}.txt", lines.items())


def read(name: str) -> dict[str, str]:
    """Read the record of a section."""
    file = RECORD / f"{name}.txt"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return dict(line.split("\t", 1) for line in lines)


def differences(record: Mapping[str, str], lines: Mapping[str, str]) -> Iterator[str]:
    """Describe each place that differs, is missing or is new."""
    for place in sorted({*record, *lines}):
        if place not in lines:
            yield f"missing: {place}\n  was {record[place]}"
        elif place not in record:
            yield f"new: {place}\n  is {lines[place]}"
        elif record[place] != lines[place]:
            yield f"differs: {place}\n  was {record[place]}\n  is  {lines[place]}"


def _one_line(value: str) -> str:
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


def _digest(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:24]} {len(text)}"


def _write(file: Path, entries: Iterable[tuple[str, str]]) -> None:
    file.write_text("".join(f"{place}\t{value}\n" for place, value in entries), encoding="utf-8", newline="")
