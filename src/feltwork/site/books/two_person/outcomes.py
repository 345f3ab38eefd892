"""Outcomes of two-person commands that a second person approved."""

from dataclasses import dataclass
from typing import TypeAlias

from feltwork.site.books.links.links import BookedView
from feltwork.site.books.tables.parked import ParkedAnsweredView


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonChangedView:
    """A person after a change."""

    person: str
    role: str
    badge: str
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretGrantedView(PersonChangedView):
    """A person who may set a new PIN, password or security key under this enrollment."""

    enrollment: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAccountChangedView:
    """A service account after a change."""

    service_account: str
    scopes: list[str]
    tables: list[str]
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenGrantedView(ServiceAccountChangedView):
    """A service account that may get a new token under this proposal."""

    grant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookChangedView:
    """A webhook, and whether it receives events."""

    webhook: str
    is_told: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorAppliedView:
    """A floor that took effect: the links it planned, and those it changed."""

    floor: int
    site: str
    planned: list[str]
    changed: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseApprovedView:
    """A release that may move money."""

    release: str


Outcome: TypeAlias = (
    BookedView
    | PersonChangedView
    | SecretGrantedView
    | ServiceAccountChangedView
    | TokenGrantedView
    | WebhookChangedView
    | FloorAppliedView
    | ReleaseApprovedView
    | ParkedAnsweredView
)
