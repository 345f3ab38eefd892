"""The state of a link after an entry, computed from its facts: the boundary of a bundle."""

import json
from typing import Any

from feltwork.books.connection import Connection
from feltwork.books.queries import statement
from feltwork.progressive.link import NO_CAP


def link_at(connection: Connection, link: str, number: int) -> dict[str, Any]:
    """Balances, version, caps, amounts and open awards after an entry; before the first there is nothing."""
    if not number:
        empty: dict[str, Any] = {name: {} for name in ("balances", "caps", "amounts", "awards", "inflow")}
        return {**empty, "version": ""}
    balances: dict[str, int] = dict(
        connection.execute(statement("balances_after"), (link, number)).fetchall()
    )
    version, caps, amounts = _settings(connection, link, number)
    about = {"link": link, "number": number}
    return {
        "balances": balances,
        "version": version,
        "caps": caps,
        "amounts": amounts,
        "awards": _open_awards(connection, about),
        "inflow": _inflow(connection, link, number),
    }


def _inflow(connection: Connection, link: str, number: int) -> dict[str, int]:
    """The total inflow of every meter and reserve up to an entry, without locks."""
    return dict(connection.execute(statement("inflow_until"), (link, number)).fetchall())


def _settings(connection: Connection, link: str, number: int) -> tuple[str, dict[str, int], dict[str, int]]:
    version = ""
    caps: dict[str, int] = {}
    amounts: dict[str, int] = {}
    for (text,) in connection.execute(statement("settings_until"), (link, number)).fetchall():
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


def _open_awards(connection: Connection, about: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Open claims with the amounts locked for them."""
    awards: dict[str, dict[str, Any]] = {}
    for entry, text in connection.execute(statement("open_awards_until"), about).fetchall():
        fact = json.loads(text)
        if fact["kind"] == "Claimed":
            awards[fact["award"]] = {**fact, "status": "claimed", "amount": None, "locked": False}
            awards[fact["award"]] |= {"level": "", "turn": 0, "lock": 0, "inflow": []}
        elif fact["kind"] == "Locked":
            award = awards[fact["award"]]
            amount = fact["from_meter"] + fact["from_house"]
            award.update(amount=amount, locked=True, level=fact["level"], lock=entry)
            if not award["turn"]:
                had = _inflow(connection, about["link"], entry)
                pools = [f"{pool}/{about['link']}/{fact['level']}" for pool in ("meter", "reserve")]
                award.update(turn=entry, inflow=[had.get(pool, 0) for pool in pools])
        elif fact["kind"] == "Released":
            awards[fact["award"]].update(amount=None, locked=False)
        elif fact["kind"] == "Confirmed":
            amount = fact["from_meter"] + fact["from_house"]
            signed = sorted({fact["supervisor"], fact["executive"]} - {""})
            awards[fact["award"]].update(status="confirmed", amount=amount, signed=signed)
    return awards
