"""Requests that are done once: the key, the command, its line in the audit log, one transaction."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from fastapi import Depends, Header, Request, Response

from feltwork.books.requests import Line, answer_once, write_audit
from feltwork.web.callers import Caller


class Once:
    """The key of a request, and its answer."""

    def __init__(self, request: Request, response: Response, key: str) -> None:
        self._request = request
        self._response = response
        self._key = key

    def name(self, by: Caller) -> str:
        """A name that only this person's key gives: the same request names the same thing."""
        return hashlib.sha256(f"{by.id}/{self._key}".encode()).hexdigest()[:16]

    def do(
        self, by: Caller, body: Mapping[str, Any], act: Callable[[], Mapping[str, Any]], *, why: str = ""
    ) -> dict[str, Any]:
        """Act once; the same request again gets the first answer [GL-12]. ``body`` holds no secret.

        A key belongs to the person who gave it, so that nobody reads the answer of somebody else.
        """
        path = self._request.url.path

        def act_and_tell() -> dict[str, Any]:
            answer: dict[str, Any] = dict(act())
            write_audit(by.connection, Line(who=by.id, place=by.place, what=path, why=why, after=answer))
            return answer

        asked = {"path": path, "body": body}
        answer, again = answer_once(by.connection, f"{by.id}/{self._key}", asked, act_and_tell)
        if again:
            self._response.headers["Idempotent-Replay"] = "true"
        # The books give keys back in an order of their own; both answers are the same to the byte.
        told: dict[str, Any] = json.loads(json.dumps(answer, sort_keys=True))
        return told


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
) -> Once:
    """The key of a request that moves money."""
    return Once(request, response, idempotency_key)


Key = Annotated[Once, Depends(once)]
