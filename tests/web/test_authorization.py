"""Every operation asks who may carry it out: an actor without a role or a scope gets nothing from any."""

import importlib
import inspect
import pkgutil
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from pydantic.fields import FieldInfo

import feltwork.site.books
from feltwork.site.books.connection import connect
from feltwork.site.books.context import Actor, Operation, Policy
from feltwork.site.books.errors import RefusedError
from feltwork.site.books.floors.floor_plan import TablePlace
from feltwork.site.books.two_person import parse_command
from tests.web.house import House

#: They establish who somebody is, or end that.
_SIGN_IN = "people.sign_in."
#: Steps of other operations, which have asked; no entry point calls them.
_STEPS = {"awards.awards.prove_badges", "tables.parked.book_again", "tables.parked.dismiss"}
#: It makes the operation of an installer, who owns the database, and does nothing with it.
_INSTALLER = "floors.floors.for_first_floor"
_SOURCE = Path(feltwork.site.books.__path__[0]).parent
#: What people may do with what is their own, whatever their role; a machine may not.
_OWN = {"people.people.own_person", "people.people.change_own_secret", "people.people.choose_language"}


def operations() -> dict[str, Callable[..., object]]:
    """Every public function whose first parameter is the operation, but the rules of access themselves."""
    functions = {}
    for module in pkgutil.walk_packages(feltwork.site.books.__path__, "feltwork.site.books."):
        place = module.name.removeprefix("feltwork.site.books.")
        if place.startswith("migrations."):
            continue
        for name, function in vars(importlib.import_module(module.name)).items():
            is_own = inspect.isfunction(function) and function.__module__ == module.name
            if (
                is_own
                and not name.startswith("_")
                and next(iter(inspect.signature(function).parameters), "") == "op"
            ):
                functions[f"{place}.{name}"] = function
    return {name: function for name, function in functions.items() if not name.startswith("authorize.")}


def sample(kind: Any, name: str, known: Mapping[str, Any]) -> Any:
    """A value of a type: what is known of this name, or the simplest."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated or origin in (Union, types.UnionType):
        return sample(parts[0], name, known)
    if origin is Literal:
        return parts[0]
    if name in known and (not is_dataclass(kind) or isinstance(known[name], kind)):  # type: ignore[arg-type]
        return known[name]
    if origin is tuple and is_dataclass(parts[0]):
        return (sample(parts[0], name, known),)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind, include_extras=True)
        needed = [
            field.name
            for field in fields(kind)
            if (
                field.default.is_required()
                if isinstance(field.default, FieldInfo)
                else field.default is MISSING
            )
            and field.default_factory is MISSING
        ]
        shown = {
            field.name: example
            for field in fields(kind)
            for example in getattr(field.default, "examples", None) or ()
            if isinstance(example, str)
        }
        return kind(**{field: sample(hints[field], field, {**shown, **known}) for field in {*needed, *shown}})
    if isinstance(origin or kind, type) and issubclass(origin or kind, Mapping):
        return {}
    return {str: "x", int: 1, bool: False, bytes: b"x"}.get(kind, ())


def arguments(name: str, function: Callable[..., object], known: Mapping[str, Any]) -> dict[str, Any]:
    """What an operation needs besides itself."""
    hints = get_type_hints(function, include_extras=True)
    others = list(inspect.signature(function).parameters.values())[1:]
    return {
        parameter.name: sample(hints[parameter.name], parameter.name, known)
        for parameter in others
        if parameter.default is parameter.empty
    }


@pytest.fixture(scope="module")
def known(house: House) -> dict[str, Any]:
    """Names of what exists, so that no operation stops at an unknown one before it asks."""
    link = house.open("everyone")
    house.start(link, "T9")
    award = house.claim(link, "T9")
    change = {
        "adjustment": "ADJ-9",
        "lawful_reason": "HOUSE_ADDITION",
        "change": 500_000_000,
        "evidence": "memo",
    }
    body = {
        "command": "adjust",
        "link": link,
        "reason": "as agreed",
        "pool": "meter",
        "level": "jackpot",
        **change,
    }
    proposal = house.done("ann", "/api/v1/proposals", body)["proposal"]
    return {
        "link": link,
        "award": award,
        "table": "T9",
        "proposal": proposal,
        "fingerprint": "0" * 64,
        "command": parse_command(body),
        "places": (TablePlace(table="T9", column=1, row=1),),
        "begins_at": datetime(2099, 1, 1, tzinfo=UTC),
        "language": "en",
    }


@pytest.mark.requirement("WA-30", "TR-03")
@pytest.mark.parametrize(
    ("actor", "may"),
    [
        (Actor(id="dana", name="Dana", role="", place="pit 1"), _OWN),
        (Actor(id="machine", name="Machine", role="", place="pit 1", scopes=()), set()),
    ],
)
def test_an_actor_without_rights_is_refused_by_every_operation(
    house: House, known: dict[str, Any], actor: Actor, may: set[str]
) -> None:
    policy = Policy(key_required=False)
    refused: list[str] = []
    not_refused: list[str] = []
    with connect(house.dsn) as connection:
        for name, function in operations().items():
            if name.startswith(_SIGN_IN) or name in {*_STEPS, _INSTALLER, *may}:
                continue
            own_name = known[
                "award"
                if name == "awards.awards.award"
                else "proposal"
                if name == "people.proposals.proposal"
                else "link"
            ]
            parameters = arguments(name, function, {**known, "name": own_name})
            op = Operation(connection=connection, actor=actor, policy=policy, key="key", name=name)
            try:
                function(op, **parameters)
            except RefusedError as error:
                (refused if error.cause == "not_allowed" else not_refused).append(f"{name}: {error.cause}")
            else:
                not_refused.append(name)
    assert not_refused == []
    assert len(refused) > 90


def test_no_entry_point_calls_a_step_of_an_operation() -> None:
    callers = set()
    for path in _SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for module, _, step in (name.rpartition(".") for name in _STEPS):
            calls = rf"books\.{module} import .*\b{step}\b|\b{module.rpartition('.')[2]}\.{step}\("
            if re.search(calls, text):
                callers.add(path.relative_to(_SOURCE).parts[0])
    assert callers == {"books"}
