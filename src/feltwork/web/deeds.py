"""Deeds: who has entered, confirmed and paid an award, so that nobody does two things that must be apart."""

import json
from collections.abc import Sequence

from feltwork.books.connection import Connection
from feltwork.books.statements import statement
from feltwork.compliance import roles
from feltwork.compliance.roles import COMMANDS, Answer, Deed
from feltwork.compliance.two_person import Command
from feltwork.progressive.state import Award


def deeds_of(connection: Connection, link: str, award: Award) -> list[Deed]:
    """What people have done to an award."""
    deeds = [
        Deed(award.claimed_by, "press_hand", award.id),
        Deed(award.supervisor, "confirm", award.id),
        Deed(award.executive, "confirm_executive", award.id),
    ]
    paid = connection.execute(statement("fact_of_once"), (link, "payment", award.id)).fetchone()
    if paid is not None:
        deeds.append(Deed(json.loads(paid[0])["by"], "pay", award.id))
    return [deed for deed in deeds if deed.person]


def verdict_on_second(person: str, command: Command, deeds: Sequence[Deed]) -> Answer | None:
    """What keeps somebody from approving a command: something that they did to the same thing."""
    for deed in deeds:
        for rule in roles.SEPARATE:
            if deed.person == person and rule.parts(deed.command, command.name):
                return Answer(
                    allowed=False,
                    rule=rule.rule,
                    requirement=rule.requirement,
                    why=f"{person} did this before: {COMMANDS[deed.command].says}; {rule.why}",
                    remedy="ask somebody else to approve",
                )
    return None
