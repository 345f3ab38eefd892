"""The record: where each value belongs, what it is, and how a run differs from it."""

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
#: Every value of the last run in full, for a comparison with that of another checkout.
FULL = ROOT / "build" / "same"
#: Each value with its place. What follows a # in a place names a part of a group: the full text has a line
#: for each part, the record one digest for the group.
Entries: TypeAlias = Iterable[tuple[str, str]]
Section: TypeAlias = Callable[[], Entries]
_LONGEST = 160
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"})


@dataclass(frozen=True, slots=True)
class Run:
    """What a section gives now, as the record has it."""

    section: str
    lines: Mapping[str, str]
    seconds: float


def run(name: str, section: Section, full: Path = FULL) -> Run:
    """Run a section and write its full text."""
    start = time.perf_counter()
    with chdir(ROOT):  # a finding names its file as it was given
        entries = sorted((f"{name}/{place}", value.translate(_ESCAPES)) for place, value in section())
    twice = [place for place, group in groupby(place for place, _ in entries) if len(list(group)) > 1]
    assert not twice, twice[0]
    full.mkdir(parents=True, exist_ok=True)
    write(full / f"{name}.txt", entries)
    return Run(name, dict(_recorded(entries)), time.perf_counter() - start)


def _recorded(entries: Entries) -> Iterator[tuple[str, str]]:
    """Give each place its value, or a digest of a long value or a group."""
    for place, group in groupby(entries, key=lambda entry: entry[0].partition("#")[0]):
        parts = list(group)
        is_group = parts[0][0] != place
        text = "".join(f"{part}\t{value}\n" for part, value in parts) if is_group else parts[0][1]
        is_short = not is_group and len(text) <= _LONGEST
        yield (
            place,
            text if is_short else f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:24]} {len(text)}",
        )


def write(file: Path, entries: Entries) -> None:
    """Write a line for each place."""
    file.write_text("".join(f"{place}\t{value}\n" for place, value in entries), encoding="utf-8", newline="")


def read(name: str) -> dict[str, str]:
    """Read the record of a section."""
    file = RECORD / f"{name}.txt"
    lines = file.read_text(encoding="utf-8").split("\n")[:-1] if file.exists() else []
    return {place: value for place, _, value in (line.partition("\t") for line in lines)}


def differences(record: Mapping[str, str], lines: Mapping[str, str]) -> Iterator[str]:
    """Describe each place that differs, is missing or is new."""
    for place in sorted({*record, *lines}):
        if place not in lines:
            yield f"missing: {place}\n  was {record[place]}"
        elif place not in record:
            yield f"new: {place}\n  is  {lines[place]}"
        elif record[place] != lines[place]:
            yield f"differs: {place}\n  was {record[place]}\n  is  {lines[place]}"
