"""Drills: questions with choices about a table with two jackpots, and about misdeals."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from feltwork import money, sources
from feltwork.site.compliance import roles
from feltwork.site.school.exercise import STAKES
from feltwork.site.school.lessons import cited_paragraphs
from feltwork.sources import Paragraph
from feltwork.titles import meter_pays, registry
from feltwork.titles.cards.card import Suit
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.round import Round
from feltwork.titles.sample_round import open_round
from feltwork.titles.settle import settle
from feltwork.titles.settlement import JackpotResult, SeatResult, Settlement

TWO_JACKPOTS, MISDEAL = "two_jackpots", "misdeal"
DRILLS = (TWO_JACKPOTS, MISDEAL)
_SEATS = 3
#: Number of deals from which the one with the most jackpot wins becomes the drill; fewer with a rich shoe.
_DEALS, _RICH_DEALS = 20, 3
#: A table with House Money has only one jackpot, so this one has no House Money [HM.house_money.one-jackpot].
_GAME, _VARIANTS = "blackjack", {"blazing_7s": "dealer_up_card", "trilux": ""}
_COLORS = ((Suit.CLUBS, Suit.SPADES), (Suit.DIAMONDS, Suit.HEARTS))
#: Number of cards at the top of a rich shoe: the twelve of one rank and color in six decks, and others.
_RICH = 18
_BADGES = ("dealer", "supervisor", "cage", "surveillance")
BOTH, NEITHER = "both", "neither"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceQuestion:
    """A question with one right choice, identified by its subject."""

    subject: str
    choices: tuple[str, ...]
    right: str
    cites: str
    seat: int = 0

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """The paragraphs that decide it."""
        return cited_paragraphs(tuple(dict.fromkeys(sources.citations(self.cites))))


@dataclass(frozen=True, slots=True)
class Drill:
    """A round with questions about dealer procedure, determined by course and seed."""

    course: str
    seed: int
    round: Round
    settlement: Settlement
    questions: tuple[ChoiceQuestion, ...]

    @property
    def shows(self) -> frozenset[tuple[str, str]]:
        """The questions and answers that it shows a trainee."""
        return frozenset((question.subject, question.right) for question in self.questions)


def drill(course: str, seed: int) -> Drill:
    """Deal the drill with a seed."""
    dice = random.Random(f"{course} {seed}")
    round_ = _two_jackpots(dice) if course == TWO_JACKPOTS else _perhaps_misdealt(dice)
    settlement = settle(round_)
    questions = (
        _of_jackpots(round_, settlement) if course == TWO_JACKPOTS else _of_misdeal(round_, settlement)
    )
    return Drill(course, seed, round_, settlement, tuple(questions))


def _two_jackpots(dice: random.Random) -> Round:
    """Deal jackpot wins; in two of three rounds, the first cards are rich in hands that a meter pays."""
    rich_in = dice.choice((7, 14, 0))
    deals = _RICH_DEALS if rich_in else _DEALS
    return max((_blackjack(dice, rich_in) for _ in range(deals)), key=_jackpot_wins)


def _blackjack(dice: random.Random, rich_in: int) -> Round:
    """Blackjack without side bets; each seat has a chip on one jackpot, the other, or both."""
    opened = open_round(registry.game(_GAME), _SEATS, jackpots_of_table=len(_VARIANTS))
    both = frozenset(_VARIANTS)
    covered = [dice.choice((both, both, *(frozenset({name}) for name in _VARIANTS))) for _ in opened.seats]
    opened = replace(
        opened,
        jackpots=tuple(replace(table, variant=_VARIANTS[table.jackpot.name]) for table in opened.jackpots),
        seats=tuple(
            replace(seat, wagers={"bet": dice.choice(STAKES)}, jackpots=jackpots)
            for seat, jackpots in zip(opened.seats, covered, strict=True)
        ),
    )
    return _played(opened, dice, rich_in)


def _played(opened: Round, dice: random.Random, rich_in: int = 0) -> Round:
    shoe = list(decks_of(int(opened.options.get("decks", 1))))
    dice.shuffle(shoe)
    if rich_in:
        suits = dice.choice(_COLORS)
        shoe.sort(key=lambda card: not (card.rank == rich_in and card.suit in suits))
        first = shoe[:_RICH]
        dice.shuffle(first)
        shoe[:_RICH] = first
    return opened.game.play(opened, Shoe(shoe), opened.game.rule_of_thumb)


def _jackpot_wins(round_: Round) -> int:
    """Score the jackpot wins of a round; a win from a meter counts more, because it is a claim."""
    won = [jackpot for seat in settle(round_).seats for jackpot in seat.jackpots.values() if jackpot.hand]
    return len(won) + 3 * sum(map(_is_claim, won))


def _is_claim(result: JackpotResult) -> bool:
    return any(source != meter_pays.TRAY for source in result.sources)


def _of_jackpots(round_: Round, settlement: Settlement) -> Iterator[ChoiceQuestion]:
    names = tuple(table.jackpot.name for table in round_.jackpots)
    often = ("once", "once for each jackpot", "once for each seat")
    yield ChoiceQuestion(
        subject="start", choices=often, right="once", cites="HM.blazing_upcard.5, HM.trilux.6"
    )
    # The rightmost winner first [HM.blazing_upcard.11.c, HM.trilux.9.b].
    seats = sorted(settlement.seats, key=lambda seat: seat.seat, reverse=True)
    for seat in seats:
        won = [name for name, jackpot in seat.jackpots.items() if jackpot.hand]
        yield _of_seat(seat.seat, "pressed", names, won, "HM.blazing_upcard.{3,11.d}, HM.trilux.{2,9.c}")
    for seat in seats:
        if any(jackpot.hand for jackpot in seat.jackpots.values()):
            claimed = [name for name, jackpot in seat.jackpots.items() if _is_claim(jackpot)]
            cites = "HM.blazing_upcard.{11.a,11.b,11.f}, HM.trilux.{9.a,9.e}"
            yield _of_seat(seat.seat, "claimed", names, claimed, cites)
    is_open = any(_is_claim(jackpot) for seat in seats for jackpot in seat.jackpots.values())
    yield ChoiceQuestion(
        subject="end_waits",
        choices=("for the badges of every claim", "for one badge in any case", "for no badge"),
        right="for the badges of every claim" if is_open else "for no badge",
        cites="HM.blazing_upcard.{11.f,11.g}, HM.trilux.{9.e,9.f}",
    )
    yield ChoiceQuestion(
        subject="end", choices=often, right="once", cites="HM.blazing_upcard.{10,11.g}, HM.trilux.9.f"
    )


def _of_seat(seat: int, subject: str, names: tuple[str, ...], right: list[str], cites: str) -> ChoiceQuestion:
    """A question about one jackpot, the other, both or neither."""
    answer = BOTH if len(right) == len(names) else right[0] if right else NEITHER
    return ChoiceQuestion(
        subject=subject, choices=(*names, BOTH, NEITHER), right=answer, cites=cites, seat=seat
    )


def _perhaps_misdealt(dice: random.Random) -> Round:
    """Deal a game in which a wrong number of cards is a misdeal; two of three rounds are misdealt."""
    declared = registry.game(dice.choice([game.name for game in registry.games() if game.voids_on_misdeal]))
    opened = open_round(declared, _SEATS)
    opened = replace(
        opened,
        seats=tuple(
            replace(seat, wagers=dict.fromkeys(seat.wagers, stake))
            for seat, stake in zip(opened.seats, [dice.choice(STAKES) for _ in opened.seats], strict=True)
        ),
    )
    played = _played(opened, dice)
    return _misdealt(played, dice) if dice.randrange(3) else played


def _misdealt(played: Round, dice: random.Random) -> Round:
    """Remove a card from a hand or add one, at a seat or at the dealer's place."""
    places = [*range(len(played.seats)), *(place for place, cards in played.table_cards.items() if cards)]
    place = dice.choice(places)
    held = played.seats[place].cards if isinstance(place, int) else played.cards(place)
    used = set(played.all_cards())
    extra = next(card for card in decks_of(1) if card not in used)
    cards = held[:-1] if dice.randrange(2) else (*held, extra)
    if isinstance(place, str):
        return replace(played, table_cards={**played.table_cards, place: cards})
    seats = list(played.seats)
    seats[place] = replace(seats[place], cards=cards)
    return replace(played, seats=tuple(seats))


