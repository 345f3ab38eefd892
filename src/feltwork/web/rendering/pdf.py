"""Paper: templates printed as PDF, with nothing loaded but what lies in this package."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from fastapi.responses import Response

from feltwork.operations.errors import Refusal, RefusedError
from feltwork.web.rendering.templating import html

#: What addresses of a template are relative to. Nothing is read from there: the fetcher knows one folder.
_HERE = "file:///"
_STATIC = "/static/"
_KINDS = {".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}


def printed(template: str, told: Mapping[str, Any], *, name: str, by: Mapping[str, str]) -> Response:
    """A template as a PDF to look at and to file."""
    now = datetime.now(tz=UTC).strftime("%Y-%m-%d %H:%M UTC")
    body = pdf(html(template, {**told, "printed_at": now}, me=by))
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'inline; filename="{name}.pdf"'}
    return Response(body, media_type="application/pdf", headers=headers)


def pdf(page: str, *, attachments: Sequence[Any] = ()) -> bytes:
    """A page of HTML as a PDF, with files attached."""
    try:
        from weasyprint import HTML
    except ImportError as error:
        raise _cannot_print() from error
    whole = HTML(string=page, base_url=_HERE, url_fetcher=_fetcher())
    made: bytes = whole.write_pdf(attachments=attachments)
    return made


def code(address: str) -> str:
    """A QR code that leads to an address, drawn into the page."""
    try:
        import segno
    except ImportError as error:
        raise _cannot_print() from error
    # Level M mends a coffee stain, and keeps the squares large enough for a phone.
    drawn = segno.make(address, error="m", micro=False)
    return drawn.svg_inline(border=4, omitsize=True)


def _fetcher() -> Any:
    """Gives our own static files, and refuses everything else: a document never asks another host."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse, URLFetchingError

    class OwnFiles(URLFetcher):  # type: ignore[misc]  # it has no types
        def fetch(self, url: str, headers: object = None) -> Any:
            path = PurePosixPath(url.removeprefix(_HERE.removesuffix("/")))
            if not url.startswith(_HERE) or not str(path).startswith(_STATIC) or ".." in path.parts:
                raise URLFetchingError(f"a document asks for {url}")
            file = files("feltwork.web").joinpath(str(path).lstrip("/"))
            return URLFetcherResponse(url, file.read_bytes(), {"Content-Type": _KINDS[path.suffix]})

    return OwnFiles()


def _cannot_print() -> RefusedError:
    refusal = Refusal(
        rule="documents",
        requirement="LT-15",
        what="this service was installed without what makes documents",
        remedy="install feltwork[documents], or print the page from the browser",
    )
    return RefusedError("not_installed", refusal)
