"""The win page: an award from the hand button to the payment."""

from fastapi import Request
from fastapi.responses import Response

from feltwork.site.books.awards.documents import win_page
from feltwork.site.web.fields import AwardPath, Name
from feltwork.site.web.rendering import hand_faces
from feltwork.site.web.rendering.templating import page
from feltwork.site.web.security.auth import Watcher
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter()


@router.get("/awards/{award}/win-page")
def show(request: Request, by: Watcher, award: AwardPath, link: Name = "") -> Response:
    """The award, its history, and the rule behind it [LT-15]."""
    view = win_page(by, award, link)
    return page(request, "win_page.html", view, by=by, cards=hand_faces.of_cards(view.award.cards))
