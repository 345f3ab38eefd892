"""The page of the protocol and its JSON Schema, made from the messages, streams and rights themselves."""

import json
from pathlib import Path
from typing import Any

import msgspec
from nats.js.api import StreamConfig

from feltwork.servers.nats import NatsUser
from feltwork.servers.nats_keys import inbox_of
from feltwork.servers.nats_permissions import sign_rights, table_rights
from feltwork.wire import downlink
from feltwork.wire import uplink as wire
from feltwork.wire.downlink import DOWNLINK_TYPES
from feltwork.wire.streams import PARKED, stream_configs
from feltwork.wire.subjects import subject_of
from feltwork.wire.uplink import UPLINK_TYPES, Message, encode

HASH = "5d41402abc4b2a76b9719d911017c592ae3a1f0b8f3a2f5f5f0b4f7e8c9d0a1b"
SIGN_ON = "q3JtZ0cYp1yKx8mB5vWn7LrT2sDfGhUe4oXaQiNj6kw"
CONTROLLER = "5f1c9a7e2b40d386"
AT = 1_790_000_000_000_000


def examples() -> list[Message]:
    """One of each: a table says hello, plays a round with a hit, and is told what became of it."""
    return [*_said(), *_told()]


def _said() -> list[Message]:
    about: dict[str, Any] = {"link": "five-card", "table": "C1"}
    claim: dict[str, Any] = {"award": "C1:42:3:2", "seat": 3, "players": (1, 3, 4)}
    hands = {3: "royal_flush"}
    plain: list[Message] = [
        wire.Hello(
            **about,
            at=AT,
            controller=CONTROLLER,
            software="maker 1.4",
            software_hash=HASH,
            manufacturer="A maker",
            game="crazy_4",
            controls="nexus",
            version=HASH,
            paytable=HASH,
            last_round=41,
        ),
        wire.SignOn(**about, at=AT, badge="B-17", pin="2580"),
        wire.Sensors(**about, at=AT, covered=(1, 3), players=(1, 3, 4)),
        wire.Health(**about, at=AT, controller=CONTROLLER, phase="idle", last_round=41),
    ]
    rounds: dict[str, Any] = {**about, "round": 42, "sign_on": SIGN_ON}
    of_round: list[Message] = [
        wire.RoundStarted(
            **rounds, at=AT + 1, step=0, wager=1_000_000, seats=(1, 3), players=(1, 3, 4), version=HASH
        ),
        wire.SeatCorrected(**rounds, at=AT + 2, step=1, seat=4, wagered=True, seats=(1, 3, 4)),
        wire.SeatFolded(**rounds, at=AT + 2, step=2, seat=4, folded=True, seats=(4,)),
        wire.HandPressed(**rounds, at=AT + 2, step=2, seat=3, hand="royal_flush", hands=hands),
        wire.Claim(
            **rounds, **claim, at=AT + 3, step=3, hand="royal_flush", hands=hands, claims={3: "C1:42:3:2"}
        ),
        wire.HandCleared(**rounds, at=AT + 4, step=4, seat=3, hand="royal_flush"),
        wire.ClaimCleared(**rounds, **claim, at=AT + 5, step=5, hands={}),
        wire.KeyTurned(**rounds, at=AT + 6, step=6, to="jackpot"),
        wire.RoundEnded(**rounds, at=AT + 7, step=7, fixed=4_000_000, envy=0),
        wire.RoundVoided(**rounds, at=AT + 7, step=7, reason="five cards"),
    ]
    several = wire.Rounds(
        **about,
        at=AT + 9,
        first=43,
        sign_on=SIGN_ON,
        wager=1_000_000,
        version=HASH,
        rounds=((AT + 8, (1, 3)), (AT + 9, (1,))),
    )
    return [*plain, *of_round, several]


def _told() -> list[Message]:
    about: dict[str, Any] = {"link": "five-card", "table": "C1", "at": AT}
    award = {**about, "award": "C1:42:3:2", "round": 42, "seat": 3, "hand": "royal_flush"}
    return [
        downlink.Welcome(
            **about, controller=CONTROLLER, accepted=True, last_round=41, booked=41, version=HASH
        ),
        downlink.SignedOn(**about, sign_on=SIGN_ON, name="Dana", until=AT + 28_800_000_000),
        downlink.ClaimBooked(**award),
        downlink.AwardConfirmed(**award, level="mega", amount=10_123_450_000),
        downlink.AwardVoided(**award, reason="cleared"),
        downlink.AwardPaid(**award, amount=10_123_450_000, form="check"),
        downlink.Refused(
            **about, round=42, step=0, what="it is booked", remedy="go on", requirement="GEN-11"
        ),
        downlink.MeterSnapshot(
            link="five-card",
            at=AT,
            version=HASH,
            takes_wagers=True,
            stops={},
            meters={"mega": 10_123_450_000, "major": 1_500_000_000},
            entry=97,
            hash=HASH,
        ),
    ]


def protocol_page() -> str:
    """The page."""
    head = (Path(__file__).parent / "protocol.md").read_text(encoding="utf-8")
    parts = [head, _streams(), _rights(), "## What a table says\n", *map(_message, UPLINK_TYPES)]
    return "\n".join([*parts, "## What the books tell\n", *map(_message, DOWNLINK_TYPES)])


def protocol_schema() -> str:
    """The JSON Schema of every message."""
    kinds = (*UPLINK_TYPES, *DOWNLINK_TYPES)
    refs, components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return json.dumps({"oneOf": list(refs), "$defs": components}, indent=1) + "\n"


def _streams() -> str:
    rows = ["## Streams\n", "| stream | subjects | keeps |", "|---|---|---|"]
    for name, config in stream_configs().items():
        subjects = ", ".join(f"`{subject}`" for subject in config.subjects or ())
        rows.append(f"| {name} | {subjects} | {_keeps(config)} |")
    return "\n".join([*rows, ""])


def _keeps(config: StreamConfig) -> str:
    if config.max_msgs_per_subject == 1:
        return "the newest of each subject"
    if config.max_age:
        return f"everything for {config.max_age / 86_400:g} days"
    if config.name == PARKED:
        return "everything, for people to look at"
    return "everything; half full, it loses the older half of what is booked; full, it refuses"


def _rights() -> str:
    table = table_rights("U...", "C1", {"five-card": "C1"})
    sign = sign_rights("U...", "sign:five-card", "five-card")
    intro = [
        "## Rights\n",
        "Each device has a key of its own and these rights; the server refuses everything else.",
        "A dot in a name is written `%2E` in a subject.",
        "A table with two jackpots uses one key for both links.\n",
    ]
    return "\n".join([*intro, *_lines("Table C1 of link five-card", table), *_lines("A sign of it", sign)])


def _lines(who: str, user: NatsUser) -> list[str]:
    return [
        f"{who} may publish:\n",
        *(f"- `{subject}`" for subject in user.publish),
        "\nand hear:\n",
        *(f"- `{subject}`" for subject in user.subscribe),
        "",
    ]


def _message(kind: type[Message]) -> str:
    example = next(message for message in examples() if type(message) is kind)
    description = " ".join((kind.__doc__ or "").split())
    fields = ",\n".join(
        f' "{name}": {json.dumps(value)}' for name, value in json.loads(encode(example)).items()
    )
    block = f"```json\n{{\n{fields}\n}}\n```\n"
    # What has no subject of its own answers a request, in the inbox of the table.
    where = subject_of(example) if kind.subject else f"{inbox_of('C1')}.>"
    return f"### {kind.__name__}\n\n{description}\n\nSubject: `{where}`\n\n{block}"
