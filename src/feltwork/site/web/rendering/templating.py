"""Pages rendered from one set of templates: HTML for people, the same model as JSON for programs."""

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias
from zoneinfo import ZoneInfo

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from feltwork import __version__, money
from feltwork.site.books.connection import UNAVAILABLE
from feltwork.site.books.context import Operation
from feltwork.site.books.floors.site import floor_in_force, site_name, staff_names
from feltwork.site.books.reports.report import Column
from feltwork.site.compliance.roles import ROLES
from feltwork.site.web.rendering import catalog, report_format
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.navigation import NAVIGATION
from feltwork.site.web.rendering.page_help import page_help
from feltwork.site.web.rendering.report_format import PageTable, plain_name, words
from feltwork.site.web.rendering.sentences import kept, part
from feltwork.site.web.screens import folders
from feltwork.titles.cards.card import Card, Suit

amount_text = money.dollars

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

#: The variables of a template, or a part of them.
Model: TypeAlias = Mapping[str, object]
_FIRST_CHINESE = "\u4e00"
_HEADERS = {"Cache-Control": "no-store", "Vary": "Accept, Accept-Language"}
#: Fields of a fact: timestamps, those that repeat its heading, and the longest text that fits a column.
_TIMESTAMPS = frozenset({"at", "started_at", "ended_at", "claimed_at", "remove_at"})
_FORMAL = frozenset({"kind", "message", "v"})
_LONG = 40


def wants_html(request: Request) -> bool:
    """Whether a browser sent the request; programs get JSON."""
    return "text/html" in request.headers.get("accept", "") or "hx-request" in request.headers


def page(
    request: Request,
    template: str,
    model: "Mapping[str, Any] | DataclassInstance",
    *,
    by: Operation | None,
    **extra: object,
) -> Response:
    """A page, or the same model as JSON at the same address for clients that request JSON."""
    context = {**fields_of(model), **extra}
    if "json" in request.headers.get("accept", "") and not wants_html(request):
        return Response(json.dumps(context, default=_plain), 200, _HEADERS, "application/json")
    common = _common(by, request.url.path)
    # Cached: a refusal has no session, and no connection to read the site's name.
    request.app.state.site = common["site"]
    return HTMLResponse(_rendered(template, common | _demo(request) | context), 200, _HEADERS)


def _demo(request: Request) -> dict[str, Any]:
    """The demo PIN and password shown at sign-in fields; empty outside a demo."""
    settings = request.app.state.settings
    return {
        "demo_pin": next(iter(settings.demo_badges.values()), ""),
        "demo_password": settings.demo_password,
    }


def fields_of(model: "Mapping[str, Any] | DataclassInstance") -> Mapping[str, Any]:
    """The fields of a view, as a template names them."""
    if isinstance(model, Mapping):
        return model
    return {field.name: getattr(model, field.name) for field in fields(model)}


def _plain(value: object) -> object:
    """Timestamps, views, read-only mappings, and cards as JSON."""
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type | Card):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return dict(value) if isinstance(value, Mapping) else str(value)


def html(template: str, model: Mapping[str, Any], *, by: Operation | None = None, path: str = "") -> str:
    """A rendered template, for screens and printed documents; times are in the site's time zone."""
    return _rendered(template, _common(by, path) | dict(model))


def _common(by: Operation | None, path: str) -> dict[str, object]:
    """The variables common to all templates."""
    floor = floor_in_force(by.connection) if by else None
    return {
        "demo_pin": "",
        "demo_password": "",
        "me": by.actor.me if by else None,
        "names": cache(lambda: staff_names(by.connection) if by else {}),
        "path": path,
        "site": floor.site if floor else "Feltwork",
        "version": __version__,
        "zone": ZoneInfo(floor.day.time_zone) if floor else UTC,
    }


def _rendered(template: str, model: Model) -> str:
    return environment().get_template(template).render(model)


def time_zone(by: Operation | None) -> tzinfo:
    """The time zone of the site, or UTC."""
    floor = floor_in_force(by.connection) if by else None
    return ZoneInfo(floor.day.time_zone) if floor else UTC


def problem_page(request: Request, status: int, problem: Mapping[str, str]) -> Response:
    """A refusal as a page, with its rule and remedy; without a session, the sign-in page instead."""
    if status == 401:
        target = request.url.path if request.method == "GET" else "/"
        to = f"/sign-in?next={target}"
        if request.headers.get("hx-request") and problem["rule"] == "session-locked":
            return Response(status_code=204, headers={**_HEADERS, "HX-Trigger": "session-locked"})
        if request.headers.get("hx-request"):
            return Response(status_code=204, headers={**_HEADERS, "HX-Redirect": to})
        return Response(status_code=303, headers={**_HEADERS, "Location": to})
    model = {
        "problem": problem,
        "status": status,
        "site": _site(request),
        "me": getattr(request.state, "me", None),
    }
    return HTMLResponse(html("problem.html", model, path=request.url.path), status, _HEADERS)


