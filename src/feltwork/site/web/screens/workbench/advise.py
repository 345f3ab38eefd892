"""Advice on the workbench: the exact value of each choice for one hand."""

from collections.abc import Mapping

from fastapi import Request
from fastapi.responses import Response

from feltwork.odds.question import advice_for
from feltwork.odds.strategy import solved
from feltwork.odds.title_odds import Advice, Asks, odds_of
from feltwork.problem import Problem, ProblemsError
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.templating import Model, page, wants_html
from feltwork.site.web.screens.workbench.request_fields import fields_of
from feltwork.site.web.security.auth import Visitor
from feltwork.titles import registry
from feltwork.titles.title import Game

#: Sample cards that show how to enter a hand.
_EXAMPLE = ["As", "Ad", "9c", "5h", "2s"]
_SEEN = ["Kh", "8d", "4c", "3s"]


def advise(request: Request, visitor: Visitor) -> Response:
    """The value of each choice for the given cards; the address holds the question."""
    fields = fields_of(request)
    games = [name for name in solved() if odds_of(name).asks]
    name = fields.get("title") or games[0]
    if name not in games:
        what, remedy = _("There is no advice on %(name)s.") % {"name": name}, ", ".join(games)
        raise ProblemsError([Problem("title", what, _("Choose from: %(names)s.") % {"names": remedy})])
    game, decision = registry.game(name), odds_of(name).asks
    assert decision is not None
    model: dict[str, object] = {
        "title": game.title,
        "game": name,
        "games": [{"name": game_name, "title": registry.title(game_name).title} for game_name in games],
        "cards": fields.get("cards", ""),
        "example": " ".join(_EXAMPLE[: decision.cards[0]]),
        "sees": [_seen(place, counts, fields) for place, counts in decision.sees.items()],
        "options": _options(game, fields),
        "advice": None,
        "choices": [],
        "problems": [],
    }
    if fields.get("cards", "").strip():
        try:
            model |= _answer(_asked(game, decision, fields))
        except ProblemsError as error:
            if not wants_html(request):
                raise
            model["problems"] = error.problems
    return page(request, "advise.html", model, by=visitor)


def _seen(place: str, counts: tuple[int, ...], fields: Mapping[str, str]) -> Model:
    cards = fields.get(f"sees.{place}", "")
    many = _(" or ").join(map(str, counts))
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        many = _("%(least)s to %(most)s") % {"least": counts[0], "most": counts[-1]}
    return {"place": place, "cards": cards, "many": many, "example": " ".join(_SEEN[: max(counts)])}


def _options(game: Game, fields: Mapping[str, str]) -> list[Model]:
    """The house options of the game and the paytables of its bets, with what is chosen."""
    choices = {
        option.name: ([str(value).lower() for value in option.values], str(option.default).lower())
        for option in game.options
    }
    for bet in game.paytable_bets:
        ids = registry.library(game.name).ids_of(bet)
        choices.setdefault(bet, (list(ids), ids[0]))
    return [
        {"name": name, "values": values, "chosen": fields.get(f"option.{name}") or default}
        for name, (values, default) in choices.items()
    ]


def _asked(game: Game, decision: Asks, fields: Mapping[str, str]) -> Advice:
    known = {"title", "cards", *(f"sees.{place}" for place in decision.sees)}
    unknown = [name for name in fields if name not in known and not name.startswith("option.")]
    if unknown:
        what, remedy = _("This field does not apply here."), _("Remove it from the address.")
        raise ProblemsError([Problem(name, what, remedy) for name in unknown])
    sees, options = (
        {
            name.removeprefix(start): value
            for name, value in fields.items()
            if name.startswith(start) and value.strip()
        }
        for start in ("sees.", "option.")
    )
    return advice_for(game, fields["cards"], sees, options)


def _answer(advice: Advice) -> Model:
    return {
        "advice": advice.as_json(),
        "choices": [
            {
                "choice": choice,
                "worth": f"{float(worth):+.6f}",
                "exactly": str(worth),
                "cost": f"{float(advice.cost_of(choice)):.6f}",
                "best": choice == advice.best,
            }
            for choice, worth in sorted(advice.worth.items(), key=lambda pair: -pair[1])
        ],
    }
