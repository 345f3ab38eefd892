"""Access reviews over HTTP."""

from feltwork.site.books.people import access_reviews
from feltwork.site.books.people.access_reviews import AccessReviewsView, ReviewAccess
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/access-reviews", tags=["people"], responses={**REFUSALS})


@router.get("", summary="Access reviews")
def show_all(by: SignedIn, page: Paged) -> AccessReviewsView:
    """Access reviews, newest first, the next due date, and the list to review [TR-03]."""
    view = access_reviews.access_reviews(by)
    return page.of(view, "reviews", view.reviews, lambda review: review.number)


@router.post("", summary="Record an access review")
def write(by: SignedIn, key: Key, body: ReviewAccess) -> AccessReviewsView:
    """Record a review with an answer for every active person, and the current list [TR-03]."""
    return key.run(by, access_reviews.review_access, body)
