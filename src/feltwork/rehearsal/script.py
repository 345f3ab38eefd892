"""Rehearsal files: the floor, the opening meters and the steps, parsed from TOML or JSON."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from feltwork.problem import Problem, ProblemsError
from feltwork.rehearsal.step import Step, read_step
from feltwork.rehearsal.step_fields import FieldError, amount
from feltwork.site.compliance.floor import Floor
from feltwork.site.compliance.floor_file import read_floor

#: Link -> level -> opening amount in micros.
Meters: TypeAlias = Mapping[str, Mapping[str, int]]

_TOP_LEVEL = ("title", "cites", "comment", "floor", "meters", "steps")


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """One rehearsal file."""

    #: The path as given on the command line.
    name: str
    title: str
    cites: tuple[str, ...]
    comment: str
    floor_name: str
    floor_text: str
    floor: Floor
    meters: Meters = field(default_factory=dict)
    steps: tuple[Step, ...] = ()


def read_script(path: Path) -> Script:
    """Read one file; raise every problem found in it."""
    name = str(path)
    data = _parse(name, _read(path, name))
    problems: list[Problem] = [
        Problem(name, f"There is no key {key!r} at the top level.", f"Use {', '.join(_TOP_LEVEL)}.")
        for key in data
        if key not in _TOP_LEVEL
    ]
    floor_text = _floor(path, data.get("floor"), problems)
    meters = _meters(name, data.get("meters", {}), problems)
    steps = _steps(name, data.get("steps"), problems)
    problems += [
        Problem(f"{name}, step {step.number}", f"The file {file!r} cannot be read.", "Correct its name.")
        for step in steps
        if (file := (step.step or step).file) and not (path.parent / file).is_file()
    ]
    if problems:
        raise ProblemsError(problems)
    floor = read_floor(floor_text, where=str(path.parent / data["floor"]))
    _verify_meters(name, meters, floor)
    return Script(
        name=name,
        title=str(data.get("title", "")) or path.stem.replace("_", " "),
        cites=_texts(data.get("cites", ())),
        comment=str(data.get("comment", "")),
        floor_name=data["floor"],
        floor_text=floor_text,
        floor=floor,
        meters=meters,
        steps=steps,
    )


def _verify_meters(name: str, meters: Meters, floor: Floor) -> None:
    """Raise if the floor lacks a meter."""
    known = {link.id: link for link in floor.links}
    problems = []
    for link, levels in meters.items():
        if link not in known:
            what, choices = f"The floor has no link {link!r}.", list(known)
            problems.append(Problem(f"{name}, meters, {link}", what, f"Use {', '.join(choices) or 'none'}."))
            continue
        for level in levels:
            if known[link].meter(level) is None:
                what, choices = (
                    f"The link has no level {level!r}.",
                    [meter.level for meter in known[link].meters],
                )
                problems.append(
                    Problem(f"{name}, meters, {link}, {level}", what, f"Use {', '.join(choices)}.")
                )
    if problems:
        raise ProblemsError(problems)


def _read(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        problem = Problem(name, "The file is not UTF-8 text.", "Save it as UTF-8 and try again.")
        raise ProblemsError([problem]) from error
    except OSError as error:
        what = f"The file cannot be read: {error.strerror or error}."
        raise ProblemsError([Problem(name, what, "Correct the name of the rehearsal file.")]) from error


def _parse(name: str, text: str) -> dict[str, Any]:
    """Parse TOML or JSON by the file's suffix; decimals stay text, so no amount is rounded."""
    try:
        if name.endswith(".toml"):
            return tomllib.loads(text, parse_float=str)
        data = json.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        problem = Problem(name, f"The TOML cannot be parsed: {error}.", "Correct the file there.")
        raise ProblemsError([problem]) from error
    except json.JSONDecodeError as error:
        problem = Problem(name, f"The JSON cannot be parsed: {error}.", "Correct the file there.")
        raise ProblemsError([problem]) from error
    if not isinstance(data, dict):
        remedy = 'Write {"floor": "room.toml", "steps": [...]}.'
        raise ProblemsError([Problem(name, "The file is not a JSON object.", remedy)])
    return data


def _floor(path: Path, floor: object, problems: list[Problem]) -> str:
    if not isinstance(floor, str) or not floor:
        problems.append(
            Problem(
                str(path), "The key 'floor' is missing.", 'Name a floor file, such as floor = "room.toml".'
            )
        )
        return ""
    try:
        return (path.parent / floor).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        what = f"The floor file {floor!r} cannot be read: {why}."
        problems.append(Problem(str(path), what, "Give its path relative to the rehearsal file."))
        return ""


def _meters(name: str, data: object, problems: list[Problem]) -> dict[str, dict[str, int]]:
    meters: dict[str, dict[str, int]] = {}
    remedy = 'Write {"link": {"level": "10000.00"}}.'
    if not isinstance(data, Mapping):
        problems.append(Problem(name, "'meters' is not a table of links.", remedy))
        return meters
    for link, levels in data.items():
        if not isinstance(levels, Mapping):
            problems.append(Problem(f"{name}, meters, {link}", "This is not a table of levels.", remedy))
            continue
        for level, value in levels.items():
            try:
                meters.setdefault(str(link), {})[str(level)] = amount(value)
            except FieldError as error:
                problems.append(Problem(f"{name}, meters, {link}, {level}", str(error), remedy))
    return meters


def _steps(name: str, data: object, problems: list[Problem]) -> tuple[Step, ...]:
    if not isinstance(data, Sequence) or isinstance(data, str) or not data:
        remedy = 'Add a list of steps, each with a "do" key.'
        problems.append(Problem(name, "The file has no steps.", remedy))
        return ()
    steps: list[Step] = []
    for number, value in enumerate(data, 1):
        where = f"{name}, step {number}"
        if not isinstance(value, Mapping):
            problems.append(Problem(where, "The step is not a table.", 'Write {"do": "start", ...}.'))
            continue
        try:
            step = read_step(number, value)
            if step.do in ("approve", "withdraw"):
                step = replace(step, step=_proposed(steps, step.name))
            steps.append(step)
        except FieldError as error:
            problems.append(Problem(where, str(error), error.remedy))
    return tuple(steps)


def _proposed(steps: Sequence[Step], name: str) -> Step:
    """The step that was proposed last under a name."""
    for step in reversed(steps):
        if step.do == "propose" and step.name == name and step.step:
            return step.step
    raise FieldError(f"No step before it proposes {name!r}.", "Name the proposal as the step `propose` does.")


def _texts(data: object) -> tuple[str, ...]:
    if isinstance(data, str):
        return (data,)
    return tuple(map(str, data)) if isinstance(data, Sequence) else ()
