"""Status messages of a controller: hello, sensors, health."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from feltwork.site.progressive.link import Link
from feltwork.site.table import software_identity
from feltwork.site.table.offline_policy import BookingLag
from feltwork.site.wire import uplink as wire


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorState:
    """Covered jackpot sensors, seats with a base game wager, and broken sensors."""

    covered: frozenset[int] = frozenset()
    players: frozenset[int] = frozenset()
    broken: frozenset[int] = frozenset()


def hello(about: Mapping[str, Any], link: Link, *, controller: str, game: str, last_round: int) -> wire.Hello:
    """Build the hello."""
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
    """Build the sensors message."""
    seats = (seating.covered, seating.players, seating.broken)
    covered, players, broken = (tuple(sorted(some)) for some in seats)
    return wire.Sensors(**about, covered=covered, players=players, broken=broken)


def health(about: Mapping[str, Any], contact: BookingLag, **state: Any) -> wire.Health:
    """Build the health message."""
    return wire.Health(**about, exposed_rounds=contact.rounds, exposed=contact.wagers, **state)
