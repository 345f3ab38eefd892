"""HTTP requests of people, one after the other on one connection, each signed in with badge and PIN."""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from feltwork.simulation.stage import credentials

#: What a request may fail with while the service is down.
NO_ANSWER = (OSError, HTTPException)
_NEXT = re.compile(r'<([^>]+)>; *rel="?next')
_UNAUTHORIZED = 401


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request."""

    status: int
    #: The JSON, or the text if it is none.
    body: Any
    #: The path of the next page, if there is one.
    next: str = ""

    @property
    def is_success(self) -> bool:
        """Whether the service did what was asked."""
        return 200 <= self.status < 300


class PeopleClient:
    """The service's API, with one session per person.

    A rehearsal makes thousands of small requests, and the standard library's client takes a fifth of the
    time of a concurrent client.
    """

    def __init__(
        self, url: str, *, place: str, tokens: Mapping[str, str] = MappingProxyType({}), timeout: float = 30.0
    ) -> None:
        where = urlsplit(url)
        self._connection = HTTPConnection(where.hostname or "", where.port, timeout=timeout)
        self._place = place
        self._tokens = dict(tokens)
        self._turn = asyncio.Lock()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    async def request(
        self, person: str, method: str, path: str, *, key: str = "", body: Mapping[str, Any] | None = None
    ) -> Answer:
        """Send a request as a person; return its answer, or that to a refused sign-in."""
        async with self._turn:
            return await asyncio.to_thread(self._request, person, method, path, key, body)

    def _request(
        self, person: str, method: str, path: str, key: str, body: Mapping[str, Any] | None
    ) -> Answer:
        if person not in self._tokens:
            sign_in = {**credentials(person), "place": self._place}
            signed_in = self._send("POST", "/api/v1/sign-in", sign_in, {})
            if not signed_in.is_success:
                return signed_in
            self._tokens[person] = str(signed_in.body["token"])
        headers = {"Authorization": f"Bearer {self._tokens[person]}"}
        if key:
            headers["Idempotency-Key"] = key
        answer = self._send(method, path, body, headers)
        if answer.status == _UNAUTHORIZED:
            self._tokens.pop(person, None)
        return answer

    def _send(
        self, method: str, path: str, body: Mapping[str, Any] | None, headers: dict[str, str]
    ) -> Answer:
        headers["Accept"] = "application/json"
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            self._connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = self._connection.getresponse()
            text = response.read().decode()
        except NO_ANSWER:
            self._connection.close()  # the next request connects again
            raise
        link = _NEXT.search(response.getheader("Link", ""))
        try:
            return Answer(response.status, json.loads(text), link[1] if link else "")
        except ValueError:
            return Answer(response.status, text)
