"""Random questions, good and bad, on the command line and over HTTP: each is answered or refused."""

import asyncio
import json
import random
import sys

import httpx
import pytest
from fastapi import FastAPI

from feltwork.cli.main import main
from feltwork.odds.sheet import bets, offered
from feltwork.odds.title_odds import odds_of
from feltwork.site.web.problem_responses import install
from feltwork.site.web.screens.workbench.page import router
from feltwork.site.web.security.auth import visitor
from feltwork.site.web.security.limits import ComputationLimit
from feltwork.telemetry.request_log import RequestMetrics
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK
from tests.sizes import size

_JSON = {"Accept": "application/json"}
TITLES = [*registry.own_names(), "nothing", ""]
PAYS = ["3 for 1", "2 to 1", "push", "0 for 1", "5 to 0", "100% of jackpot", "0% of jackpot", "200% of x"]
PAYS += ["99999999999 to 1", "1 to 99999", "$25", "ten", "-1 to 1", " ", "7 to 2", "1,000 for 1"]
NUMBERS = ["0", "1", "6", "-3", "1e3", "50%", "100%", "0%", "101%", "none", "1000000", "99999999999999999999"]
NUMBERS += ["abc", "1/2", "٣", "0.5", "2000", "2000,1000", "", "yes"]
RANGES = ["1..4", "50..90/10", "3..1", "0..2", "1..9999999", "x", "5..5/0"]
PATHS = ["figures", "certificate", "draft.toml", "figures", "returns.svg", "goal", "advise"]
GOALS = ["house_edge=5%", "hold=20%", "hold=x", "top_odds=9", "", "jackpot.mean_jackpot=9"]
FIELDS = ["seed", "contribution", "reserve", "cap", "wager", "tables", "seats", "rounds_per_hour", "betting"]
FIELDS += [
    "others",
    "within",
    "exposed",
    "players",
    "sampled",
    "game",
    "envy_from",
    "fixed_pays_from",
    "share_with",
]


