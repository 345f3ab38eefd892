"""The odds of Casino War, counted by ranks: several decks, and a decision that sees the dealer's card."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

from feltwork.odds.atoms import Atoms
from feltwork.odds.title_odds import (
    Advice,
    Asks,
    BaseGame,
    Cards,
    CountedBet,
    Paytables,
    SolvedGame,
    TableOptions,
    TitleOdds,
    net_results,
)
from feltwork.titles import registry
from feltwork.titles.cards.card import RANKS, Card, Suit
from feltwork.titles.round import Round, Seat
from feltwork.titles.settle import settle
from feltwork.titles.title import Decide, Decision, OptionValue

DECKS = ("6", "8")
CHOICES = ("surrender", "war")
STAKE = 2  # millionths of a dollar: half of it is whole


def deals(decks: int, first: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the ranks of two more cards behind the first ones, with the number of ways to deal them all."""
    for more in product(RANKS, repeat=2):
        ranks, ways = (*first, *more), 1
        for place, rank in enumerate(ranks):
            ways *= 4 * decks - ranks[:place].count(rank)
        yield ranks, ways


def settled(ranks: tuple[int, ...], options: Mapping[str, OptionValue], *, war: bool = False) -> Fraction:
    """Settle player's card, dealer's card and war cards by the rules; the net result in Antes."""
    own, dealer, *fought = (Card(rank, Suit(place)) for place, rank in enumerate(ranks))
    wagers = {"ante": STAKE, "war": STAKE} if war else {"ante": STAKE}
    round_ = Round(
        game=registry.game("casino_war"),
        seats=(Seat(1, wagers, (own, *fought[:1])),),
        paytables={},
        options=options,
        table_cards={"dealer": (dealer, *fought[1:])},
    )
    return Fraction(settle(round_).seats[0].net, STAKE)


@cache
def wars(rank: int, decks: int, *, bonus: bool) -> Mapping[Fraction, int]:
    """Count the net results of going to war over a tie of one rank, by the ways to deal all four cards."""
    options: dict[str, OptionValue] = {"decks": decks, "second_tie_bonus": bonus}
    nets: Counter[Fraction] = Counter()
    for ranks, ways in deals(decks, (rank, rank)):
        nets[settled(ranks, options, war=True)] += ways
    return nets


def worth(rank: int, decks: int, *, bonus: bool) -> dict[str, Fraction]:
    """Value both choices after a tie; the smaller stake comes first."""
    nets = wars(rank, decks, bonus=bonus)
    mean = sum((net * ways for net, ways in nets.items()), Fraction(0)) / sum(nets.values())
    surrendered = settled((rank, rank), {"decks": decks, "second_tie_bonus": bonus})
    return {"surrender": surrendered, "war": mean}


def best(rank: int, decks: int, *, bonus: bool) -> Advice:
    """Return the best choice after a tie."""
    values = worth(rank, decks, bonus=bonus)
    return Advice(max(CHOICES, key=lambda choice: values[choice]), values)


def solve(decks: str, second_tie_bonus: str) -> SolvedGame:
    """Add up every deal of four cards under the best choice."""
    shoe, bonus = int(decks), second_tie_bonus == "true"
    options: dict[str, OptionValue] = {"decks": shoe, "second_tie_bonus": bonus}
    left = (52 * shoe - 2) * (52 * shoe - 3)  # ways to deal two more cards
    nets: Counter[Fraction] = Counter()
    staked = 0
    for (own, dealer), ways in deals(shoe):
        if own == dealer and best(own, shoe, bonus=bonus).best == "war":
            nets.update(wars(own, shoe, bonus=bonus))
            staked += 2 * ways * left
        else:
            nets[settled((own, dealer), options)] += ways * left
            staked += ways * left
    total = sum(nets.values())
    mean = sum((net * ways for net, ways in nets.items()), Fraction(0)) / total
    square = sum((net * net * ways for net, ways in nets.items()), Fraction(0)) / total
    values = best(RANKS[0], shoe, bonus=bonus)
    return SolvedGame(
        strategy=(
            f"{values.best} after every tie: it saves {float(values.cost_of('surrender')):.4f} Antes.",
        ),
        figures={
            "house edge": -mean,
            "element of risk": -mean * total / staked,
            "variance": square - mean * mean,
        },
        outcomes=net_results(nets),
    )


@cache
def ties(decks: str) -> Atoms:
    """Count the deals of two cards that tie."""
    atoms: Counter[frozenset[str]] = Counter()
    for (own, dealer), ways in deals(int(decks)):
        atoms[frozenset({"tie"} if own == dealer else ())] += ways
    return atoms


def question(cards: Cards, sees: Mapping[str, Cards], options: TableOptions) -> Decision:
    """Ask what the game asks after a tie."""
    return Decision(seat=1, name="war", choices=CHOICES, cards=cards, sees=sees, options=options)


def advise(decision: Decision, _paytables: Paytables) -> Advice:
    """Value both choices exactly."""
    options = decision.options
    return best(decision.cards[0].rank, int(options["decks"]), bonus=bool(options["second_tie_bonus"]))


def player(_paytables: Paytables, options: TableOptions) -> Decide:
    """Look the best choice up."""
    choices = {
        rank: best(rank, int(options["decks"]), bonus=bool(options["second_tie_bonus"])).best
        for rank in RANKS
    }
    return lambda decision: choices[decision.cards[0].rank]


ODDS = TitleOdds(
    bets={
        "tie": CountedBet(
            atoms=ties,
            method="every deal of two cards from the shoe",
            options={"decks": DECKS},
            figures=("house_edge", "hit_frequency"),
        )
    },
    base_game=BaseGame(
        solve=solve,
        method="every deal of four ranks from the shoe, settled by the rules, with the better choice",
        options={"decks": DECKS, "second_tie_bonus": ("false", "true")},
    ),
    asks=Asks((1,), {"dealer": (1,)}, question),
    advise=advise,
    player=player,
)
