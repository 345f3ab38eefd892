"""Sections about odds: figures and certificates, what-if, and play."""

import random
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import feltwork
from tools.same.product import canonical, command, data, leaves, parsed, titles

#: What what-if is asked about each jackpot; a term with * has this value for each meter.
_SETTINGS = (
    "",
    "--seed 12345.67*",
    "--contribution 7%*",
    "--cap 99999.00* --others 3",
    "--reserve 3%* --meter 54321.98*",
    "--wager 5.00 --tables 3 --betting 50% --session 500 --bank 200",
)
#: The games that are solved: how many cards the player holds, and which others the player sees.
_HANDS: dict[str, tuple[int, str, tuple[int, ...]]] = {
    "blackjack": (2, "dealer", (1,)),
    "caribbean_stud": (5, "dealer", (1,)),
    "crazy_4": (5, "", (0,)),
    "holdem_bonus": (2, "board", (0, 3, 4)),
    "six_five_four": (5, "dealer", (1, 2)),
}
DECK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
_ADVISED, _SIMULATED = 1_000, {"simple": 20_000, "exact": 1_000}


def figures(only: str = "*") -> Iterator[tuple[str, str]]:
    """Figures whose id matches; and verdicts on the letters, odds under every option, and certificates."""
    yield from leaves("figures", data("figures", only), depth=2)
    if only != "*":
        return
    for number, verdict in enumerate(data("verify"), 1):
        yield from leaves(f"verify/{number:02} {verdict['id']}", verdict)
    for title, is_game, paytables in titles():
        for bet in [(), *paytables] if is_game else paytables:
            yield from _odds(title, bet)
    with tempfile.TemporaryDirectory() as folder:
        command("certify", "--all", "--date", "2025-01-01", "--out", folder)
        for file in Path(folder).iterdir():
            body = parsed(file.read_text(encoding="utf-8"))
            # These are of the code, and the seal is of these.
            del body["fingerprints"]["rules"], body["fingerprints"]["program"], body["seal"]
            yield from leaves(f"certificates/{file.stem}", body)


def _odds(title: str, bet: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The report on a bet or a base game, and with each other value of each option."""
    place = "/".join(("odds", title, *(bet or ("base",))))
    reports = data("odds", title, *bet)
    yield from leaves(place, reports, depth=2)
    for option, default in reports[0]["options"].items():
        refusal = command("odds", title, *bet, "-o", f"{option}=?")  # lists the values to choose from
        for value in re.findall(rf"{option}=([^,]+)", refusal):
            if value != default:
                choice = f"{option}={value}"
                yield from leaves(f"{place}?{choice}", data("odds", title, *bet, "-o", choice), depth=2)


def what_if() -> Iterator[tuple[str, str]]:
    """Answers about every paytable of a jackpot."""
    for title, known in [
        (title, known) for title, is_game, ids in titles() if not is_game for _, known in ids
    ]:
        meters = len(feltwork.paytable(title, "jackpot", known).levels)
        for setting in _SETTINGS:
            terms = [",".join([term[:-1]] * meters) if term[-1] == "*" else term for term in setting.split()]
            answer = data("what-if", title, "jackpot", known, *terms)
            yield from leaves(f"{title}/{known}/{setting or 'unchanged'}", answer)


def play() -> Iterator[tuple[str, str]]:
    """Advice on random hands, and simulated rounds."""
    for game, (held, place, counts) in _HANDS.items():
        rng = random.Random(game)
        for number in range(_ADVISED):
            cards = rng.sample(DECK, 12)
            hand, others, advice = " ".join(cards[:held]), "", ""
            # In 6-5-4 the first card decides whether the dealer shows a second.
            for count in rng.sample(counts, len(counts)):
                others = " ".join(cards[held : held + count])
                advice = _advice(game, hand, {place: others} if others else {})
                if not advice.startswith("refused: "):
                    break
            yield f"advise/{game}/{number // 100}00#{number:03} {hand}, {others}", advice
    for game in [title for title, is_game, _ in titles() if is_game]:
        for strategy, rounds in _SIMULATED.items():
            options = ("--seed", "1", "--rounds", str(rounds), "--strategy", strategy)
            yield from leaves(f"simulate/{game}/{strategy}", data("simulate", game, *options))


def _advice(game: str, hand: str, sees: dict[str, str]) -> str:
    try:
        advice = feltwork.advise(game, hand, sees=sees)
    except feltwork.ProblemsError as error:
        return f"refused: {error}"
    return (
        f"{advice.best} {canonical({name: f'{float(worth):.12g}' for name, worth in advice.worth.items()})}"
    )
