"""Refusals: the system's answer to a step that it does not accept."""

from dataclasses import dataclass
from typing import Any

#: The rule of a step whose operation this release does not have.
UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRefusal:
    """Why a step was refused, and what to do about it."""

    rule: str
    what: str
    remedy: str


class StepRefusedError(Exception):
    """A step that the system refused."""

    def __init__(self, refusal: StepRefusal) -> None:
        self.refusal = refusal
        super().__init__(refusal.what)


def refused(rule: str, what: str, remedy: str) -> StepRefusedError:
    """Make the error for a refused step."""
    return StepRefusedError(StepRefusal(rule=rule, what=what, remedy=remedy))


def refusal_of(status: int, body: Any) -> StepRefusal:
    """Read the refusal from an HTTP problem; its requirement is the rule, if it names a requirement."""
    if not isinstance(body, dict) or "detail" not in body:
        return StepRefusal(rule=f"http-{status}", what=str(body)[:500], remedy="Look at the service's log.")
    if body["rule"] == "http" and status in (404, 405):
        what = "This release has no such operation."
        return StepRefusal(rule=UNSUPPORTED, what=what, remedy="Update Feltwork, or leave the step out.")
    return StepRefusal(
        rule=body.get("requirement") or body["rule"], what=body["detail"], remedy=body["remedy"]
    )
