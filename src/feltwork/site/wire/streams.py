"""Streams and consumers: how long messages are kept, and how they are delivered."""

import time
from collections.abc import Sequence

import structlog
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
from nats.js.errors import APIError, NotFoundError

from feltwork.site.wire.subjects import KEPT, LATEST_ONLY, token

#: Messages of rounds until they are booked. When it is full, it refuses messages and tables stop [GEN-07].
FELT = "FELT"
#: The latest hello, sensors and health of each table.
TABLES = "TABLES"
#: Downlink messages, the latest of each subject; devices know the stream as TOLD.
DOWNLINK = "TOLD"
#: The latest snapshot of each link.
METERS = "METERS"
#: Messages that could not be booked, for people to review.
PARKED = "PARKED"
#: Copies of the sign-ons at tables, without which restored books would refuse the messages that name them.
SIGN_ONS = "SIGN_ONS"

#: The streams of a table's own server, and of a site.
AT_A_TABLE = (FELT,)
AT_A_SITE = (FELT, TABLES, DOWNLINK, METERS, PARKED, SIGN_ONS)
_GIGABYTE = 1 << 30
LOG_BYTES = 8 * _GIGABYTE
#: Limit on a message: four times the largest lawful one, a hundred rounds in one message at nine seats.
MESSAGE_BYTES = 20_000
#: The share of the log for one kind of message from a table on a link: a table that floods it stops only
#: itself. NATS limits their number, so it is what fits if each is as large as possible: 13,000 in a log of
#: 8 GB, the hands of thirty hours.
_SUBJECT_SHARE = 32
_LEAST_SUBJECT_MESSAGES = 1_000
#: Parked messages of one kind and table; the newest stay.
_PARKED_MESSAGES = 10_000
_DAY = 86_400.0
#: The smallest useful size of a stream.
_LEAST_BYTES = 16 << 20
#: JetStream's errors for a stream that is larger than the free disk space: on one server, and in a cluster.
_NO_ROOM = (10047, 10005)
_log = structlog.get_logger("feltwork.site.wire")


def stream_configs(*, replicas: int = 1, felt_bytes: int = LOG_BYTES) -> dict[str, StreamConfig]:
    """Configure each stream."""
    configs = (
        StreamConfig(
            name=FELT,
            subjects=[f"felt.*.*.{kind}" for kind in KEPT],
            retention=RetentionPolicy.LIMITS,
            discard=DiscardPolicy.NEW,
            max_msg_size=MESSAGE_BYTES,
            discard_new_per_subject=True,
            duplicate_window=120.0,
        ),
        StreamConfig(
            name=TABLES,
            subjects=[f"felt.*.*.{kind}" for kind in LATEST_ONLY],
            max_msg_size=MESSAGE_BYTES,
            max_msgs_per_subject=1,
        ),
        StreamConfig(
            name=DOWNLINK,
            subjects=["told.>"],
            max_msgs_per_subject=1,
            max_age=30 * _DAY,
        ),
        StreamConfig(
            name=PARKED,
            subjects=["parked.>"],
            max_bytes=_GIGABYTE,
            max_msgs_per_subject=_PARKED_MESSAGES,
        ),
        StreamConfig(name=SIGN_ONS, subjects=["signed_on.*"], max_age=31 * _DAY),
        StreamConfig(name=METERS, subjects=["meters.*"], max_msgs_per_subject=1),
    )
    _resize(configs[0], felt_bytes)
    for config in configs:
        config.storage = StorageType.FILE  # a memory stream is lost at a restart
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
    """Create missing streams and update the others; idempotent.

    A stream that is larger than the server's free space is made smaller; one that exists keeps its size.
    """
    configs = stream_configs(replicas=replicas, felt_bytes=felt_bytes)
    # Streams without a size come first: they could not be created once the space is allocated.
    for name in sorted(names, key=lambda name: configs[name].max_bytes or 0):
        try:
            info = await js.stream_info(name)
        except NotFoundError:
            await _add(js, configs[name])
        else:
            try:
                await js.update_stream(configs[name])
            except APIError as error:
                if error.err_code not in _NO_ROOM:
                    raise
                _resize(configs[name], info.config.max_bytes or 0)
                # Only if it changes something: an update writes a file, and fails while the disk is full.
                if _limits(configs[name]) != _limits(info.config):
                    await js.update_stream(configs[name])


def _limits(config: StreamConfig) -> tuple[int, int]:
    return config.max_msg_size or -1, config.max_msgs_per_subject or -1


def _resize(config: StreamConfig, size: int) -> None:
    """Set the size of a stream, and for the log, the share of each kind of message."""
    config.max_bytes = size
    if config.name == FELT:
        share = size // (_SUBJECT_SHARE * MESSAGE_BYTES)
        config.max_msgs_per_subject = max(share, _LEAST_SUBJECT_MESSAGES)


async def _add(js: JetStreamContext, config: StreamConfig) -> None:
    while True:
        try:
            await js.add_stream(config)
        except APIError as error:
            if error.err_code not in _NO_ROOM or (config.max_bytes or 0) <= _LEAST_BYTES:
                raise
            _resize(config, (config.max_bytes or 0) // 2)
            _log.warning("NATS has less room than asked for", stream=config.name, bytes=config.max_bytes)
        else:
            return


def consumer_name(link: str, domain: str = "") -> str:
    """Name the durable consumer of a link, which all bookkeepers share.

    It includes the domain: acknowledgments name no domain and cross leaf connections, so one name for all
    stores would acknowledge a message in each of them.
    """
    return f"books-{_plain(link)}" + (f"+{_plain(domain)}" if domain else "")


def _plain(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "_-" else "~" for letter in name)


def consumer_config(
    link: str, domain: str = "", *, after: int = 0, ack_wait: float = 5.0, max_ack_pending: int = 20_000
) -> ConsumerConfig:
    """Configure the consumer of a link: all messages after a number, redelivered until acknowledged.

    Redelivered messages come after newer ones, so order is by round and step.
    """
    return ConsumerConfig(
        durable_name=consumer_name(link, domain),
        filter_subject=f"felt.{token(link)}.>",
        deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
        opt_start_seq=after + 1,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=ack_wait,
        max_ack_pending=max_ack_pending,
    )


async def latest_with_age(js: JetStreamContext, stream: str, subject: str) -> tuple[bytes, float]:
    """Get the latest message of a subject and its age in seconds; empty if there is none."""
    try:
        message = await js.get_last_msg(stream, subject, direct=True)
    except NotFoundError:
        return b"", 0.0
    assert message.time is not None
    return message.data or b"", time.time() - message.time.timestamp()


async def latest_of_felt(js: JetStreamContext, subject: str) -> tuple[bytes, int] | None:
    """Get the latest message of a subject of FELT and its sequence number."""
    try:
        message = await js.get_last_msg(FELT, subject, direct=True)
    except NotFoundError:
        return None
    return message.data or b"", message.seq or 0
