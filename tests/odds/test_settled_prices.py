"""Random drafts, options and floors of every title: the price is the mean of rounds settled by the rules."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from operator import itemgetter
from statistics import fmean, pstdev

import pytest

from feltwork.money import DOLLAR
from feltwork.odds.pricing import Price, RowReturn, net_pay
from feltwork.odds.returns import Crowd
from feltwork.odds.sheet import Sheet, bets, default_options, offered, sheet, solved_base
from feltwork.odds.simulate import MOST_CARDS, net_of_bets
from feltwork.odds.strategy import player
from feltwork.odds.title_odds import NET_RESULT, odds_of
from feltwork.problem import ProblemsError
from feltwork.titles import meter_pays, registry
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.paytables.paytable import Odds, Pay, Paytable, Push, Share
from feltwork.titles.round import Round
from feltwork.titles.sample_round import STAKE, open_round
from feltwork.titles.settle import settle
from feltwork.titles.title import Decide, Decision, Game, OptionValue
from tests.figures.simulated_returns import Scenario, interval, play, player_of
from tests.sizes import NIGHTLY, size

GAMES = [name for name in registry.own_names() if isinstance(registry.title(name), Game)]
DRAFTS = range(size(1, 6))
ROUNDS = size(600, 5_000)
#: In standard errors; one of the means in a hundred thousand strays farther.
WIDTH = 4.5


def drafted(paytable: Paytable, dice: random.Random) -> Paytable:
    """Other pays on every row, written either way, and a row less at times; all small enough to be seen."""
    rows = []
    for row in paytable.rows:
        wins, per = dice.randrange(13), dice.choice([1, 1, 1, 2])
        written: list[Pay] = [Odds(wins, per, True), Odds(wins, per, False), Push()]
        pays = dice.choice(written)
        rows.append(replace(row, pays=pays))
    if len(rows) > 1 and dice.random() < 0.5:
        rows.remove(dice.choice(rows))
    return replace(paytable, id=f"{paytable.id}-draft", rows=tuple(rows))


@dataclass(frozen=True)
class Question:
    """A priced bet, and the round that it is settled in."""

    opened: Round
    decide: Decide
    #: Of the nets of the first seat by bet, what the price is about, in units of the first wager.
    net: Callable[[Mapping[str, Fraction]], Fraction]
    edge: Fraction
    #: How often each net result is told to occur.
    chances: Mapping[Fraction, Fraction] = field(default_factory=dict)

    def verify(self, dice: random.Random) -> None:
        """The mean, and how often each result occurs: a wrong pay is a result that is never told."""
        shoe = decks_of(int(self.opened.options["decks"]))
        counts_by_net: Counter[Fraction] = Counter()
        for _ in range(ROUNDS):
            cards = dice.sample(shoe, min(MOST_CARDS, len(shoe)))
            round_ = self.opened.game.play(self.opened, Shoe(cards), self.decide)
            counts_by_net[self.net(net_of_bets(round_.seats[0], settle(round_).seats[0])) / STAKE] += 1
        nets = [float(net) for net in counts_by_net.elements()]
        within = WIDTH * pstdev(nets) / sqrt(ROUNDS)
        assert abs(fmean(nets) + float(self.edge)) <= within, (fmean(nets), float(-self.edge), within)
        for net in {*counts_by_net, *self.chances} if self.chances else ():
            chance = float(self.chances.get(net, 0))
            assert chance > 0, f"a result of {net} is never told"
            strays = WIDTH * sqrt(ROUNDS * chance * (1 - chance)) + 3
            assert abs(counts_by_net[net] - ROUNDS * chance) <= strays, (
                net,
                counts_by_net[net],
                ROUNDS * chance,
            )


def chances_of(lines: Iterable[tuple[Fraction, Fraction]]) -> dict[Fraction, Fraction]:
    """Add up the probabilities of equal net results."""
    chances: dict[Fraction, Fraction] = {}
    for net, chance in lines:
        chances[net] = chances.get(net, Fraction(0)) + chance
    return {net: chance for net, chance in chances.items() if chance}


def paid(priced: Price) -> dict[Fraction, Fraction]:
    rows = [(net_pay(row), priced.probability(place)) for place, row in enumerate(priced.paytable.rows)]
    return chances_of([*rows, (Fraction(-1), priced.probability(None))])


def played(lines: Iterable[RowReturn]) -> dict[Fraction, Fraction]:
    return chances_of(
        (line.returns / line.probability, line.probability)
        for line in lines
        if line.returns is not None and line.probability and line.hand == NET_RESULT
    )


def typed(game: Game, options: Mapping[str, str]) -> dict[str, OptionValue]:
    known = {option.name: {str(value).lower(): value for value in option.values} for option in game.options}
    return {name: known[name][value] for name, value in options.items() if name in known}


def opened(game: Game, wagers: tuple[str, ...], options: Mapping[str, str], *, seats: int = 1) -> Round:
    round_ = open_round(game, seats)
    everybody = tuple(
        replace(seat, wagers=dict.fromkeys(wagers, STAKE), jackpots=frozenset()) for seat in round_.seats
    )
    return replace(round_, seats=everybody, jackpots=(), options={**round_.options, **typed(game, options)})


def random_options(paytable: Paytable, dice: random.Random) -> dict[str, str]:
    """Any option that is priced; for House Money those of its certificate, since others take minutes."""
    chosen = default_options(paytable)
    if paytable.bet != "house_money":
        for name, values in offered(paytable.title, paytable.bet).items():
            if name != odds_of(paytable.title).bets[paytable.bet].named_by_id:
                chosen[name] = dice.choice(values)
    return chosen


def takes_every_win(decision: Decision) -> str:
    return "take" if "take" in decision.choices else decision.choices[0]


def asked_of_bet(paytable: Paytable, dice: random.Random) -> Question:
    game, options = registry.game(paytable.title), random_options(paytable, dice)
    priced = sheet(paytable, options)
    side_bets = {wager.name for wager in game.wagers if wager.is_side_bet}
    name = f"{paytable.bet}_{options['side']}" if "side" in options else paytable.bet
    base = tuple(bet for bet in max(game.openings, key=len) if bet not in side_bets)
    wagers = (*base, *({name} & side_bets))
    round_ = opened(game, wagers, options, seats=int(options.get("hands", 2)) - 1)
    key = f"{paytable.bet}-{options['hands']}" if "hands" in options else paytable.bet
    round_ = replace(round_, paytables={**round_.paytables, key: paytable})
    if name == "house_money":
        return Question(
            round_, takes_every_win, lambda nets: nets[name], priced.price.house_edge, paid(priced.price)
        )
    decide = game.rule_of_thumb
    if odds_of(game.name).player is not None and "hands" not in options:
        decide = player(game.name, round_.paytables, round_.options)
    if priced.stands_alone:
        return Question(round_, decide, lambda nets: nets[name], priced.house_edge, paid(priced.price))
    return Question(
        round_, decide, whole_game(side_bets), priced.game["house edge"], played(priced.net_results)
    )


def whole_game(side_bets: set[str]) -> Callable[[Mapping[str, Fraction]], Fraction]:
    return lambda nets: sum((net for bet, net in nets.items() if bet not in side_bets), Fraction(0))


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize(("title", "bet"), [pair for pair in bets() if pair[0] in GAMES])
def test_a_bet_returns_its_price(title: str, bet: str, draft: int) -> None:
    dice = random.Random(f"{title} {bet} {draft}")
    while True:
        known = registry.library(title).ids_of(bet)
        paytable = drafted(registry.paytable(title, bet, dice.choice(known)), dice)
        try:
            question = asked_of_bet(paytable, dice)
        except ProblemsError:  # a row that is never paid, or a bonus on a hand that is folded
            continue
        question.verify(dice)
        return


def base_questions(title: str, dice: random.Random) -> Iterator[Question]:
    """The base game with any options; at baccarat each of its bets, at blackjack the usual rules."""
    game, solved = registry.game(title), solved_base(title)
    chosen = {name: values[0] for name, values in solved.options.items()}
    if title != "blackjack":
        chosen = {name: dice.choice(values) for name, values in solved.options.items()}
    solution = solved.solve(**chosen)
    figures = solution.figures
    side_bets = {wager.name for wager in game.wagers if wager.is_side_bet}
    if "house edge" not in figures:
        for bet in game.base:
            yield Question(
                opened(game, (bet,), chosen),
                game.rule_of_thumb,
                itemgetter(bet),
                figures[f"house edge, {bet}"],
            )
        return
    base = tuple(bet for bet in max(game.openings, key=len) if bet not in side_bets)
    round_ = opened(game, base, chosen)
    tables = {
        name: registry.paytable(title, name, value)
        for name, value in chosen.items()
        if name in game.paytable_bets
    }
    round_ = replace(round_, paytables={**round_.paytables, **tables})
    decide = player(title, round_.paytables, round_.options)
    yield Question(round_, decide, whole_game(side_bets), figures["house edge"], played(solution.outcomes))


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("title", GAMES)
def test_a_base_game_returns_its_price(title: str, draft: int) -> None:
    dice = random.Random(f"{title} {draft}")
    for question in base_questions(title, dice):
        question.verify(dice)


def scenario(title: str, dice: random.Random) -> Scenario:
    """A floor with a jackpot whose meter pays a common hand."""
    library = registry.library(title)
    paytable = drafted(library["jackpot", dice.choice(library.ids_of("jackpot"))], dice)
    priced: Sheet = sheet(paytable)
    common = max(range(len(paytable.rows)), key=priced.price.probability)
    rows = [*paytable.rows]
    rows[common] = replace(rows[common], pays=Share(dice.choice([10_000, 5_000]), "jackpot"))
    envied = dice.randrange(len(rows))
    divides = registry.jackpot(title).divides_shares
    if not divides:
        rows[envied] = replace(rows[envied], envy=dice.randrange(3) * DOLLAR)
    paytable = replace(paytable, rows=tuple(rows))
    games = [name for name in GAMES if registry.jackpot(title) in registry.fitting(registry.game(name))]
    game = registry.game(dice.choice(games))
    options = {option.name: dice.choice(option.values) for option in registry.jackpot(title).options}
    options |= {option.name: dice.choice(option.values) for option in meter_pays.OPTIONS[1:3]}
    if divides or (game.name == "blackjack" and not NIGHTLY):
        # A divided share knows one winner; two at blackjack are counted in minutes.
        options["several_winners"] = "seat_order"
    decks = dice.choice(offered(title, "jackpot").get("decks", ("1",)))
    players = dice.randrange(1, min(game.max_seats, 5) + 1)
    return Scenario(
        name=f"{title} on {game.name}",
        game=game.name,
        paytable=paytable,
        crowd=Crowd(players, dice.randrange(1, players + 1)),
        wagers=tuple(
            bet
            for bet in max(game.openings, key=len)
            if not any(wager.is_side_bet for wager in game.wagers if wager.name == bet)
        ),
        options=options,
        counting={"decks": decks} if decks != "1" else {},
        table_options={"decks": int(decks)},
        variant=dice.choice(registry.jackpot(title).variants),
        side=dice.choice(["player", "banker"]) if divides else "",
        seed=Fraction(dice.randrange(1, 20)),
        rate=Fraction(dice.randrange(5, 60), 100),
    )


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("title", [pair[0] for pair in bets() if pair[0] not in GAMES])
def test_a_jackpot_returns_its_price(title: str, draft: int) -> None:
    dice = random.Random(f"{title} {draft}")
    while True:
        floor = scenario(title, dice)
        try:
            stated = float(floor.stated)
        except ProblemsError:  # a row that is never paid
            continue
        # One side of a coup wins a divided share in 3 of 1,000 rounds.
        rounds = 4 * ROUNDS if floor.side else ROUNDS
        values = play(floor, player_of(floor), rounds=rounds, seed=draft)
        mean, within = interval(values)
        assert abs(mean - stated) <= within, (floor, mean, stated, within)
        return
