"""Worked rounds: the examples in a title's ``rounds`` folder, each with the paragraphs it proves."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from feltwork.titles import registry
from feltwork.titles.notation import round_from
from feltwork.titles.settle import settle
from feltwork.titles.settlement import as_json


@dataclass(frozen=True, slots=True)
class WorkedRound:
    """A round in the notation, the paragraphs it proves and the expected settlement."""

    title: str
    file: str
    name: str
    proves: tuple[str, ...]
    data: Mapping[str, object]
    expect: Mapping[str, object]


def worked_rounds(title: str) -> Iterator[WorkedRound]:
    """Yield the worked rounds of a title."""
    folder = registry.folder(title).joinpath("rounds")
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        yield WorkedRound(title, file.name, data["name"], tuple(data["proves"]), data, data["expect"])


def differences(worked: WorkedRound) -> list[str]:
    """List where the settlement differs from what the worked round expects."""
    return list(_differences(worked.expect, as_json(settle(round_from(worked.data))), ""))


def _differences(expected: object, actual: object, where: str) -> Iterator[str]:
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for key, value in expected.items():
            yield from _differences(value, actual.get(key, "nothing"), f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for place, (left, right) in enumerate(zip(expected, actual, strict=True)):
            yield from _differences(left, right, f"{where}[{place}]")
    elif expected != actual:
        yield f"{where.lstrip('.')}: expected {expected!r}, got {actual!r}"
