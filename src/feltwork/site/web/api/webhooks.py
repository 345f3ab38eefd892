"""Webhooks over HTTP: the endpoints notified of events, and their secrets."""

from typing import Annotated

from fastapi import Path

from feltwork.site.books.watch import webhooks as operations
from feltwork.site.books.watch.webhooks import WebhookSecretView, WebhooksView
from feltwork.site.web.fields import Name
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/webhooks", tags=["webhooks"], responses={**REFUSALS})
WebhookPath = Annotated[Name, Path(description="The webhook.", examples=["player-system"])]


@router.get("", summary="Webhooks")
def show_all(by: SignedIn, page: Paged) -> WebhooksView:
    """Every webhook with its events; changes are `manage_people` proposals."""
    view = operations.show_webhooks(by)
    return page.of(view, "webhooks", view.webhooks, lambda webhook: webhook.id)


@router.post("/{webhook}/secret", summary="Make the secret of a webhook")
def make_secret(by: SignedIn, key: Key, webhook: WebhookPath) -> WebhookSecretView:
    """Make the secret of a webhook, and show it once, in the session of its approver [GL-10]."""
    return key.run(by, operations.make_secret, webhook)
