"""Service accounts over HTTP: machines, their scopes and their tokens."""

from typing import Annotated

from fastapi import Path

from feltwork.site.books.people import service_accounts
from feltwork.site.books.people.service_accounts import (
    MakeToken,
    NewTokenView,
    RevokedTokenView,
    ServiceAccountsView,
)
from feltwork.site.web.fields import Name
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/service-accounts", tags=["people"], responses={**REFUSALS})
AccountPath = Annotated[Name, Path(description="The service account.", examples=["table-robot"])]
TokenPath = Annotated[Name, Path(description="The id of the token.", examples=["5f1d0c2b9a77"])]


@router.get("", summary="Service accounts")
def show_all(by: SignedIn, page: Paged) -> ServiceAccountsView:
    """Every service account with its scopes and tokens; changes are `manage_people` proposals."""
    view = service_accounts.service_accounts(by)
    return page.of(view, "service_accounts", view.service_accounts, lambda account: account.id)


@router.post("/{account}/tokens", summary="Make a token")
def make_token(by: SignedIn, key: Key, account: AccountPath, body: MakeToken) -> NewTokenView:
    """Make a token that two people granted, and show it once, in the second person's session [GL-10]."""
    return key.run(by, service_accounts.make_token, account, body)


@router.post("/{account}/tokens/{token}/revoke", summary="Revoke a token")
def revoke_token(by: SignedIn, key: Key, account: AccountPath, token: TokenPath) -> RevokedTokenView:
    """Revoke a token immediately [GL-10]."""
    return key.run(by, service_accounts.revoke_token, account, token)
