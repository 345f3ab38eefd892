"""HTTP requests of the people of a rehearsal, one after the other on one connection."""

import asyncio
import json
from collections.abc import Mapping
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from feltwork.simulation.http_client import credentials

_PLACE = "rehearsal"
_TIMEOUT_SECONDS = 30.0


class PeopleClient:
    """The service's API, with one session per person.

    A rehearsal makes thousands of small requests, and the standard library's client takes a fifth of the
    time of a concurrent client.
    """

    def __init__(self, url: str, tokens: Mapping[str, str]) -> None:
        where = urlsplit(url)
        self._connection = HTTPConnection(where.hostname or "", where.port, timeout=_TIMEOUT_SECONDS)
        self._tokens = dict(tokens)
        self._turn = asyncio.Lock()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    async def request(
        self, person: str, method: str, path: str, *, key: str = "", body: Mapping[str, Any] | None = None
    ) -> tuple[int, Any]:
        """Send a request as a person; return its status and body, or those of a refused sign-in."""
        async with self._turn:
            return await asyncio.to_thread(self._request, person, method, path, key, body)

    def _request(
        self, person: str, method: str, path: str, key: str, body: Mapping[str, Any] | None
    ) -> tuple[int, Any]:
        if person not in self._tokens:
            sign_in = {**credentials(person), "place": _PLACE}
            status, reply = self._send("POST", "/api/v1/sign-in", sign_in, {})
            if status != 200:
                return status, reply
            self._tokens[person] = str(reply["token"])
        headers = {"Authorization": f"Bearer {self._tokens[person]}"}
        if key:
            headers["Idempotency-Key"] = key
        return self._send(method, path, body, headers)

    def _send(
        self, method: str, path: str, body: Mapping[str, Any] | None, headers: dict[str, str]
    ) -> tuple[int, Any]:
        headers["Accept"] = "application/json"
        if body is not None:
            headers["Content-Type"] = "application/json"
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self._connection.getresponse()
        text = response.read().decode()
        try:
            return response.status, json.loads(text)
        except ValueError:
            return response.status, text
