"""The certificate of a paytable (a PAR sheet): pays, frequencies, hold, and how they are derived.

Numbers are fractions written as text, so nothing is rounded. The seal shows whether a certificate was edited;
deriving it again shows where.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

from feltwork import __version__, money
from feltwork.odds.count_cache import code_digest
from feltwork.odds.figures.figure import decimal
from feltwork.odds.meters.distribution import root
from feltwork.odds.pricing import Price, RowReturn
from feltwork.odds.report import base_report
from feltwork.odds.sheet import BOTH, sheet, sides
from feltwork.odds.title_odds import NET_RESULT
from feltwork.odds.verify import Verdict, verdicts_on, verdicts_under
from feltwork.odds.what_if.fields import question_from
from feltwork.odds.what_if.question import Question, settings_of
from feltwork.odds.what_if.sensitivity import round_law
from feltwork.odds.what_if.volatility import RoundLaw, bands, law_of_lines, volatility_index
from feltwork.odds.what_if.what_if import what_if
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.paytables.parse import parse_pay
from feltwork.titles.paytables.paytable import Paytable, Row

Body: TypeAlias = dict[str, Any]
FORM = "feltwork certificate 4"
#: Value of `bet` in the certificate of a base game.
BASE = "base"


@dataclass(frozen=True, slots=True)
class FigureDifference:
    """A certified value that differs from the newly derived value."""

    where: str
    certified: str
    derived: str


@dataclass(frozen=True, slots=True)
class CertificateCheck:
    """The result of a check; the certificate is valid when nothing differs."""

    differences: tuple[FigureDifference, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Issue:
    """Author and date of a certificate."""

    author: str = ""
    date: str = ""


NOT_ISSUED = Issue()


def certificate(
    paytable: Paytable,
    options: Mapping[str, str] | None = None,
    settings: Mapping[str, str] | None = None,
    issue: Issue = NOT_ISSUED,
) -> Body:
    """Make the certificate of a paytable, published or drafted.

    Settings are the what-if fields of a jackpot: wager, meter terms and house options. They default to the
    paytable's own.
    """
    par_sheet = sheet(paytable, options)
    question = question_from(paytable, {**par_sheet.options, **(settings or {})})
    body: Body = {
        "form": FORM,
        "title": paytable.title,
        "bet": paytable.bet,
        "paytable": paytable.id,
        "recommended": {name: str(value) for name, value in paytable.recommended.items()},
        "options": dict(par_sheet.options),
        "settings": settings_of(question),
        **_priced(question),
        "other_sides": {
            side: _priced(replace(question, options={**par_sheet.options, "side": side}))
            for side in sides(paytable)
            if par_sheet.options["side"] not in (side, BOTH)
        },
        "net_results": _net_results(par_sheet.net_results),
        "strategy": list(par_sheet.strategy),
        "printed": [_printed(verdict) for verdict in verdicts_on(paytable)],
        "method": par_sheet.method,
        "fingerprints": {
            "rules": rules_fingerprint(paytable.title),
            "paytable": paytable.fingerprint,
            "counts": counts_fingerprint(par_sheet.price),
            "program": code_digest(),
        },
    }
    return _issued(body, issue)


def base_certificate(title: str, options: Mapping[str, str] | None = None, issue: Issue = NOT_ISSUED) -> Body:
    """Make the certificate of a base game under optimal play."""
    report = base_report(title, options or {})
    body: Body = {
        "form": FORM,
        "title": title,
        "bet": BASE,
        "paytable": "",
        "recommended": {},
        "options": dict(report.options),
        "settings": {},
        "deals": str(next((line.deals / line.probability for line in report.lines if line.deals), 0)),
        "rows": [],
        "figures": {name: figure.as_json() for name, figure in report.computed.items()},
        "volatility": {
            name: _volatility(report.figures[variance], law_of_lines(_lines_of(name, report.lines)))
            for name in report.figures
            if name.startswith("house edge")
            and (variance := name.replace("house edge", "variance")) in report.figures
        },
        "progressive": {},
        "other_sides": {},
        "net_results": _net_results(report.lines),
        "strategy": list(report.strategy),
        "printed": [_printed(verdict) for verdict in verdicts_under(title, f"{title}/base/")],
        "method": report.method,
        "fingerprints": {"rules": rules_fingerprint(title), "program": code_digest()},
    }
    return _issued(body, issue)


def _issued(body: Body, issue: Issue) -> Body:
    """Add origin and seal to a certificate."""
    body = {**body, "program": f"feltwork {__version__}", "author": issue.author, "date": issue.date}
    return {**body, "seal": seal(body)}


def _priced(question: Question) -> Body:
    """Describe the rows and figures of one priced paytable."""
    answer = what_if(question)
    offered = question.offer.prices[question.side] if question.terms else None
    priced = offered or sheet(question.paytable, question.options).price
    back = sum((row.returns for row in answer.rows if row.returns), Fraction(0))
    lines = [
        {
            "hand": line.hand,
            "pays": line.pays,
            "envy": money.text(row.envy),
            "cites": row.cites,
            "deals": str(line.deals),
            "probability": str(line.probability),
            "returns": str(line.returns),
            "of_return": str(line.returns / back) if line.returns is not None and back else "0",
        }
        for row, line in zip(priced.paytable.rows, answer.rows, strict=True)
    ]
    nothing = {"deals": str(priced.deals[None]), "probability": str(priced.probability(None))}
    bet = {name: figure for name, figure in answer.bet.items() if "_on_" not in name}
    meters = {f"{level}.{name}": answer.meters[level][name] for level in answer.meters for name in _METER}
    edge_name = next((name for name in ("hold", "house_edge") if name in bet), "")
    back_of_bet = {"return": replace(bet[edge_name], value=1 - bet[edge_name].value)} if edge_name else {}
    spread = {edge_name: _volatility(bet["variance"].value, round_law(question))} if "variance" in bet else {}
    return {
        "deals": str(priced.total),
        "rows": lines,
        "nothing": nothing,
        "figures": {name: figure.as_json() for name, figure in (back_of_bet | bet | meters).items()},
        "volatility": spread,
        "progressive": _progressive(question),
    }


#: Figures of a meter in a certificate; times depend on the floor and are left out.
_METER = ("mean_jackpot", "break_even_meter", "wagers_to_hit")


def _lines_of(figure: str, lines: Iterable[RowReturn]) -> list[RowReturn]:
    """Return the lines of the bet that a figure names, as in ``house edge, player``; all without one."""
    bet = figure.partition(", ")[2]
    return [line for line in lines if line.hand.partition(":")[0] == bet or not bet]


def _volatility(variance: Fraction, law: RoundLaw | None) -> Body:
    """Describe the spread of results around a return, per unit of the first wager."""
    return {
        "standard_deviation": decimal(root(variance)),
        "volatility_index": decimal(volatility_index(variance)),
        "bands": [band.as_json() for band in bands(law)] if law else [],
    }


def _progressive(question: Question) -> Body:
    """Split the return of a progressive into fixed pays, envy, seeds and contributions; the rest is hold."""
    if not question.terms:
        return {}
    back = question.returns
    levels = {}
    for level, terms in question.terms.items():
        rows = (row for row in question.paytable.rows if getattr(row.pays, "level", "") == level)
        total = sum((back.rows[row.hand] for row in rows), Fraction(0))
        seeds = terms.seed * back.hits[level].get(Fraction(1), Fraction(0))
        wagers = question.crowd.mean_bettors * question.wager * (terms.contribution + terms.reserve)
        from_seed = total * seeds / (seeds + wagers) if seeds + wagers else Fraction(0)
        levels[level] = {"seed": str(from_seed), "contributions": str(total - from_seed)}
    return {
        "fixed_pays": str(back.fixed),
        "envy": str(back.envy),
        "levels": levels,
        "hold": str(back.kept),
    }


def _net_results(outcomes: tuple[RowReturn, ...]) -> list[Body]:
    """List the net results of a game, where they are known."""
    return [
        {
            "net": str(line.returns / line.probability),
            "deals": str(line.deals),
            "probability": str(line.probability),
        }
        for line in outcomes
        if line.hand == NET_RESULT and line.probability and line.returns is not None
    ]


def _printed(verdict: Verdict) -> Body:
    figure_value = verdict.ours.value if verdict.ours else None
    return {
        "figure": verdict.printed.id,
        "printed": verdict.printed.text,
        "cites": verdict.printed.cites,
        "ours": "" if figure_value is None else verdict.printed.written(figure_value),
        "verdict": verdict.word,
        "why": verdict.why,
    }


def counts_fingerprint(priced: Price) -> str:
    """Compute the SHA-256 of the deals of every row."""
    rows = [[row.hand, str(priced.deals[place])] for place, row in enumerate(priced.paytable.rows)]
    text = json.dumps([*rows, ["", str(priced.deals[None])]], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def seal(body: Body) -> str:
    """Compute the SHA-256 of everything except the seal."""
    rest = {name: value for name, value in body.items() if name != "seal"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def rules_fingerprint(title: str) -> str:
    """Compute the SHA-256 of the code and the written rules of a title."""
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
        differences.append(FigureDifference("form", str(body.get("form", "missing")), FORM))
    if body.get("seal") != seal(body):
        differences.append(FigureDifference("seal", str(body.get("seal", "missing")), seal(body)))
    try:
        derived = _derived(body)
    except ProblemsError as error:
        differences += [FigureDifference(item.where, item.what, item.remedy) for item in error.problems]
        return CertificateCheck(tuple(differences), ())
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        broken = FigureDifference(
            "certificate", f"cannot be read: {error}", "a certificate made by `feltwork certify`"
        )
        return CertificateCheck((*differences, broken), ())
    certified, now = _without_program(body), _without_program(derived)
    differences += _differing(certified, now)
    notes = _other_program(body, derived)
    return CertificateCheck(tuple(differences), notes)


def _derived(body: Body) -> Body:
    options, settings = (
        {str(name): str(value) for name, value in body[part].items()} for part in ("options", "settings")
    )
    issue = Issue(str(body["author"]), str(body["date"]))
    if body["bet"] == BASE:
        return base_certificate(str(body["title"]), options, issue)
    return certificate(_paytable(body), options, settings, issue)


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
        raise ProblemsError([Problem("rows", "the paytable has no rows", "certify a paytable with rows")])
    return Paytable(identifier, title, bet, rows, dict(body["recommended"]))


def _without_program(body: Body) -> Body:
    """Drop the fields that depend on the release."""
    rest = {name: value for name, value in body.items() if name not in ("seal", "program")}
    prints = rest.get("fingerprints")
    if isinstance(prints, dict):
        rest["fingerprints"] = {name: value for name, value in prints.items() if name != "program"}
    return rest


def _other_program(body: Body, derived: Body) -> tuple[str, ...]:
    program = body.get("fingerprints", {}).get("program")
    if program == derived["fingerprints"]["program"] and body.get("program") == derived["program"]:
        return ()
    origin = f"the certificate was made by another release ({body.get('program')})"
    return (f"{origin} and derived again by this release",)


def _differing(certified: object, derived: object, where: str = "") -> Iterator[FigureDifference]:
    """Yield every leaf that differs, with its path."""
    if isinstance(certified, dict) and isinstance(derived, dict):
        for name in dict.fromkeys((*certified, *derived)):
            place = f"{where}.{name}" if where else str(name)
            yield from _differing(certified.get(name, "missing"), derived.get(name, "missing"), place)
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
        raise ProblemsError(
            [Problem(where, f"is not JSON: {error}", "give a certificate file made by `feltwork certify`")]
        ) from error
    if not isinstance(body, dict):
        raise ProblemsError(
            [Problem(where, "is not a certificate", "give a certificate file made by `feltwork certify`")]
        )
    return body
