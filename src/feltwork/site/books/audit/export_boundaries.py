"""The state of a link after an entry, computed from its facts: the boundary of a bundle."""

import json
from collections.abc import Iterable
from typing import Any

from feltwork.site.books.connection import Connection
from feltwork.site.books.links.versions import link_from
from feltwork.site.books.queries import statement
from feltwork.site.progressive.link import NO_CAP, Link
from feltwork.site.progressive.state import SETTLED

#: Values of an award that is not locked.
_NOTHING_LOCKED = {"amount": None, "locked": False, "from_meter": 0, "from_house": 0, "seed": 0, "reserve": 0}
_WAITING = ("claimed", "confirmed")


def link_at(connection: Connection, link: str, number: int, closed: int) -> dict[str, Any]:
    """Balances, version, caps, amounts and awards after an entry; empty before the first.

    ``settled`` has awards of earlier periods reversed by entry ``closed``, and the others of their rounds.
    """
    if not number:
        names = ("balances", "caps", "amounts", "awards", "inflow", "settled")
        return {**{name: {} for name in names}, "version": ""}
    balances: dict[str, int] = dict(
        connection.execute(statement("balances_after"), (link, number)).fetchall()
    )
    version, caps, amounts = _settings(connection, link, number)
    row = connection.execute(statement("version"), (link, version)).fetchone()
    awards = _awards(connection, link_from(row[0], version), number, closed) if row else {}
    return {
        "balances": balances,
        "version": version,
        "caps": caps,
        "amounts": amounts,
        "awards": {name: award for name, award in awards.items() if award["status"] in _WAITING},
        "inflow": _inflow(connection, link, number),
        "settled": {name: award for name, award in awards.items() if award["status"] not in _WAITING},
    }


def _inflow(connection: Connection, link: str, number: int) -> dict[str, int]:
    """The total inflow of every meter and reserve up to an entry, without locks."""
    return dict(connection.execute(statement("inflow_until"), (link, number)).fetchall())


def _settings(connection: Connection, link: str, number: int) -> tuple[str, dict[str, int], dict[str, int]]:
    version = ""
    caps: dict[str, int] = {}
    amounts: dict[str, int] = {}
    for (text,) in connection.execute(
        statement("settings_until"), {"link": link, "number": number}
    ).fetchall():
        fact = json.loads(text)
        version = fact.get("version", version)
        if fact["kind"] == "Opened":
            row = connection.execute(statement("version"), (link, version)).fetchone()
            assert row is not None
            caps = {level["name"]: level["cap"] for level in json.loads(row[0])["levels"]}
        elif fact["kind"] == "CapSet":
            caps[fact["level"]] = fact["after"]
        elif fact["kind"] == "AmountSet":
            amounts[fact["level"]] = fact["after"]
    return version, {level: cap for level, cap in caps.items() if cap != NO_CAP}, amounts


def _awards(connection: Connection, link: Link, number: int, closed: int) -> dict[str, dict[str, Any]]:
    """The awards waiting after an entry with their amounts, and those affected by a later reversal."""
    about: dict[str, Any] = {"link": link.id, "number": number, "closed": closed}
    about["names"] = [name for (name,) in connection.execute(statement("awards_at"), about)]
    awards: dict[str, dict[str, Any]] = {}
    for entry, text in connection.execute(statement("award_facts_until"), about).fetchall():
        fact = json.loads(text)
        match fact["kind"]:
            case "Claimed":
                awards[fact["award"]] = {**fact, "status": "claimed", "level": "", "turn": 0, "lock": 0}
                awards[fact["award"]] |= {"inflow": [], "signed": [], "aside": False, **_NOTHING_LOCKED}
            case "Locked":
                award = awards[fact["award"]]
                held = {name: fact[name] for name in ("from_meter", "from_house", "seed", "reserve")}
                award.update(amount=fact["from_meter"] + fact["from_house"])
                award.update(locked=True, level=fact["level"], lock=entry, **held)
                if not award["turn"]:
                    had = _inflow(connection, link.id, entry)
                    pools = [f"{pool}/{link.id}/{fact['level']}" for pool in ("meter", "reserve")]
                    award.update(turn=entry, inflow=[had.get(pool, 0) for pool in pools])
            case "Released":
                awards[fact["award"]].update(_NOTHING_LOCKED)
            case "SetAside":
                awards[fact["award"]].update(aside=True)
            case "Confirmed":
                signed = sorted({fact["supervisor"], fact["executive"]} - {""})
                fixed = {name: fact[name] for name in ("from_meter", "from_house", "level")}
                amount = fact["from_meter"] + fact["from_house"]
                awards[fact["award"]].update(status="confirmed", amount=amount, signed=signed, **fixed)
            case "Voided" | "Paid" | "Confiscated" | "Reversed":
                award = awards[fact["award"]]
                award["status"] = fact["kind"].lower()
                if fact["kind"] == "Reversed" and link.shares_prizes:
                    _keep_restart(awards.values(), award)
    return awards


def _keep_restart(awards: Iterable[dict[str, Any]], back: dict[str, Any]) -> None:
    """Move the restart of a meter to another share of the prize; it goes back with the last one."""
    for other in awards:
        same = all(other[name] == back[name] for name in ("table", "round", "level"))
        if same and other is not back and other["status"] in SETTLED:
            other.update(seed=other["seed"] + back["seed"], reserve=other["reserve"] + back["reserve"])
            return
