"""Pagination: a limit, a cursor, and the address of the next page in the Link header (RFC 8288)."""

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, TypeVar
from urllib.parse import urlencode

from fastapi import Depends, Query, Request, Response

from feltwork.site.progressive.refusal import refuse

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

V = TypeVar("V", bound="DataclassInstance")
T = TypeVar("T")
LONGEST = 1_000


class Page:
    """The requested page of a list."""

    def __init__(
        self,
        request: Request,
        response: Response,
        limit: Annotated[
            int, Query(ge=1, le=LONGEST, description="Maximum number of items on a page.")
        ] = LONGEST,
        cursor: Annotated[
            str, Query(max_length=200, description="Cursor from the Link header of the previous page.")
        ] = "",
    ) -> None:
        self._request = request
        self._response = response
        self._limit = limit
        self._cursor = cursor

    def of(self, view: V, name: str, items: Sequence[T], key: Callable[[T], object]) -> V:
        """A view with one page of a list; the Link header has the address of the next page."""
        begin = self._begin(items, key)
        page = items[begin : begin + self._limit]
        if begin + self._limit < len(items):
            query = {"limit": self._limit, "cursor": _encode(str(key(page[-1])))}
            self._response.headers["Link"] = f'<{self._request.url.path}?{urlencode(query)}>; rel="next"'
        return replace(view, **{name: list(page)})

    def _begin(self, items: Sequence[T], key: Callable[[T], object]) -> int:
        if not self._cursor:
            return 0
        last = _decode(self._cursor)
        for place, item in enumerate(items):
            if str(key(item)) == last:
                return place + 1
        # Refuse rather than skip items: the cursor's item may be gone, such as an answered proposal.
        raise refuse("cursor", "the list has changed", "begin again without a cursor", "")


def _encode(key: str) -> str:
    return base64.urlsafe_b64encode(key.encode()).decode().rstrip("=")


def _decode(cursor: str) -> str:
    try:
        return base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except (binascii.Error, ValueError):
        return ""


Paged = Annotated[Page, Depends()]
