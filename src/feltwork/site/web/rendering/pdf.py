"""PDF documents from templates; only files of this package are loaded."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any, Literal, TypeAlias

from fastapi.responses import Response

from feltwork.site.books.context import Operation
from feltwork.site.books.errors import Refusal, RefusedError
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.catalog import in_english
from feltwork.site.web.rendering.templating import html

#: Paper size of a document.
Paper: TypeAlias = Literal["letter", "a4"]
#: The base URL of a template. Nothing is read from it: the fetcher serves one folder.
_HERE = "file:///"
_STATIC = "/static/"
_KINDS = {".css": "text/css", ".svg": "image/svg+xml", ".ttf": "font/ttf"}


def printed(template: str, model: Mapping[str, Any], *, name: str, by: Operation) -> Response:
    """A template as a PDF response."""
    with in_english():
        body = pdf(html(template, {**model, "printed_at": datetime.now(tz=UTC)}, by=by))
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'inline; filename="{name}.pdf"'}
    return Response(body, media_type="application/pdf", headers=headers)


def pdf(page: str, *, attachments: Sequence[Any] = ()) -> bytes:
    """An HTML page as a PDF, with attachments."""
    try:
        from weasyprint import HTML
    except ImportError as error:
        raise _cannot_print() from error
    document = HTML(string=page, base_url=_HERE, url_fetcher=_fetcher())
    content: bytes = document.write_pdf(attachments=attachments)
    return content


def code(address: str) -> str:
    """A QR code of an address, as inline SVG."""
    try:
        import segno
    except ImportError as error:
        raise _cannot_print() from error
    # Level M survives a coffee stain and keeps the modules large enough for a phone.
    symbol = segno.make(address, error="m", micro=False)
    return symbol.svg_inline(border=4, omitsize=True)


def _fetcher() -> Any:
    """A fetcher that serves our static files and refuses everything else."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse, URLFetchingError

    class OwnFiles(URLFetcher):  # type: ignore[misc]  # it has no types
        def fetch(self, url: str, headers: object = None) -> Any:
            path = PurePosixPath(url.removeprefix(_HERE.removesuffix("/")))
            if not url.startswith(_HERE) or not str(path).startswith(_STATIC) or ".." in path.parts:
                raise URLFetchingError(f"a document requests {url}")
            file = files("feltwork.site.web").joinpath(str(path).lstrip("/"))
            return URLFetcherResponse(url, file.read_bytes(), {"Content-Type": _KINDS[path.suffix]})

    return OwnFiles()


def _cannot_print() -> RefusedError:
    refusal = Refusal(
        rule="documents",
        requirement="LT-15",
        what=_("This service can't make PDF documents."),
        remedy=_("Install feltwork[documents], or print the page from the browser."),
    )
    return RefusedError("not_installed", refusal)
