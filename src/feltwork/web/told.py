"""Views of links, awards and rounds as plain values, for the pages and endpoints that still render dicts."""

from dataclasses import asdict
from typing import Any

from feltwork.books.command import Done
from feltwork.books.links import link_kinds as links
from feltwork.books.standing import Taken
from feltwork.operations.links import booked_view, meters_of, verify_link, view_of
from feltwork.progressive.round import TableRound
from feltwork.progressive.state import Award, LinkState

__all__ = ["award", "done", "link", "links", "meters", "round_", "verify_link"]


def link(taken: Taken) -> dict[str, Any]:
    """The state of a link."""
    return asdict(view_of(taken))


def meters(state: LinkState) -> dict[str, Any]:
    """The pools of every level."""
    return {level: asdict(pools) for level, pools in meters_of(state).items()}


def award(found: Award) -> dict[str, Any]:
    """An award as it stands."""
    return {**asdict(found), "amount": found.amount}


def done(*booked: Done) -> dict[str, Any]:
    """What a command has booked, and how the meters stand after it."""
    return asdict(booked_view(*booked))


def round_(playing: TableRound) -> dict[str, Any]:
    """The round at a table, and the buttons that answer."""
    return {
        "link": playing.link.id,
        "table": playing.table,
        "round": playing.number,
        "phase": playing.phase,
        "seats": list(playing.seats),
        "players": list(playing.players),
        "hands": {str(seat): hand for seat, hand in playing.hands.items()},
        "claims": list(playing.claims),
        "confirmed": sorted(playing.confirmed),
        "buttons": list(playing.buttons),
    }
