"""An HTTP client that makes each request as a person, signed in with badge and PIN."""

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx

from feltwork.simulation.staff import PIN, badge_of


def credentials(person: str) -> dict[str, str]:
    """A badge with its PIN."""
    return {"badge": badge_of(person), "pin": PIN}


class SignedInClient:
    """The service's API, with one session per person."""

    def __init__(self, url: str, *, place: str, timeout: float = 30.0) -> None:
        # Plain HTTP needs no certificates, and loading them is slow.
        accept = {"Accept": "application/json"}
        self._http = httpx.AsyncClient(base_url=url, timeout=timeout, verify=False, headers=accept)
        self._place = place
        self._tokens: dict[str, str] = {}
        self._signing_in = asyncio.Lock()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def request(
        self,
        person: str,
        method: str,
        path: str,
        *,
        key: str = "",
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Send a request as a person; if the sign-in fails, return its response."""
        async with self._signing_in:
            if person not in self._tokens:
                signed_in = await self._http.post(
                    "/api/v1/sign-in", json={**credentials(person), "place": self._place}
                )
                if not signed_in.is_success:
                    return signed_in
                self._tokens[person] = str(signed_in.json()["token"])
            headers = {"Authorization": f"Bearer {self._tokens[person]}"}
        if key:
            headers["Idempotency-Key"] = key
        response = await self._http.request(method, path, params=query, headers=headers, json=body)
        if response.status_code == httpx.codes.UNAUTHORIZED:
            self._tokens.pop(person, None)
        return response
