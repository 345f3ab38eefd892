"""Streams and consumers as code: what is kept, how long, and how a bookkeeper reads it."""

import time
from collections.abc import Sequence

from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DeliverPolicy,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import NotFoundError

from feltwork.wire.subjects import KEPT, NEWEST, token

#: Rounds, claims and ends, until they are booked and trimmed. Full, it refuses: a table then stops [GEN-07].
FELT = "FELT"
#: The newest hello, sensors and health of each table.
TABLES = "TABLES"
#: What the books told each table, the newest of each award.
TOLD = "TOLD"
#: The newest snapshot of each link.
METERS = "METERS"
#: Messages that nobody could book, as they came, until people have looked.
PARKED = "PARKED"

#: What a table's own server keeps for the site, while the site keeps all of them.
AT_A_TABLE = (FELT,)
AT_A_SITE = (FELT, TABLES, TOLD, METERS, PARKED)
_GIGABYTE = 1 << 30
LOG_BYTES = 8 * _GIGABYTE
_DAY = 86_400.0


def stream_configs(*, replicas: int = 1, felt_bytes: int = LOG_BYTES) -> dict[str, StreamConfig]:
    """How each stream is kept."""
    configs = (
        StreamConfig(
            name=FELT,
            subjects=[f"felt.*.*.{kind}" for kind in KEPT],
            retention=RetentionPolicy.LIMITS,
            discard=DiscardPolicy.NEW,
            max_bytes=felt_bytes,
            duplicate_window=120.0,
        ),
        StreamConfig(
            name=TABLES,
            subjects=[f"felt.*.*.{kind}" for kind in NEWEST],
            max_msgs_per_subject=1,
        ),
        StreamConfig(
            name=TOLD,
            subjects=["told.>"],
            max_msgs_per_subject=1,
            max_age=30 * _DAY,
        ),
        StreamConfig(name=PARKED, subjects=["parked.>"], max_bytes=_GIGABYTE),
        StreamConfig(name=METERS, subjects=["meters.*"], max_msgs_per_subject=1),
    )
    for config in configs:
        config.storage = StorageType.FILE  # one in memory is gone after a restart, its configuration too
        config.num_replicas = replicas
        config.allow_direct = True
    return {str(config.name): config for config in configs}


async def ensure_streams(
    js: JetStreamContext,
    names: Sequence[str] = AT_A_SITE,
    *,
    replicas: int = 1,
    felt_bytes: int = LOG_BYTES,
) -> None:
    """Make the streams that are missing and bring the others up to date; again and again does no harm."""
    configs = stream_configs(replicas=replicas, felt_bytes=felt_bytes)
    for name in names:
        try:
            await js.stream_info(name)
        except NotFoundError:
            await js.add_stream(configs[name])
        else:
            await js.update_stream(configs[name])


def consumer_name(link: str, domain: str = "") -> str:
    """The durable consumer of a link in a store: all bookkeepers share it.

    The name of the domain is part of it. Acknowledgements name stream and consumer but no domain, and cross
    leaf connections: with one name for all stores, what is acknowledged in one is so in the others.
    """
    return f"books-{_plain(link)}" + (f"+{_plain(domain)}" if domain else "")


def _plain(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "_-" else "~" for letter in name)


def consumer_config(
    link: str, domain: str = "", *, ack_wait: float = 5.0, max_ack_pending: int = 20_000
) -> ConsumerConfig:
    """How the books read a link: everything from the first message, given again where no commit followed.

    What is given again comes after what was given meanwhile: the order is that of round and step.
    """
    return ConsumerConfig(
        durable_name=consumer_name(link, domain),
        filter_subject=f"felt.{token(link)}.>",
        deliver_policy=DeliverPolicy.ALL,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=ack_wait,
        max_ack_pending=max_ack_pending,
    )


async def last_mentioned(js: JetStreamContext, stream: str, subject: str) -> tuple[bytes, float]:
    """The newest message of a subject, and how many seconds ago it came; empty where there is none."""
    try:
        found = await js.get_last_msg(stream, subject, direct=True)
    except NotFoundError:
        return b"", 0.0
    assert found.time is not None
    return found.data or b"", time.time() - found.time.timestamp()


async def last_said(js: JetStreamContext, subject: str) -> tuple[bytes, int] | None:
    """The newest message of one subject of FELT and its place in the stream, or none."""
    try:
        found = await js.get_last_msg(FELT, subject, direct=True)
    except NotFoundError:
        return None
    return found.data or b"", found.seq or 0
