"""The page that closes a gambling day."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import Response

from feltwork.site.books.audit import day_close
from feltwork.site.books.audit.day_close import ChecklistItem, DayChecklist, OpenThing
from feltwork.site.books.floors.site import staff_names
from feltwork.site.compliance.roles import COMMANDS
from feltwork.site.web.api.days import DAY
from feltwork.site.web.rendering.catalog import N_, gettext
from feltwork.site.web.rendering.report_format import award_name, day_name, moment, plain_name
from feltwork.site.web.rendering.templating import fields_of, page, time_zone
from feltwork.site.web.screens.alarms import alarm_title, place_name
from feltwork.site.web.security.auth import Reader

Day = Annotated[str, Query(pattern=DAY, description="A gambling day.")]
_SHEET = re.compile(r"sheet ([0-9]+), closed by (.+)")
#: Names of the differences between the bank and the books.
DIFFERENCES = (
    N_("the books hold beyond their entries"),
    N_("no entry explains"),
    N_("the bank holds beyond the books"),
)
#: Pages of the checklist that some readers of the books may not open, and the command that opens them.
_PAGES = {"/cage": "pay", "/office/links/": "count_funds"}


def day_page(request: Request, by: Reader, day: Day = "TODAY") -> Response:
    """The checklist of a gambling day, its missing items, and its signed sheet."""
    view = day_close.day_checklist(by, day)
    sheet = view.sheets[-1] if view.sheets else None
    model = {
        **fields_of(view),
        "day_name": day_name(date.fromisoformat(view.day)),
        "items": [replace(item, missing=_said(by, view, item)) for item in view.items],
        "sheet": sheet and {**fields_of(replace(sheet)), "says": json.loads(sheet.body)},
        "hash": hashlib.sha256(sheet.body.encode()).hexdigest() if sheet else "",
        "closed_pages": tuple(page for page, command in _PAGES.items() if not by.actor.may(command)),
        "may_close": by.actor.may("close_day"),
    }
    return page(request, "office_day.html", model, by=by)


def _said(by: Reader, view: DayChecklist, item: ChecklistItem) -> list[OpenThing]:
    """The missing parts of an item, in the wording of the screens where they are done."""
    names = staff_names(by.connection)

    def wording(about: str) -> str:
        first, _, rest = about.partition(", ")
        if item.name == "alarms":
            return f"{alarm_title(first)}, {rest}"
        if item.name == "proposals":
            return f"{plain_name(COMMANDS[first].says)}: {award_name(rest)}"
        if item.name == "parked":
            return place_name(about)
        if item.name in ("reconciliation", "sheet"):
            return _difference_or_sheet(about, names)
        if item.name == "over":
            return gettext("It ends %(at)s.") % {"at": moment(view.until, time_zone(by))}
        return names.get(about, about) if item.name == "drawers" else award_name(about)

    return [replace(gap, about=wording(gap.about)) for gap in item.missing]


def _difference_or_sheet(about: str, names: Mapping[str, str]) -> str:
    """The difference on a link, or the earlier sheet of the day and who closed it."""
    if sheet := _SHEET.fullmatch(about):
        who = {"number": sheet[1], "person": names.get(sheet[2], sheet[2])}
        return gettext("sheet %(number)s, closed by %(person)s") % who
    link, _, what = about.partition(": ")
    return f"{link}: {gettext(what)}"
