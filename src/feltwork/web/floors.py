"""Floors: a floor file is checked by the rules of a day, and takes effect link by link or not at all."""

from datetime import date
from typing import Any

from psycopg.errors import UniqueViolation

from feltwork.books import life, links
from feltwork.books.connection import Connection
from feltwork.books.floors import register_floor
from feltwork.books.standing import look_at_meters
from feltwork.compliance.check import check
from feltwork.compliance.floor import Floor, ProgressiveLink, house_jackpot, progressive_link
from feltwork.compliance.floor_file import read_floor
from feltwork.problem import Problem, ProblemsError
from feltwork.progressive.people import Asked
from feltwork.progressive.refusal import refuse
from feltwork.web import told


def lawful_floor(text: str, *, on: date) -> Floor:
    """The floor that a file describes; raises what its jurisdiction refuses."""
    floor = read_floor(text, where="floor")
    wrong = [one for one in check(floor, on=on) if one.severity == "refused"]
    if wrong:
        raise ProblemsError([Problem(one.where, one.what, one.remedy, one.requirement) for one in wrong])
    return floor


def apply_floor(connection: Connection, text: str, asked: Asked, *, on: date) -> dict[str, Any]:
    """Register a floor and let it take effect: all of it in one transaction, or nothing [GEN-06]."""
    floor = lawful_floor(text, on=on)
    with connection.transaction():
        number = _register(connection, text, asked)
        known = told.links(connection)
        planned, changed = [], []
        for one in floor.links:
            if not isinstance(one, ProgressiveLink):
                if one.id not in known:
                    links.register_house_jackpot(connection, house_jackpot(one), by=asked.by)
                    planned.append(one.id)
                continue
            new = progressive_link(floor, one)
            if one.id not in known:
                links.register_link(connection, new, by=asked.by)
                planned.append(one.id)
            elif look_at_meters(connection, one.id).state.link.fingerprint != new.fingerprint:
                life.reconfigure(connection, new, asked)
                changed.append(one.id)
    return {"floor": number, "site": floor.site, "planned": planned, "changed": changed}


def _register(connection: Connection, text: str, asked: Asked) -> int:
    try:
        return register_floor(connection, text, asked)
    except UniqueViolation as error:
        remedy = "apply a floor that differs from all before it, if only by a comment"
        raise refuse("floor", "this very file was applied before", remedy, "GEN-06") from error
