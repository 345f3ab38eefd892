"""Idempotency keys: run an operation once per key."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Concatenate, ParamSpec, TypeVar

from fastapi import Depends, Header, Request, Response

from feltwork.site.books.context import Operation
from feltwork.site.web.addresses import path_of

P = ParamSpec("P")
V = TypeVar("V")


class IdempotencyKey:
    """The idempotency key of a request."""

    def __init__(self, request: Request, response: Response, key: str) -> None:
        self._request = request
        self._response = response
        self._key = key

    def run(
        self,
        by: Operation,
        operation: Callable[Concatenate[Operation, P], V],
        *about: P.args,
        **options: P.kwargs,
    ) -> V:
        """Run an operation once; a retry gets the first result [GL-12]."""
        op = replace(by, key=self._key, name=path_of(self._request))
        view = operation(op, *about, **options)
        if op.replayed:
            self._response.headers["Idempotent-Replay"] = "true"
        return view


def once(
    request: Request,
    response: Response,
    idempotency_key: Annotated[
        str,
        Header(
            min_length=8,
            max_length=128,
            pattern=r"^[A-Za-z0-9_.:+@-]+$",
            description="Chosen by the caller, unique per request; a retry returns the first response.",
            examples=["T1-START-000123"],
        ),
    ],
) -> IdempotencyKey:
    """The idempotency key of a request that moves money."""
    return IdempotencyKey(request, response, idempotency_key)


Key = Annotated[IdempotencyKey, Depends(once)]
