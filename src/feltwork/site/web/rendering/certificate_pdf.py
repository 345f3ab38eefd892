"""Certificates as PDF pages, with their data attached."""

import io
from fractions import Fraction

from feltwork.odds.certificate import BASE, Body, as_text, from_text
from feltwork.odds.what_if.figure_labels import LABELS, figure_name, in_unit
from feltwork.problem import Problem, ProblemsError
from feltwork.site.web.rendering import pdf
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.report_format import plain_name
from feltwork.site.web.rendering.templating import Model, html
from feltwork.titles import registry

ATTACHED = "certificate.json"
_LONGEST_FRACTION = 36


def page(body: Body) -> str:
    """The page as HTML."""
    name = "/".join(part for part in (body["title"], body["bet"], body["paytable"]) if part)
    title = registry.title(body["title"])
    model = {
        "body": body,
        "name": name,
        "title": title.title,
        "is_base": body["bet"] == BASE,
        "deals": f"{int(body['deals']):,}",
        "parts": [
            _part(body, body["options"].get("side", "") if body["other_sides"] else ""),
            *(_part(part, side) for side, part in body["other_sides"].items()),
        ],
        "net_results": [
            {"net": _signed(result["net"]), **_often(result["deals"], result["probability"])}
            for result in body["net_results"]
        ],
        "printed": [{**figure, "figure": figure_name(figure["figure"])} for figure in body["printed"]],
        "settings": [_setting(name, value) for name, value in body["settings"].items()],
        "sources": list(dict.fromkeys(row["cites"].partition(", row ")[0] for row in body["rows"])),
    }
    return html("certificate.html", model)


def _setting(name: str, value: str) -> Model:
    term, _dot, level = name.partition(".")
    is_amount = term in _AMOUNTS and value != "none"
    text = f"${float(value):,.2f}" if is_amount else {"true": _("yes"), "false": _("no")}.get(value, value)
    label = _SETTINGS.get(term, term)
    return {"label": f"{plain_name(level)}: {_(label)}" if level else _(label), "value": text}


_AMOUNTS = ("wager", "seed", "cap", "meter")
_SETTINGS = {
    "betting": N_("Chance that a seat bets"),
    "players": N_("Players at the table"),
    "others": N_("Other bettors"),
}


def _part(part: Body, side: str) -> Model:
    """Format the rows and figures of one side."""
    rows = [
        {
            **row,
            **_often(row["deals"], row["probability"]),
            "returns": _("unknown") if row["returns"] == "None" else _percent(row["returns"]),
            "of_return": _percent(row["of_return"]),
        }
        for row in part["rows"]
    ]
    nothing = part.get("nothing")
    return {
        "side": side,
        "rows": rows,
        "nothing": _often(nothing["deals"], nothing["probability"]) if nothing else {},
        "figures": [
            {"label": _label(name), "value": _figure(figure), "exact": _exact(figure)}
            for name, figure in part["figures"].items()
        ],
        "volatility": [_volatility(name, spread) for name, spread in part["volatility"].items()],
        "progressive": _progressive(part["progressive"]),
    }


def _often(deals: str, probability: str) -> Model:
    chance = Fraction(probability)
    return {
        "deals": f"{int(deals):,}",
        "percent": _percent(probability),
        "one_in": f"{float(1 / chance):,.2f}" if chance else _("never"),
    }


def _volatility(name: str, spread: Body) -> Model:
    return {
        # "player" of "house edge, player".
        "bet": plain_name(name.partition(", ")[2]),
        "deviation": _decimal(spread["standard_deviation"]),
        "index": _decimal(spread["volatility_index"]),
        "bands": [
            {
                "rounds": f"{int(band['rounds']):,}",
                "low": _percent(band["low"]),
                "high": _percent(band["high"]),
            }
            for band in spread["bands"]
        ],
    }


def _progressive(parts: Body) -> Model:
    if not parts:
        return {}
    return {
        "fixed_pays": _percent(parts["fixed_pays"]),
        "envy": _percent(parts["envy"]),
        "hold": _percent(parts["hold"]),
        "levels": [
            {
                "level": level,
                "seed": _percent(shares["seed"]),
                "contributions": _percent(shares["contributions"]),
            }
            for level, shares in parts["levels"].items()
        ],
    }


def _label(name: str) -> str:
    level, _dot, kind = name.rpartition(".")
    text = LABELS.get(kind, kind.replace("_", " "))
    return f"{plain_name(level)}: {text}" if level else text[:1].upper() + text[1:]


def _figure(figure: Body) -> str:
    return in_unit(Fraction(figure.get("value") or figure["decimal"]), figure["unit"])


def _exact(figure: Body) -> str:
    """The exact fraction, if it fits; the attached data always has it."""
    value = str(figure.get("value", ""))
    return value if len(value) <= _LONGEST_FRACTION else ""


def _percent(value: str) -> str:
    return f"{float(Fraction(value) * 100):.4f}%"


def _decimal(value: str) -> str:
    return f"{float(value):,.4f}"


def _signed(value: str) -> str:
    return f"{float(Fraction(value)):+g}" if Fraction(value) else "0"


def as_pdf(body: Body) -> bytes:
    """The certificate as a PDF with its data attached."""
    try:
        from weasyprint import Attachment
    except ImportError as error:
        raise _missing() from error
    attached = Attachment(string=as_text(body), name=ATTACHED, description="certificate data")
    return pdf.pdf(page(body), attachments=[attached])


def from_pdf(content: bytes, *, where: str) -> Body:
    """The certificate attached to a PDF."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import PdfReadError
    except ImportError as error:
        raise _missing() from error
    try:
        attached = PdfReader(io.BytesIO(content)).attachments.get(ATTACHED)
    except PdfReadError as error:
        raise ProblemsError(
            [Problem(where, f"This file isn't a PDF ({error}).", "Name a certificate.")]
        ) from error
    if not attached:
        raise ProblemsError(
            [
                Problem(
                    where, "This PDF has no certificate attached.", "Name a PDF made by `feltwork certify`."
                )
            ]
        )
    return from_text(attached[0].decode("utf-8"), where=where)


def _missing() -> ProblemsError:
    remedy = "Install feltwork[documents], or use JSON."
    return ProblemsError([Problem("--pdf", "The PDF libraries aren't installed.", remedy)])


def shows(content: bytes) -> str:
    """The text of a PDF, without spaces."""
    from pypdf import PdfReader

    return "".join("".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(content)).pages)
