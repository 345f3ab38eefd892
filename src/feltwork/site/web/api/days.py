"""Gambling days over HTTP: the checklist of a day, and closing it with a signed sheet."""

from typing import Annotated

from fastapi import Path

from feltwork.site.books.audit import day_close
from feltwork.site.books.audit.day_close import DayChecklist, DaySheet, Explanations
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/days", tags=["reports"], responses={**REFUSALS})
DAY = r"^(TODAY|YESTERDAY|\d{4}-\d{2}-\d{2})$"
DayPath = Annotated[
    str,
    Path(
        pattern=DAY,
        description="A gambling day.",
        examples=["2026-01-31"],
    ),
]


@router.get("/{day}", summary="The checklist of a day")
def show(by: SignedIn, day: DayPath) -> DayChecklist:
    """The checklist for closing a gambling day, with its missing items, and the sheets that closed it."""
    return day_close.day_checklist(by, day)


@router.post("/{day}/close", summary="Close a day")
def close(by: SignedIn, key: Key, day: DayPath, explained: Explanations) -> DaySheet:
    """Close a gambling day with a signed sheet; each missing item needs an explanation [WA-25]."""
    return key.run(by, day_close.close_day, day, explained)
