"""The certificate of a paytable (a PAR sheet): pays, frequencies, hold, and how they are derived.

Numbers are fractions written as text, so nothing is rounded. The seal shows whether a certificate was edited;
deriving it again shows where.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

from feltwork import __version__, money
from feltwork.odds.base_bets import default_options, sheet
from feltwork.odds.count_cache import code_digest
from feltwork.odds.figures.figure import decimal
from feltwork.odds.what_if.question import usual
from feltwork.odds.what_if.what_if import what_if
from feltwork.paytables.parse import parse_pay
from feltwork.paytables.paytable import Paytable, Row
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry

Body: TypeAlias = dict[str, Any]
FORM = "feltwork certificate 1"


@dataclass(frozen=True, slots=True)
class FigureDifference:
    """A value that differs from the one derived now."""

    where: str
    certified: str
    derived: str


@dataclass(frozen=True, slots=True)
class CertificateCheck:
    """The result of a check; the certificate is valid when nothing differs."""

    differences: tuple[FigureDifference, ...]
    notes: tuple[str, ...]


def certificate(paytable: Paytable, options: Mapping[str, str] | None = None) -> Body:
    """Make the certificate of a paytable, published or drafted."""
    chosen = default_options(paytable) | dict(options or {})
    par_sheet = sheet(paytable, chosen)
    priced = par_sheet.price
    lines = [
        {
            "hand": line.hand,
            "pays": line.pays,
            "envy": money.text(row.envy),
            "cites": row.cites,
            "deals": str(line.deals),
            "probability": str(line.probability),
            "returns": str(line.returns),
        }
        for row, line in zip(paytable.rows, priced.row_returns(), strict=True)
    ]
    nothing = {"deals": str(priced.deals[None]), "probability": str(priced.probability(None))}
    body: Body = {
        "form": FORM,
        "title": paytable.title,
        "bet": paytable.bet,
        "paytable": paytable.id,
        "recommended": {name: str(value) for name, value in paytable.recommended.items()},
        "options": dict(par_sheet.options),
        "deals": str(priced.total),
        "rows": lines,
        "nothing": nothing,
        "figures": _figures(paytable, chosen),
        "strategy": list(par_sheet.strategy),
        "method": par_sheet.method,
        "fingerprints": {
            "rules": rules_fingerprint(paytable.title),
            "paytable": paytable.fingerprint,
            "program": code_digest(),
        },
        "program": f"feltwork {__version__}",
    }
    return {**body, "seal": seal(body)}


def _figures(paytable: Paytable, options: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Compute the figures that follow from the paytable alone, without the operator's terms."""
    priced = sheet(paytable, options).price
    if not paytable.levels:
        answer = what_if(replace(usual(paytable), options=options))
        figures = {name: figure.value for name, figure in answer.bet.items() if figure.how == "exact"}
    else:
        figures = {
            "fixed_return": priced.fixed_return,
            "hit_frequency": priced.hit_frequency,
            "variance_of_fixed_pays": priced.variance,
            "top_odds": priced.top_odds,
        }
        for level in paytable.levels:
            figures[f"{level}.mean_share"] = priced.mean_share(level)
            figures[f"{level}.whole"] = priced.whole_share_probability(level)
        if len(paytable.levels) == 1:
            figures["break_even_meter"] = priced.break_even_meter()
        if priced.envy_per_bettor:
            figures["envy_per_bettor"] = priced.envy_per_bettor
    return {name: {"value": str(value), "decimal": decimal(value)} for name, value in figures.items()}


def seal(body: Body) -> str:
    """Compute SHA-256 over everything but the seal itself."""
    rest = {name: value for name, value in body.items() if name != "seal"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def rules_fingerprint(title: str) -> str:
    """Compute SHA-256 over the code and the written rules of a title."""
    digest = hashlib.sha256()
    for file in sorted(registry.folder(title).iterdir(), key=lambda entry: entry.name):
        if file.name.endswith((".py", ".md")):
            digest.update(f"{file.name}\n".encode() + _bytes(file))
    return digest.hexdigest()


def _bytes(file: Traversable) -> bytes:
    return file.read_bytes()


def check(body: Body) -> CertificateCheck:
    """Derive a certificate again and list the differences."""
    differences: list[FigureDifference] = []
    if body.get("form") != FORM:
        differences.append(FigureDifference("form", str(body.get("form", "not there")), FORM))
    if body.get("seal") != seal(body):
        differences.append(FigureDifference("seal", str(body.get("seal", "not there")), seal(body)))
    try:
        derived = certificate(_paytable(body), {str(k): str(v) for k, v in body["options"].items()})
    except ProblemsError as error:
        differences += [FigureDifference(item.where, item.what, item.remedy) for item in error.problems]
        return CertificateCheck(tuple(differences), ())
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        broken = FigureDifference(
            "certificate", f"cannot be read: {error}", "a certificate that Feltwork has made"
        )
        return CertificateCheck((*differences, broken), ())
    certified, now = _without_program(body), _without_program(derived)
    differences += _differing(certified, now)
    notes = _other_program(body, derived)
    return CertificateCheck(tuple(differences), notes)


def _paytable(body: Body) -> Paytable:
    """Return the shipped paytable of that name, or the draft that the certificate describes."""
    title, bet, identifier = (str(body[name]) for name in ("title", "bet", "paytable"))
    if identifier in registry.library(title).ids_of(bet):
        return registry.paytable(title, bet, identifier)
    rows = tuple(
        Row(row["hand"], parse_pay(row["pays"]), row["cites"], money.parse(row["envy"]))
        for row in body["rows"]
    )
    if not rows:
        raise ProblemsError([Problem("rows", "there are none", "certify a paytable with rows")])
    return Paytable(identifier, title, bet, rows, dict(body["recommended"]))


def _without_program(body: Body) -> Body:
    """Drop what depends on the release that derived it."""
    rest = {name: value for name, value in body.items() if name not in ("seal", "program")}
    prints = rest.get("fingerprints")
    if isinstance(prints, dict):
        rest["fingerprints"] = {name: value for name, value in prints.items() if name != "program"}
    return rest


def _other_program(body: Body, derived: Body) -> tuple[str, ...]:
    made = body.get("fingerprints", {}).get("program")
    if made == derived["fingerprints"]["program"] and body.get("program") == derived["program"]:
        return ()
    return (f"it was made by another release ({body.get('program')}); this release derived it again",)


def _differing(certified: object, derived: object, where: str = "") -> Iterator[FigureDifference]:
    """Yield every leaf that differs, with its path."""
    if isinstance(certified, dict) and isinstance(derived, dict):
        for name in dict.fromkeys((*certified, *derived)):
            place = f"{where}.{name}" if where else str(name)
            yield from _differing(certified.get(name, "not there"), derived.get(name, "not there"), place)
    elif isinstance(certified, list) and isinstance(derived, list) and len(certified) == len(derived):
        for number, (before, now) in enumerate(zip(certified, derived, strict=True), 1):
            yield from _differing(before, now, f"{where} {number}")
    elif certified != derived:
        yield FigureDifference(where, str(certified), str(derived))


def as_text(body: Body) -> str:
    """Write the certificate file."""
    return json.dumps(body, indent=1, ensure_ascii=False) + "\n"


def from_text(text: str, *, where: str) -> Body:
    """Read a certificate file."""
    try:
        body = json.loads(text)
    except json.JSONDecodeError as error:
        raise ProblemsError([Problem(where, f"is not JSON: {error}", "name a certificate")]) from error
    if not isinstance(body, dict):
        raise ProblemsError([Problem(where, "is not a certificate", "name one that `feltwork certify` made")])
    return body
