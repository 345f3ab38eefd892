"""Disconnects clients that connect to NATS with the certificate of one device and the key of another.

NATS checks each of them, but not that they belong together. A certificate names the key of its owner.
"""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import structlog
from cryptography import x509
from cryptography.x509.oid import NameOID
from nats import errors
from nats.aio.client import Client

from feltwork.background_tasks import is_cancelled
from feltwork.site.books.watch.alarms import Report
from feltwork.site.servers.nats_keys import key_named_by, name_in, public_half
from feltwork.site.servers.nats_permissions import CONNECTIONS, KICK
from feltwork.site.wire.connection import connect_to, disconnect

ALARM = "foreign certificate"
_UNKNOWN = ("bookkeeper task", "guard of NATS")
#: Interval between checks.
EVERY_SECONDS = 2.0
#: Timeout for the next server's answer.
_ANSWER_SECONDS = 0.5
_QUESTION = json.dumps({"auth": True, "limit": 100_000}).encode()
_OIDS = {"SERIALNUMBER": NameOID.SERIAL_NUMBER}
_log = structlog.get_logger("feltwork.site.bookkeeper")


class ConnectionGuard:
    """Compares the certificate and the key of every connection, on every server of the site."""

    def __init__(
        self, url: str, options: Mapping[str, Any], streams_options: Mapping[str, Any], *, report: Report
    ) -> None:
        self._url = url
        self._options = options
        #: Further keys of the bookkeeper, whose certificate names its first one.
        self._own_keys = {public_half(each["nkeys_seed_str"].encode()) for each in (options, streams_options)}
        self._report = report
        #: Key -> owner, from connections whose certificate and key belong together.
        self._owners: dict[str, str] = {}
        self._is_in = False

    async def run(self) -> None:
        """Check connections until cancelled."""
        client = await connect_to(self._url, error_cb=self._note, **self._options)
        try:
            while not is_cancelled():
                with suppress(errors.Error, TimeoutError):
                    await self._look(client)
                    self._let_in()
                await asyncio.sleep(EVERY_SECONDS)
        finally:
            await disconnect(client)

    async def _note(self, error: Exception) -> None:
        if "authorization" in str(error).lower():
            remedy = "write its configuration again with feltwork init --keys, and reload it"
            self._report(*_UNKNOWN, f"NATS does not let it in; {remedy}")
            self._is_in = False

    def _let_in(self) -> None:
        if not self._is_in:
            self._report(*_UNKNOWN, None)
            self._is_in = True

    async def _look(self, client: Client) -> None:
        for answer in await _answers(client):
            connections = answer["data"].get("connections") or []
            for connection, owner in self._foreign(connections):
                key = str(connection["authorized_user"])
                holder = self._owners.get(key, f"another device ({key})")
                what = f"the certificate of {owner} came with the key of {holder}, from {connection['ip']}"
                _log.error(ALARM, what=what, connection=connection["cid"])
                self._report(ALARM, f"{owner}, {holder}", what)
                subject = KICK.format(server=answer["server"]["id"])
                await client.request(subject, json.dumps({"cid": connection["cid"]}).encode(), timeout=1)

    def _foreign(self, connections: list[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], str]]:
        """The connections whose certificate names another key, each with the certificate's owner."""
        foreign = []
        for connection in connections:
            subject = _subject(connection)
            certificate_key, key = key_named_by(subject), connection.get("authorized_user")
            if certificate_key and certificate_key == key:
                self._owners[certificate_key] = name_in(subject)
            elif certificate_key and key and key not in self._own_keys:
                foreign.append((connection, name_in(subject)))
        return foreign


async def _answers(client: Client) -> list[dict[str, Any]]:
    """Ask every server of the site for its connections."""
    answers: list[dict[str, Any]] = []
    replies = await client.subscribe(client.new_inbox())
    try:
        await client.publish(CONNECTIONS, _QUESTION, reply=replies.subject)
        with suppress(TimeoutError):
            while True:
                answers.append(json.loads((await replies.next_msg(_ANSWER_SECONDS)).data))
    finally:
        await replies.unsubscribe()
    return answers


def _subject(connection: Mapping[str, Any]) -> x509.Name:
    """The subject of the certificate of a connection; empty without one."""
    first, *_ = connection.get("tls_peer_certs") or [{"subject": ""}]
    return x509.Name.from_rfc4514_string(first["subject"], _OIDS)