class Questions:
    """Draws questions from good and bad parts."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def bet(self) -> tuple[str, str, str]:
        if self.dice.random() < 0.15:
            return (
                self.dice.choice(TITLES),
                self.dice.choice(["", "jackpot", "x"]),
                self.dice.choice(["", "1"]),
            )
        title, bet = self.dice.choice(bets())
        return title, bet, self.dice.choice([*registry.library(title).ids_of(bet), "none"])

    def options(self, title: str, bet: str) -> dict[str, str]:
        known = offered(title, bet) if (title, bet) in bets() else {}
        chosen = {name: values[0] for name, values in known.items() if self.dice.random() < 0.5}
        if self.dice.random() < 0.15:
            chosen[self.dice.choice([*known, "foo", "decks", "side"])] = self.dice.choice(["x", "1", "true"])
        return chosen

    def pays(self, title: str, bet: str, identifier: str) -> dict[str, str]:
        library = registry.library(title) if title in registry.names() else {}
        rows = library[bet, identifier].rows if (bet, identifier) in library else ()
        hands = [*(row.hand for row in rows), "nonsense", "flush"]
        return {
            self.dice.choice(hands): self.dice.choice(PAYS) for _ in range(self.dice.choice([0, 0, 0, 1, 2]))
        }

    def arguments(self) -> list[str]:
        command = self.dice.choice(["odds", "what-if", "certify", "advise"])
        title, bet, identifier = self.bet()
        if command == "advise":
            return self.advise()
        words = [command, *(word for word in (title, bet, identifier) if word)]
        for name, value in self.options(title, bet).items():
            words += ["--option", f"{name}={value}"]
        if command == "what-if":
            for hand, pays in self.pays(title, bet, identifier).items():
                words += ["--pays", f"{hand}={pays}"]
            words += ["--removal"] if self.dice.random() < 0.1 else []
            for name in self.dice.sample(FIELDS[:12], self.dice.randrange(3)):
                words += [f"--{name.replace('_', '-')}", self.dice.choice(NUMBERS)]
            for name, value in self.goal(title, bet, identifier).items():
                words += (
                    ["--vary", f"{name[5:]}={value}"] if name.startswith("vary.") else [f"--{name}", value]
                )
        return [*words, *(["--json"] if self.dice.random() < 0.8 else [])]

    def goal(self, title: str, bet: str, identifier: str) -> dict[str, str]:
        if self.dice.random() < 0.8:
            return {}
        goal = self.dice.choice(GOALS)
        rows = self.pays(title, bet, identifier)
        return {"goal": goal, **{f"vary.{hand}": self.dice.choice(RANGES) for hand in rows}}

    def advise(self) -> list[str]:
        title = self.dice.choice([*registry.own_names(), "blackjack", "crazy_4", "holdem_bonus"])
        card_needs = odds_of(title).asks
        if card_needs is not None and self.dice.random() < 0.5:
            # As many cards as the game asks for.
            places = {"": card_needs.cards, **card_needs.sees}
            cards = iter(self.dice.sample(DECK, 30))
            held, *seen_at = (
                (place, " ".join(str(next(cards)) for _ in range(self.dice.choice(counts[:3]))))
                for place, counts in places.items()
            )
            sight_words = [word for place, text in seen_at if text for word in ("--sees", f"{place}={text}")]
            return ["advise", title, held[1], *sight_words, "--json"]
        drawn = self.dice.sample([*map(str, DECK), "xx"], self.dice.choice([1, 2, 5, 5]))
        words = ["advise", title, " ".join(drawn)]
        if self.dice.random() < 0.5:
            sight = " ".join(map(str, self.dice.sample(DECK, self.dice.choice([1, 3, 4]))))
            words += ["--sees", f"{self.dice.choice(['dealer', 'board', 'x', 'exposed', 'hole'])}={sight}"]
        if self.dice.random() < 0.3:
            words += ["--option", self.dice.choice(["soft_17=hit", "foo=1", "super_bonus=none", "decks="])]
        return [*words, "--json"]

    def advise_query(self) -> dict[str, str]:
        """The same question in an address."""
        _, title, cards, *flags, _ = self.advise()
        fields = {"title": title, "cards": cards}
        for flag, setting in zip(flags[::2], flags[1::2], strict=True):
            name, _, value = setting.partition("=")
            fields[f"{flag.removeprefix('--')}.{name}"] = value
        return fields

    def query(self) -> dict[str, str]:
        title, bet, identifier = self.bet()
        fields = {"paytable": f"{title}/{bet}/{identifier}", **self.options(title, bet)}
        fields |= {f"pays.{hand}": pays for hand, pays in self.pays(title, bet, identifier).items()}
        for name in self.dice.sample(FIELDS, self.dice.choice([0, 0, 0, 0, 1, 2])):
            level = self.dice.choice([".jackpot", ".mega", ""]) if name in FIELDS[:4] else ""
            fields[name + level] = self.dice.choice(NUMBERS)
        return fields


def test_every_command_is_answered_or_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    questions, answered = Questions(18), 0
    for _ in range(size(60, 5_000)):
        words = questions.arguments()
        monkeypatch.setattr(sys, "argv", ["feltwork", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        output = capsys.readouterr()
        assert ended.value.code in (0, 2), words
        if ended.value.code == 0:
            answered += 1
        elif "--json" in words and output.out:
            assert json.loads(output.out)["errors"], words
        else:
            assert "→" in output.err or "Usage" in output.err, (words, output.err)
    assert answered > size(10, 1_000)


def test_every_request_is_answered_or_refused() -> None:
    app = FastAPI()
    app.state.observed, app.state.computations = RequestMetrics(), ComputationLimit()
    install(app)
    app.include_router(router)
    app.dependency_overrides[visitor] = lambda: None
    assert asyncio.run(_asked_over_http(app)) > size(10, 1_000)


async def _asked_over_http(app: FastAPI) -> int:
    """Return how many requests were answered; the others were refused."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=_JSON)
    questions, answered = Questions(19), 0
    for _ in range(size(80, 5_000)):
        path = questions.dice.choice(PATHS)
        fields = questions.advise_query() if path == "advise" else questions.query()
        if path == "goal":
            title, bet, identifier = fields["paytable"].split("/")
            fields |= questions.goal(title, bet, identifier)
            fields["goal"], _, fields["target"] = fields.get("goal", "house_edge=5%").partition("=")
        if path == "returns.svg" or "sampled" in fields:
            fields = {name: value for name, value in fields.items() if not name.startswith(("cap", "fixed"))}
        answer = await client.get(f"/workbench/{path}", params=fields)
        assert answer.status_code in (200, 409), (path, fields, answer.status_code)
        answered += answer.status_code == 200
    return answered


@pytest.mark.parametrize(
    "words", [("odds", "crazy_4", "queens_up"), ("certify", "crazy_4", "queens_up", "C4P-09")]
)
def test_an_unknown_option_never_passes(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["feltwork", *words, "--option", "foo=1"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "queens_up_on_fold=false" in capsys.readouterr().err
