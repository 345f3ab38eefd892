"""Requests that are done once: the idempotency key of a request, and the operation that it belongs to."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Header, Request, Response

from feltwork.operations.context import Operation

C = TypeVar("C")
V = TypeVar("V")


class IdempotencyKey:
    """The key of a request."""

    def __init__(self, request: Request, response: Response, key: str) -> None:
        self._request = request
        self._response = response
        self._key = key

    def run(self, by: Operation, operation: Callable[[Operation, C], V], command: C) -> V:
        """Carry an operation out once; the same request again gets the first result [GL-12]."""
        op = replace(by, key=self._key, name=self._request.url.path)
        view = operation(op, command)
        self._mark(op)
        return view

    def name(self, by: Operation) -> str:
        """A name that only this person's key gives: the same request names the same thing."""
        return replace(by, key=self._key).thing()

    def do(
        self, by: Operation, body: Mapping[str, Any], act: Callable[[], Mapping[str, Any]], *, why: str = ""
    ) -> dict[str, Any]:
        """Act once; ``body`` holds no secret."""
        op = replace(by, key=self._key, name=self._request.url.path)
        view = op.perform(body, dict[str, Any], lambda: dict(act()), why=why)
        self._mark(op)
        # The books give keys back in an order of their own; both answers are the same to the byte.
        told: dict[str, Any] = json.loads(json.dumps(view, sort_keys=True))
        return told

    def _mark(self, op: Operation) -> None:
        if op.replayed:
            self._response.headers["Idempotent-Replay"] = "true"


def once(
    request: Request,
    response: Response,
    idempotency_key: Annotated[
        str,
        Header(
            min_length=8,
            max_length=128,
            pattern=r"^[A-Za-z0-9_.:+@-]+$",
            description="Chosen by the caller, new for each request; sent again, the first answer returns.",
            examples=["T1-START-000123"],
        ),
    ],
) -> IdempotencyKey:
    """The key of a request that moves money."""
    return IdempotencyKey(request, response, idempotency_key)


Key = Annotated[IdempotencyKey, Depends(once)]
