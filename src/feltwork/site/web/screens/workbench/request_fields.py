"""The fields of a workbench address: the paytable on the bench, and every edit."""

from collections.abc import Mapping

from fastapi import Request

from feltwork.odds.sheet import bets
from feltwork.problem import Problem, ProblemsError
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable

FIRST = "four_card/jackpot/3"
_LONGEST = 200
_CHOICES = ("paytable", "compare", "level")


def fields_of(request: Request) -> dict[str, str]:
    """The fields of an address, each given once."""
    pairs = request.query_params.multi_items()
    fields = {name: value[:_LONGEST] for name, value in pairs}
    if len(fields) != len(pairs):
        twice = next(name for name in fields if len(request.query_params.getlist(name)) > 1)
        raise ProblemsError([Problem(twice, _("This field is given twice."), _("Enter it once."))])
    return fields


def edits_of(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields of the question, without those that choose paytables and charts."""
    return {name: value for name, value in fields.items() if name not in _CHOICES}


def paytable_of(fields: Mapping[str, str]) -> Paytable:
    """The paytable on the bench."""
    name = fields.get("paytable") or FIRST
    title, bet, identifier = (*name.split("/", 2), "", "")[:3]
    if (title, bet) not in bets():
        what = _("There is no paytable %(name)s.") % {"name": name}
        remedy = _("Enter it like %(example)s.") % {"example": FIRST}
        raise ProblemsError([Problem("paytable", what, remedy)])
    return registry.paytable(title, bet, identifier)


def other_of(fields: Mapping[str, str]) -> Paytable | None:
    """The paytable to compare with, if any."""
    paytable, other = paytable_of(fields), fields.get("compare")
    return registry.paytable(paytable.title, paytable.bet, other) if other else None
