"""The settings of a controller in any language: its part of the floor file, as plain values."""

from dataclasses import dataclass

from feltwork.conformance.device_bench import bench_table
from feltwork.money import Micros
from feltwork.site.compliance.floor import Floor
from feltwork.site.progressive.button_pays import tray_pays
from feltwork.site.progressive.link import Link


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSettings:
    """One hand button: the tray's payout to its seat, and the envy for every other bettor."""

    hand: str
    fixed: Micros
    envy: Micros
    #: Whether a meter pays it, which makes a claim.
    is_claimed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSettings:
    """One link of the table."""

    link: str
    wager: Micros
    version: str
    paytable: str
    controls: str
    hands: tuple[HandSettings, ...]
    #: Whether the hand of a seat without a jackpot wager also pays envy.
    envy_from_any_player: bool
    #: Whether several seats can share a prize, which needs more than these settings.
    shares_prizes: bool
    folded_hands_qualify: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSettings:
    """The settings of a table's controller."""

    table: str
    game: str
    links: tuple[LinkSettings, ...]


def device_settings(floor: Floor, table: str) -> DeviceSettings:
    """Return the settings of a table's controller."""
    bench = bench_table(floor, table, domain="")
    return DeviceSettings(table=table, game=bench.game, links=tuple(map(_of_link, bench.links)))


def _of_link(link: Link) -> LinkSettings:
    return LinkSettings(
        link=link.id,
        wager=link.wager,
        version=link.fingerprint,
        paytable=link.paytable.fingerprint,
        controls=link.controls,
        hands=tuple(_of_hand(link, row.hand) for row in link.paytable.rows),
        envy_from_any_player=link.options["envy_from"] == "any_player",
        shares_prizes=link.title.divides_shares,
        folded_hands_qualify=link.folded_hands_qualify,
    )


def _of_hand(link: Link, hand: str) -> HandSettings:
    winner, other = 1, 2
    pays = tray_pays(link, hands={winner: hand}, bettors=(winner, other))
    row = link.row(hand)
    return HandSettings(
        hand=hand,
        fixed=pays[winner].fixed + pays[winner].stake_returned,
        envy=pays[other].envy,
        is_claimed=row is not None and link.takes_from_meter(row),
    )
