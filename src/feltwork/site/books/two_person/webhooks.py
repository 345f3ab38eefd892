"""Two-person commands about webhooks: the endpoints and their events."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field
from pydantic.dataclasses import dataclass

from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, Name, Statement
from feltwork.site.books.two_person.command import two_person
from feltwork.site.books.two_person.outcomes import WebhookChangedView
from feltwork.site.books.two_person.people import ManageAccess
from feltwork.site.books.watch import webhooks as books
from feltwork.site.books.watch.notifications import EventKind
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class ManageWebhooks(ManageAccess):
    """A command about a webhook."""

    webhook: Annotated[Name, Field(max_length=40)] = Field(examples=["player-system"])
    reason: Statement = Field(examples=["the player system shows hits"])

    @property
    def about(self) -> str:
        """The webhook."""
        return f"{books.RECIPIENT_PREFIX}{self.webhook}"

    def _refuse(self, what: str, remedy: str) -> Exception:
        return refuse(f"webhook {self.webhook}", what, remedy, "TR-03")


@two_person
class AddWebhook(ManageWebhooks):
    """Send events to an endpoint; nothing is sent before its secret is made.

    The secret is not part of the proposal: `POST /webhooks/{webhook}/secret` shows it once.
    """

    act: Literal["add_webhook"] = Field(examples=["add_webhook"])
    url: Annotated[str, Field(max_length=500, pattern=r"^https?:/{2}[^\s\x00-\x1f]+$")] = Field(
        examples=["https://localhost:8443/feltwork"]
    )
    events: Annotated[list[EventKind], Field(min_length=1, max_length=10)] = Field(
        examples=[["claim", "hit"]]
    )

    def verify_known(self, connection: Connection) -> None:
        """Raise if the id is taken, or the address could expose the messages."""
        if books.webhooks(connection, self.webhook):
            raise self._refuse("this id is already taken", "choose another id")
        try:
            address = urlsplit(self.url)
            host = address.hostname or ""
        except ValueError:
            raise self._refuse("the address can't be read", "enter an https address") from None
        if not host or address.username or address.password or address.fragment:
            raise self._refuse(
                "the address has more than a host, a path and a query", "enter an https address"
            )
        if address.scheme != "https" and host not in _LOOPBACK:
            raise self._refuse("the address is not encrypted", "enter an https address")

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> WebhookChangedView:
        """Add it."""
        self.verify_known(op.connection)
        books.add(
            op.connection, request, self.webhook, url=self.url, events=list(self.events), proposal=proposal
        )
        return WebhookChangedView(webhook=self.webhook, is_told=True)


@two_person
class RemoveWebhook(ManageWebhooks):
    """Stop sending events to an endpoint."""

    act: Literal["remove_webhook"] = Field(examples=["remove_webhook"])

    def verify_known(self, connection: Connection) -> None:
        """Raise for an unknown webhook."""
        if not [
            webhook for webhook in books.webhooks(connection, self.webhook) if webhook.removed_at is None
        ]:
            raise self._refuse("there is no such webhook", "look at the list of webhooks")

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> WebhookChangedView:
        """Remove it."""
        books.remove(op.connection, request, self.webhook)
        return WebhookChangedView(webhook=self.webhook, is_told=False)
