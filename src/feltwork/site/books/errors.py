"""Refusals because of the actor or an unknown name; refusals by the game rules are problems."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from feltwork.site.compliance.roles import Answer

Cause: TypeAlias = Literal["not_signed_in", "not_allowed", "unknown", "not_installed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The rule that refused, why, and what to do."""

    rule: str
    requirement: str
    what: str
    remedy: str
    where: str = ""


class RefusedError(Exception):
    """A refused operation, with the kind of refusal."""

    def __init__(self, cause: Cause, refusal: Refusal) -> None:
        self.cause = cause
        self.refusal = refusal
        super().__init__(refusal.what)


def not_allowed(answer: Answer) -> RefusedError:
    """Return the refusal for an answer of the role rules."""
    return RefusedError(
        "not_allowed",
        Refusal(
            rule=answer.rule,
            requirement=answer.requirement,
            what=answer.why,
            remedy=answer.remedy,
        ),
    )


def unknown(where: str) -> RefusedError:
    """Return the refusal for an unknown name."""
    remedy = "check the list of known names"
    return RefusedError(
        "unknown", Refusal(rule="known", requirement="", what="unknown", remedy=remedy, where=where)
    )


def session_locked() -> RefusedError:
    """Return the refusal of a session that was idle for too long or locked by its screen."""
    return RefusedError(
        "not_signed_in",
        Refusal(
            rule="session-locked",
            requirement="GL-10",
            what="this screen was locked because nobody used it for a while",
            remedy="enter your PIN, or sign in",
        ),
    )


def not_signed_in() -> RefusedError:
    """Return the refusal of a request without a valid session."""
    return RefusedError(
        "not_signed_in",
        Refusal(
            rule="signed-in",
            requirement="GL-10",
            what="you are not signed in, or your session has ended",
            remedy="sign in with badge and PIN",
        ),
    )
