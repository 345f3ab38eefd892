"""Reviews of access through HTTP: what is on file, whether the next is overdue, and a new one."""

from fastapi import APIRouter

from feltwork.operations.people import access_reviews
from feltwork.operations.people.access_reviews import AccessReviewsView, ReviewAccess
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import SignedIn
from feltwork.web.security.idempotency import Key

router = APIRouter(prefix="/access-reviews", tags=["people"], responses={**REFUSALS})


@router.get("", summary="Reviews of access")
def show_all(by: SignedIn) -> AccessReviewsView:
    """The reviews on file, the newest first, when the next is due, and whether it is overdue [TR-03]."""
    return access_reviews.access_reviews(by)


@router.post("", summary="Review who has access")
def write(by: SignedIn, key: Key, found: ReviewAccess) -> AccessReviewsView:
    """Keep that everybody with a badge was gone through, with the list as it stands now [TR-03]."""
    return key.run(by, access_reviews.review_access, found)