def _site(request: Request) -> str:
    """The site name for a refusal: the one on the last page, or from the books if they respond."""
    state = request.app.state
    pool = getattr(state, "pool", None)
    if not hasattr(state, "site") and pool is not None and pool.schema() is not None:
        with suppress(*UNAVAILABLE), pool.connection(timeout=1) as connection:
            state.site = site_name(connection)
    return getattr(state, "site", "Feltwork")


@cache
def environment() -> Environment:
    """The templates with their filters; an undefined name is an error."""
    env = Environment(
        loader=ChoiceLoader([PackageLoader("feltwork.site.web"), FileSystemLoader(folders())]),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.policies["ext.i18n.trimmed"] = True
    env.install_gettext_callables(catalog.gettext, catalog.ngettext, newstyle=True)  # type: ignore[attr-defined]
    env.filters.update(
        amount=amount_text,
        plain=plain_name,
        choice=lambda name: plain_name(name.capitalize()),
        pays=lambda pays: catalog.translated(part(str(pays))),
        moment=_moment,
        named=lambda person, people: people.get(person, person),
        person=_person,
        face=card_face,
        spoken=lambda name: plain_name(words(name)),
        sentence=sentence,
        as_facts=_facts,
        award_name=report_format.award_name,
        awards_named=report_format.awards_named,
        as_json=partial(json.dumps, default=_plain),
        as_table=_table,
        day=report_format.day_text,
        full=report_format.amount,
        role=role_label,
        rule_parts=report_format.rule_parts,
    )
    env.globals.update(
        doors=NAVIGATION,
        language=catalog.tag,
        languages=catalog.languages,
        chosen_language=catalog.language,
        page_help=page_help,
        script_messages=catalog.script_messages,
    )
    return env


@pass_context
def _person(context: Context, person: str) -> str:
    """The name of a person by id, or of several."""
    names: Mapping[str, str] = context["names"]()
    return ", ".join(names.get(one, one) for one in person.split(", "))


@pass_context
def _moment(context: Context, at: int | str | datetime) -> str:
    return report_format.moment(at, context["zone"])


@pass_context
def _table(
    context: Context,
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[Column] = (),
    without: Collection[str] = (),
) -> PageTable:
    return report_format.table(rows, columns, without, zone=context["zone"])


@dataclass(frozen=True, slots=True)
class FactLine:
    """A field of a booked fact as text; a long one gets its own line."""

    name: str
    says: str
    long: bool


@pass_context
def _facts(context: Context, about: Mapping[str, Any], hand_names: Mapping[str, str]) -> list[FactLine]:
    """The fields of a booked fact, with amounts, times, lists, and the names of hands formatted."""
    facts = []
    for name, value in about.items():
        if name in _TIMESTAMPS and isinstance(value, int):
            wording = report_format.moment(value, context["zone"])
        elif name == "hand" and value in hand_names:
            wording = catalog.gettext(hand_names[value])
        elif isinstance(value, dict):
            parts = {key: report_format.cell(name, part).says for key, part in value.items()}
            wording = ", ".join(f"{plain_name(key)}: {plain_name(part)}" for key, part in parts.items())
        else:
            text = ", ".join(map(str, value)) if isinstance(value, list) else value
            wording = plain_name(report_format.cell(name, text, zone=context["zone"]).says)
        if wording and name not in _FORMAL:
            facts.append(FactLine(plain_name(name), wording, len(wording) > _LONG))
    return facts


def role_label(role: str) -> str:
    """The label of a role; people without a role get "none"."""
    return catalog.gettext(ROLES[role].label if role in ROLES else role or N_("none"))


def sentence(phrase: str) -> str:
    """A text in the reader's language, with a capital letter and a period."""
    text = catalog.translated(kept(phrase))
    end = "。" if any(letter >= _FIRST_CHINESE for letter in text) else "."
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?", "!", "。", "？", "！")) else end)


def card_face(card: Card | str) -> dict[str, str]:
    """The face of a card such as ``Th``."""
    letter = str(card)[0]
    suit = next(suit for suit in Suit if suit.letter == str(card)[1])
    rank = "10" if letter == "T" else letter
    name = {"A": N_("ace"), "K": N_("king"), "Q": N_("queen"), "J": N_("jack")}.get(letter, rank)
    values = {"rank": catalog.gettext(name), "suit": catalog.gettext(suit.name.lower())}
    label = catalog.gettext("%(rank)s of %(suit)s") % values
    return {"rank": rank, "suit": suit.name.lower(), "says": label}
