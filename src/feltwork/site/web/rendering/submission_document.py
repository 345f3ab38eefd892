"""The submission package as a PDF and as a self-contained HTML page."""

from dataclasses import fields
from importlib.resources import files

from markdown_it import MarkdownIt

from feltwork import __version__
from feltwork.site.compliance.submission import Submission
from feltwork.site.web.rendering import pdf
from feltwork.site.web.rendering.pdf import Paper
from feltwork.site.web.rendering.templating import html

_LINK = '<link rel="stylesheet" href="/static/paper.css">'
_ON_SCREEN = (
    "@media screen { body { max-width: 60em; margin: 2em auto; padding: 0 1em } .foot { position: static } }"
)


def page(package: Submission, paper: Paper) -> str:
    """The package as a page for print."""
    model = {field.name: getattr(package, field.name) for field in fields(package)}
    rules = MarkdownIt().enable("table")
    model["procedures"] = [
        {"letter": procedure.letter, "html": rules.render(procedure.markdown)}
        for procedure in package.procedures
    ]
    return html("papers/submission.html", {**model, "paper": paper, "version": __version__})


def as_html(package: Submission, paper: Paper) -> str:
    """The package as one HTML file, with its style inside and the reader's fonts."""
    style = files("feltwork.site.web").joinpath("static/paper.css").read_text(encoding="utf-8")
    style = style.replace('@import "paper_fonts.css";', "")
    return page(package, paper).replace(_LINK, f"<style>{style}{_ON_SCREEN}</style>")


def as_pdf(package: Submission, paper: Paper) -> bytes:
    """The package as a PDF."""
    return pdf.pdf(page(package, paper))
