"""Certificates as PDF pages, with their data attached."""

import io

from feltwork.odds.certificate import Body, as_text, from_text
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.web.rendering import pdf
from feltwork.web.rendering.templating import html

ATTACHED = "certificate.json"


def page(body: Body) -> str:
    """The page as HTML."""
    name = f"{body['title']}/{body['bet']}/{body['paytable']}"
    title = registry.title(body["title"]).title
    model = {"body": body, "name": name, "title": title, "deals": f"{int(body['deals']):,}"}
    return html("certificate.html", model)


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
