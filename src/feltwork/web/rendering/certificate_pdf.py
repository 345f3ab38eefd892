"""The certificate as a PDF: the page that people read, with the same certificate attached as data."""

import io
from importlib.resources import files

from jinja2 import Environment

from feltwork.odds.certificate import Body, as_text, from_text
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.web.rendering import pdf

ATTACHED = "certificate.json"


def page(body: Body) -> str:
    """The page as HTML."""
    text = (
        files("feltwork.web").joinpath("screens", "documents", "certificate.html").read_text(encoding="utf-8")
    )
    name = f"{body['title']}/{body['bet']}/{body['paytable']}"
    title = registry.title(body["title"]).title
    template = Environment(autoescape=True, trim_blocks=True).from_string(text)
    return template.render(body=body, name=name, title=title, deals=f"{int(body['deals']):,}")


def as_pdf(body: Body) -> bytes:
    """The PDF with its data."""
    try:
        from weasyprint import Attachment
    except ImportError as error:
        raise _missing() from error
    attached = Attachment(string=as_text(body), name=ATTACHED, description="the certificate as data")
    return pdf.pdf(page(body), attachments=[attached])


def from_pdf(content: bytes, *, where: str) -> Body:
    """The certificate that is attached to a PDF."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import PdfReadError
    except ImportError as error:
        raise _missing() from error
    try:
        attached = PdfReader(io.BytesIO(content)).attachments.get(ATTACHED)
    except PdfReadError as error:
        raise ProblemsError([Problem(where, f"is no PDF: {error}", "name a certificate")]) from error
    if not attached:
        raise ProblemsError(
            [Problem(where, "has no certificate attached", "name a PDF that `feltwork certify` made")]
        )
    return from_text(attached[0].decode("utf-8"), where=where)


def _missing() -> ProblemsError:
    remedy = "install feltwork[documents], or ask for JSON"
    return ProblemsError([Problem("--pdf", "the libraries for PDF are not installed", remedy)])


def shows(content: bytes) -> str:
    """Everything that the pages of a PDF say, without spaces."""
    from pypdf import PdfReader

    return "".join("".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(content)).pages)
