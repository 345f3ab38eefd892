"""The page that closes a gambling day."""

import hashlib
import json
from dataclasses import replace
from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import Response

from feltwork.operations.records import day_close
from feltwork.web.api.days import DAY
from feltwork.web.rendering.templating import fields_of, page
from feltwork.web.security.auth import Reader

Day = Annotated[str, Query(pattern=DAY, description="A gambling day.")]
#: Pages of the checklist that some readers of the books may not open, and the command that opens them.
_PAGES = {"/cage": "pay", "/office/links/": "count_funds"}


def day_page(request: Request, by: Reader, day: Day = "TODAY") -> Response:
    """The checklist of a gambling day, what it still lacks, and its signed sheet."""
    view = day_close.day_checklist(by, day)
    sheet = view.sheets[-1] if view.sheets else None
    shown = {
        **fields_of(view),
        "sheet": sheet and {**fields_of(replace(sheet)), "says": json.loads(sheet.body)},
        "hash": hashlib.sha256(sheet.body.encode()).hexdigest() if sheet else "",
        "closed_pages": tuple(page for page, command in _PAGES.items() if not by.actor.may(command)),
        "may_close": by.actor.may("close_day"),
    }
    return page(request, "office_day.html", shown, by=by)
