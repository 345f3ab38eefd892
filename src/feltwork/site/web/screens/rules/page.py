"""The explanation of a rule code: the requirement, its source, and the evidence for it."""

from fastapi import Request
from fastapi.responses import Response

from feltwork.site.books.errors import unknown
from feltwork.site.compliance.requirements import MARKS, REQUIREMENTS
from feltwork.site.web.fields import Name
from feltwork.site.web.rendering.templating import page
from feltwork.site.web.security.auth import Visitor
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/rules")


@router.get("/{code}")
def show(request: Request, visitor: Visitor, code: Name) -> Response:
    """One requirement in plain words."""
    if code not in REQUIREMENTS:
        raise unknown(f"rule {code}")
    rule = REQUIREMENTS[code]
    return page(request, "rule.html", rule, by=visitor, evidence=MARKS[rule.mark])
