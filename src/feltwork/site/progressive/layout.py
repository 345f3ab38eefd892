"""The hands entered in a round at a table: what no deal of its game gives together is refused [LT-02]."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from feltwork.problem import HandInTheWay, Sentence
from feltwork.site.progressive.button_pays import sight_of_text
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.refusal import refuse
from feltwork.titles.hand_names import hand_name
from feltwork.titles.one_deal import EnteredHand, is_possible


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidHand:
    """A hand entered at a seat on one of the table's jackpots, with its cards if they are known."""

    link: Link
    seat: int
    hand: str
    cards: str = ""

    @property
    def entered(self) -> EnteredHand:
        """The hand as the search for a deal takes it."""
        return EnteredHand(
            seat=self.seat,
            jackpot=self.link.jackpot,
            variant=self.link.variant,
            rows=tuple(row.hand for row in self.link.paytable.rows),
            row=self.hand,
            cards=sight_of_text(self.link, self.cards),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What a table deals, and the hands of a round on all its jackpots."""

    game: str
    decks: int
    hands: tuple[LaidHand, ...] = ()

    def verify(self, entered: Sequence[LaidHand], cleared: Iterable[int] = ()) -> None:
        """Raise if no deal gives these hands of a link beside all others; name one of them.

        The seats of that link that are cleared with them have no hand any more.
        """
        link = entered[0].link.id
        replaced = {(link, seat) for seat in (*(hand.seat for hand in entered), *cleared)}
        together = [hand.entered for hand in entered]
        for other in self.hands:
            if (other.link.id, other.seat) in replaced:
                continue
            if is_possible(self.game, self.decks, [*together, other.entered]):
                together.append(other.entered)
                continue
            name = Sentence(hand_name(other.link.paytable, other.hand))
            what = Sentence(
                "no deal gives this hand and the %(hand)s of seat %(seat)s", hand=name, seat=other.seat
            )
            if other.cards:
                what = Sentence("%(what)s (%(cards)s)", what=what, cards=other.cards)
            raise refuse(
                f"{link}, seat {entered[0].seat}",
                what,
                Sentence("check both hands, and clear seat %(seat)s if its hand is wrong", seat=other.seat),
                "LT-02",
                HandInTheWay(link=other.link.id, seat=other.seat, hand=other.hand),
            )
