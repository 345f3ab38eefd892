"""Worked rounds: the examples in a title's ``rounds`` folder, each naming the paragraphs it proves."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from feltwork.titles import registry
from feltwork.titles.notation import round_from
from feltwork.titles.settle import settle
from feltwork.titles.settlement import as_json


@dataclass(frozen=True, slots=True)
class WorkedRound:
    """A round in the notation, what it proves and what must come of it."""

    title: str
    file: str
    name: str
    proves: tuple[str, ...]
    data: Mapping[str, object]
    expect: Mapping[str, object]


def worked_rounds(title: str) -> Iterator[WorkedRound]:
    """The worked rounds of a title."""
    folder = registry.folder(title).joinpath("rounds")
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        yield WorkedRound(title, file.name, data["name"], tuple(data["proves"]), data, data["expect"])


def differences(worked: WorkedRound) -> list[str]:
    """Where the settlement is not what the worked round expects; what it leaves unsaid may be anything."""
    return list(_differences(worked.expect, as_json(settle(round_from(worked.data))), ""))


def _differences(expected: object, found: object, where: str) -> Iterator[str]:
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key, value in expected.items():
            yield from _differences(value, found.get(key, "nothing"), f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from _differences(one, other, f"{where}[{place}]")
    elif expected != found:
        yield f"{where.lstrip('.')}: expected {expected!r}, found {found!r}"
