"""The section about settlement: every worked round, and random ones of each game."""

import dataclasses
import json
import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

import feltwork
from tools.same.odds import DECK
from tools.same.product import canonical, data, titles

#: A round in the notation.
Form: TypeAlias = dict[str, Any]
_ROUNDS, _BLOCK, _DEALT = 10_000, 500, 200
_CARD = re.compile(r"\b([2-9TJQKA]|10)([cdhs])\b")


def rounds(only: str = "") -> Iterator[tuple[str, str]]:
    """Settlements of worked rounds whose name has a text in it; without one, also of random rounds."""
    worked: dict[str, list[Form]] = {title: [] for title, is_game, _ in titles() if is_game}
    # By title and name, wherever the titles are.
    for file in sorted(Path("src").rglob("rounds/*.toml"), key=lambda file: file.parts[-3:]):
        form = tomllib.loads(file.read_text(encoding="utf-8"))
        name = f"{file.parts[-3]}/{file.stem}"
        if form["game"] in worked and only in name:
            form = {key: form[key] for key in form if key not in ("name", "proves", "expect")}
            worked[form["game"]].append(form)
            yield f"worked/{name}", _settled(form)
    for game, forms in {} if only else worked.items():
        rng = random.Random(game)
        deals = [("--seed", str(seed), "--seats", str(seed % 4 + 1)) for seed in range(_DEALT)]
        dealt: list[Form] = [data("dev", "deal", game, *deal) for deal in deals]
        jackpots = [form["jackpots"] for form in (*forms, dealt[0]) if form.get("jackpots")]
        for number in range(_ROUNDS):
            form = rng.choice((forms, dealt)[number % 2])
            form = _varied({**form, "jackpots": rng.choice(jackpots)} if number % 4 == 1 else form, rng)
            place = f"random/{game}/{number // _BLOCK * _BLOCK:05}#{number:05}"
            yield place, f"{_settled(form)} of {canonical(form)}"


def _varied(form: Form, rng: random.Random) -> Form:
    """The round with suits exchanged, some cards replaced, wagers multiplied, and other amounts on meters."""
    times = Decimal(rng.choice(("0.50", "1.00", "1.50", "7.00")))
    jackpots = [
        {
            **jackpot,
            "meters": {level: f"{rng.randrange(10**6, 10**9) / 100:.2f}" for level in jackpot["meters"]},
        }
        for jackpot in form.get("jackpots", ())
    ]
    names = [jackpot["jackpot"] for jackpot in jackpots]
    seats = [
        {
            **seat,
            "wagers": {bet: str(Decimal(str(amount)) * times) for bet, amount in seat["wagers"].items()},
            "jackpots": names if seat.get("jackpots") else [],
        }
        for seat in form["seats"]
    ]
    text = canonical({**form, "seats": seats, "jackpots": jackpots})
    suits = dict(zip("cdhs", rng.sample("cdhs", 4), strict=True))
    text = _CARD.sub(lambda card: card[1] + suits[card[2]], text)
    others = rng.sample(DECK, len(DECK))
    others = [card for card in others if card not in text]
    text = _CARD.sub(lambda card: others.pop() if others and rng.random() < 0.07 else card[0], text)
    varied: Form = json.loads(text)
    return varied


def _settled(form: Form) -> str:
    try:
        return canonical(_plain(feltwork.settle(form)))
    except feltwork.ProblemsError as error:
        return f"refused: {error}"


def _plain(value: Any) -> Any:
    """A settlement as dictionaries, without what is zero or empty."""
    if dataclasses.is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items() if part}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value
