"""Presence: what a controller says of itself without waiting: hello, what its sensors see, and how it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from feltwork.progressive.link import Link
from feltwork.table import software_identity
from feltwork.table.offline_policy import BookingLag
from feltwork.wire import uplink as wire


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorState:
    """Who sits where: covered jackpot sensors, regular wagers, and sensors that are broken."""

    covered: frozenset[int] = frozenset()
    players: frozenset[int] = frozenset()
    broken: frozenset[int] = frozenset()


def hello(about: Mapping[str, Any], link: Link, *, controller: str, game: str, last_round: int) -> wire.Hello:
    """The first thing after every start and every new connection."""
    return wire.Hello(
        **about,
        controller=controller,
        software=software_identity.version(),
        software_hash=software_identity.software_hash(),
        manufacturer=software_identity.MANUFACTURER,
        game=game,
        controls=link.controls,
        version=link.fingerprint,
        paytable=link.paytable.fingerprint,
        last_round=last_round,
    )


def sensors(about: Mapping[str, Any], seating: SensorState) -> wire.Sensors:
    """What the sensors see."""
    seats = (seating.covered, seating.players, seating.broken)
    covered, players, broken = (tuple(sorted(some)) for some in seats)
    return wire.Sensors(**about, covered=covered, players=players, broken=broken)


def health(about: Mapping[str, Any], contact: BookingLag, **state: Any) -> wire.Health:
    """How the controller is, and what waits for the books."""
    return wire.Health(**about, exposed_rounds=contact.rounds, exposed=contact.wagers, **state)
