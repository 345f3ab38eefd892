"""The win page: one award from the hand button to the money, for accounting and for the patron's slip."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from feltwork.operations.awards.documents import win_page
from feltwork.web.fields import AwardPath
from feltwork.web.rendering import hand_faces
from feltwork.web.rendering.templating import page
from feltwork.web.security.auth import Watcher

router = APIRouter()


@router.get("/awards/{award}/win-page")
def show(request: Request, by: Watcher, award: AwardPath) -> Response:
    """Who won what, where, and how the amount came about, down to the letter that gives it [LT-15]."""
    view = win_page(by, award)
    cards = hand_faces.example(view.jackpot, view.award.hand)
    return page(request, "win_page.html", view, me=by.actor.me, cards=cards)