def _of_misdeal(round_: Round, settlement: Settlement) -> Iterator[ChoiceQuestion]:
    cites = f"{round_.game.letter}.irregularities.1"
    called = "it is a misdeal" if settlement.void else "the deal is right"
    yield ChoiceQuestion(
        subject="called", choices=("it is a misdeal", "the deal is right"), right=called, cites=cites
    )
    if not settlement.void:
        return
    for seat in sorted(settlement.seats, key=lambda seat: seat.seat, reverse=True):
        yield _returned(seat, cites)
    before_and_after = {
        change.before == change.after for levels in settlement.meters.values() for change in levels.values()
    }
    meter = ("as before START GAME", "with the wagers of the round")
    yield ChoiceQuestion(
        subject="meter",
        choices=meter,
        right=meter[0] if before_and_after == {True} else meter[1],
        cites=cites,
    )
    (badge,) = (role for role in _BADGES if roles.granting((role,), MISDEAL))
    yield ChoiceQuestion(subject="badge", choices=_BADGES, right=badge, cites=cites)


def _returned(seat: SeatResult, cites: str) -> ChoiceQuestion:
    """Ask for the amount returned to a seat: all bets and the jackpot wager."""
    bets = sum(bet.returned for bet in seat.bets.values())
    jackpots = sum(jackpot.stake_returned for jackpot in seat.jackpots.values())
    first = next(bet.returned for bet in seat.bets.values() if bet.returned)
    amounts = sorted({0, first, bets, bets + jackpots, 2 * bets})
    return ChoiceQuestion(
        subject="returned",
        choices=tuple(map(money.text, amounts)),
        right=money.text(bets + jackpots),
        cites=cites,
        seat=seat.seat,
    )
