"""Pages: one model for each, told as HTML to people and as JSON to programs, from one set of templates."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined

from feltwork import __version__, money
from feltwork.cards.card import Suit
from feltwork.money import Micros
from feltwork.web.rendering import report_format
from feltwork.web.rendering.navigation import NAVIGATION
from feltwork.web.screens import folders

amount_text = money.dollars

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

#: What a template is filled with, or a part of it.
Model: TypeAlias = Mapping[str, object]
#: Facts that are moments, facts that repeat what they stand under, and what is too long for a column.
_MOMENTS = frozenset({"at", "started_at", "ended_at", "claimed_at"})
_FORMAL = frozenset({"kind", "message", "v"})
_LONG = 40


def wants_html(request: Request) -> bool:
    """Whether a person with a browser asks; programs get JSON."""
    return "text/html" in request.headers.get("accept", "") or "hx-request" in request.headers


def page(
    request: Request,
    template: str,
    model: "Mapping[str, Any] | DataclassInstance",
    *,
    me: Mapping[str, str] | None,
    status: int = 200,
    **besides: object,
) -> Response:
    """A page, or its JSON twin: the same model under the same address."""
    told = {**fields_of(model), **besides}
    headers = {"Cache-Control": "no-store", "Vary": "Accept"}
    if not wants_html(request):
        return Response(json.dumps(told, default=_plain), status, headers, "application/json")
    badges = request.app.state.settings.demo_badges
    shown = {"demo_pin": next(iter(badges.values()), ""), **told}
    return HTMLResponse(html(template, shown, me=me, path=request.url.path), status, headers)


def fields_of(model: "Mapping[str, Any] | DataclassInstance") -> Mapping[str, Any]:
    """The fields of a view, as a template names them."""
    if isinstance(model, Mapping):
        return model
    return {field.name: getattr(model, field.name) for field in fields(model)}


def _plain(value: object) -> object:
    """What JSON has no word for: moments, views, and read-only mappings."""
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    assert isinstance(value, Mapping)
    return dict(value)


def html(
    template: str, told: Mapping[str, Any], *, me: Mapping[str, str] | None = None, path: str = ""
) -> str:
    """A template filled in; documents on paper are made from the same."""
    shown = {"demo_pin": "", **told}
    return environment().get_template(template).render(**shown, me=me, path=path, version=__version__)


def problem_page(request: Request, status: int, problem: Mapping[str, str]) -> Response:
    """A refusal for a person: the rule, and what to do about it. Who is not signed in is asked to."""
    headers = {"Cache-Control": "no-store", "Vary": "Accept"}
    if status == 401:
        asked = request.url.path if request.method == "GET" else "/"
        to = f"/sign-in?next={asked}"
        if request.headers.get("hx-request"):
            return Response(status_code=204, headers={**headers, "HX-Redirect": to})
        return Response(status_code=303, headers={**headers, "Location": to})
    told = {"problem": problem, "status": status}
    me = getattr(request.state, "me", None)
    return HTMLResponse(html("problem.html", told, me=me, path=request.url.path), status, headers)


@cache
def environment() -> Environment:
    """The templates and the words that they use; a name that is not there is an error."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader("feltwork.web"), FileSystemLoader(folders())]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        amount=amount_text,
        exact=exact_text,
        plain=plain_name,
        moment=moment_text,
        face=card_face,
        spoken=spoken,
        as_facts=facts_of,
        as_json=partial(json.dumps, default=_plain),
        as_table=report_format.table,
        full=report_format.amount,
    )
    made.globals["doors"] = NAVIGATION
    return made


def exact_text(amount: Micros) -> str:
    """An amount to the last millionth, as the books hold it."""
    return f"${money.text(amount)}"


def plain_name(name: str) -> str:
    """A name of the data as people say it: ``four_of_a_kind`` is four of a kind."""
    return name.replace("_", " ")


def moment_text(at: int) -> str:
    """A moment of the books, in UTC."""
    return datetime.fromtimestamp(at / 1_000_000, tz=UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


@dataclass(frozen=True, slots=True)
class FactLine:
    """A field of a booked fact in words; a long one has a line of its own."""

    name: str
    says: str
    long: bool


def facts_of(about: Mapping[str, Any]) -> list[FactLine]:
    """What a booked fact holds, as people read it: amounts, moments and lists in words."""
    facts = []
    for name, value in about.items():
        if name in _MOMENTS and isinstance(value, int):
            says = moment_text(value)
        elif isinstance(value, dict):
            says = ", ".join(f"{key}: {plain_name(str(one))}" for key, one in value.items())
        else:
            plain = ", ".join(map(str, value)) if isinstance(value, list) else value
            says = plain_name(report_format.cell(name, plain).says)
        if says and name not in _FORMAL:
            facts.append(FactLine(plain_name(name), says, len(says) > _LONG))
    return facts


def spoken(name: str) -> str:
    """The name of a fact as people say it: ``PaidFromTray`` is paid from tray."""
    return plain_name(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())


def card_face(card: str) -> dict[str, str]:
    """What is printed on a card such as ``Th``."""
    suit = next(one for one in Suit if one.letter == card[1])
    rank = "10" if card[0] == "T" else card[0]
    said = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}.get(card[0], rank)
    return {"rank": rank, "suit": suit.name.lower(), "says": f"{said} of {suit.name.lower()}"}
