"""The round at a table, from START GAME to END GAME: one state machine, two sets of controls."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from feltwork.problem import HandInTheWay, ProblemsError, Sentence, listed
from feltwork.site.progressive.button_pays import tray_pays
from feltwork.site.progressive.facts import Fact, Instant
from feltwork.site.progressive.layout import LaidHand, Layout
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round_facts import (
    HandCleared,
    HandPressed,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    SeatFolded,
)

Action: TypeAlias = Literal[
    "start", "correct", "fold", "hand", "key_to_jackpot", "confirm", "key_to_run", "end", "misdeal"
]
Phase: TypeAlias = Literal["idle", "playing", "claimed", "key_at_jackpot", "logged"]


@dataclass(frozen=True, slots=True)
class ControlSet:
    """Button labels and when they are enabled [C4.nexus.6, C4.nexus.9, C4.aquarius.6, C4.aquarius.9]."""

    #: The label of an Aquarius start button comes from the title.
    labels: Mapping[Action, str]
    allowed: Mapping[Phase, tuple[Action, ...]]


CONTROLS: Mapping[str, ControlSet] = {
    "nexus": ControlSet(
        labels={
            "start": "START GAME",
            "correct": "CORRECT SEAT",
            "fold": "FOLDED",
            "hand": "seat + hand button",
            "confirm": "CONFIRM + badge",
            "end": "END GAME",
            "misdeal": "MISDEAL",
        },
        allowed={
            "idle": ("start",),
            "playing": ("correct", "fold", "hand", "end", "misdeal"),
            "claimed": ("fold", "hand", "confirm"),
        },
    ),
    "aquarius": ControlSet(
        labels={
            "correct": "CORRECT SEAT",
            "fold": "FOLDED",
            "hand": "hand on the keypad",
            "key_to_jackpot": "key to JPH",
            "confirm": "J-POT",
            "key_to_run": "key to RUN",
            "end": "GAME OVER",
            "misdeal": "MISDEAL",
        },
        allowed={
            "idle": ("start",),
            "playing": ("correct", "fold", "hand", "end", "misdeal"),
            "claimed": ("fold", "hand", "key_to_jackpot"),
            "key_at_jackpot": ("confirm", "key_to_run"),
            "logged": ("key_to_run",),
        },
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRound:
    """A table of a link with its current round, or its last round while idle."""

    table: str
    #: The configuration at the start of the round, in effect until it ends [LT-10].
    link: Link
    number: int = 0
    phase: Phase = "idle"
    started: RoundStarted | None = None
    #: Seats with a regular wager, whose hands may pay envy to others.
    players: tuple[int, ...] = ()
    hands: Mapping[int, str] = field(default_factory=dict)
    #: Seats that have folded, where folded hands do not qualify.
    folded: frozenset[int] = frozenset()
    #: Whether a hand was entered or a seat folded, even if cleared since, so the first card is out.
    dealt: bool = False
    #: Seats whose award a supervisor has confirmed.
    confirmed: frozenset[int] = frozenset()

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats whose jackpot wager was locked at the start, or by a correction before the first card."""
        return self.started.seats if self.started else ()

    @property
    def claims(self) -> tuple[int, ...]:
        """The seats with unconfirmed meter hands."""
        return tuple(
            seat
            for seat, hand in self.hands.items()
            if seat in self.seats
            and seat not in self.confirmed
            and (row := self.link.row(hand)) is not None
            and self.link.takes_from_meter(row)
        )

    @property
    def buttons(self) -> tuple[str, ...]:
        """The buttons enabled now, by their labels."""
        labels, allowed = labels_of(self.link), CONTROLS[self.link.controls].allowed
        return tuple(labels[action] for action in allowed[self.phase] if can(self, action))


def labels_of(link: Link) -> Mapping[Action, str]:
    """The labels of a link's buttons, as the letter of its title prints them."""
    return {"start": link.title.aquarius_start, **CONTROLS[link.controls].labels}


def verify_action(round_: TableRound, action: Action) -> None:
    """Raise if a button is disabled."""
    labels = labels_of(round_.link)
    where = f"table {round_.table}, round {round_.number}"
    if action == "correct" and round_.phase != "idle" and round_.dealt:
        raise refuse(where, "a hand has been entered, so the cards are out", "call a misdeal", "LT-01")
    if action == "fold" and round_.link.folded_hands_qualify:
        raise refuse(where, "folded hands qualify at this table", "press the hand button as usual", "LT-02")
    if action == "misdeal" and round_.phase == "playing" and round_.confirmed:
        raise refuse(where, "an award of it is confirmed", "reverse it by an adjustment first", "LT-04")
    if action in CONTROLS[round_.link.controls].allowed[round_.phase]:
        return
    if action == "end" and round_.phase != "idle":
        seats = ", ".join(map(str, round_.claims)) or "the key"
        remedy = Sentence("first: %(choices)s", choices=listed(round_.buttons))
        end = Sentence(labels["end"])
        what = Sentence("%(end)s waits for the claim of seat %(seats)s", end=end, seats=seats)
        raise refuse(where, what, remedy, "LT-03")
    label, phase = Sentence(labels.get(action, action)), Sentence(round_.phase)
    what = Sentence("%(label)s is disabled now (%(phase)s)", label=label, phase=phase)
    raise refuse(where, what, Sentence("press: %(choices)s", choices=listed(round_.buttons)), "LT-02")


def can(round_: TableRound, action: Action) -> bool:
    """Whether a button is enabled."""
    try:
        verify_action(round_, action)
    except ProblemsError:
        return False
    return True


def start(
    round_: TableRound, *, covered: Iterable[int], players: Iterable[int], takes_wagers: bool, at: Instant
) -> tuple[TableRound, RoundStarted]:
    """Lock the seats with a covered sensor and a regular wager; later chips do not count [LT-01]."""
    verify_action(round_, "start")
    if not takes_wagers:
        raise refuse(
            f"table {round_.table}",
            Sentence("link %(link)s is not accepting wagers", link=round_.link.id),
            "return jackpot chips until it is open again",
            "GEN-07",
        )
    playing = tuple(sorted(set(players)))
    started = RoundStarted(
        link=round_.link.id,
        at=at,
        table=round_.table,
        round=round_.number + 1,
        wager=round_.link.wager,
        seats=tuple(seat for seat in sorted(set(covered)) if seat in playing),
    )
    fresh = TableRound(
        table=round_.table,
        link=round_.link,
        number=started.round,
        phase="playing",
        started=started,
        players=playing,
    )
    return fresh, started


def verify_listed(table: str, listed: Iterable[int], covered: Collection[int]) -> None:
    """Raise if the seats that START GAME names are not those whose sensors are covered [LT-01]."""
    if sorted(listed) != sorted({*covered}):
        seats = _listed(tuple(sorted(covered)))
        what = Sentence(
            "the sensors do not show the seats that were entered; covered: %(seats)s", seats=seats
        )
        remedy = "check the chips and press START GAME again; correct a seat with a bad sensor after that"
        raise refuse(f"table {table}", what, remedy, "LT-01")


def correct(round_: TableRound, *, seat: int, wagered: bool) -> TableRound:
    """Correct one locked seat before the first card: a knocked-off chip, a misread sensor [LT-01]."""
    verify_action(round_, "correct")
    where = f"table {round_.table}, round {round_.number}, seat {seat}"
    if wagered and seat not in round_.players:
        raise refuse(where, "there is no player in this seat", _one_of(round_.players), "LT-01")
    if wagered == (seat in round_.seats):
        what = "its wager is locked already" if wagered else "it has no locked wager"
        raise refuse(where, what, Sentence("locked seats: %(seats)s", seats=_listed(round_.seats)), "LT-01")
    return with_seats(round_, {seat} ^ set(round_.seats))


def with_seats(round_: TableRound, seats: Iterable[int]) -> TableRound:
    """Return the round with other locked seats."""
    assert round_.started is not None
    return replace(round_, started=replace(round_.started, seats=tuple(sorted(seats))))


def fold(
    round_: TableRound, *, seat: int, folded: bool, at: Instant, by: str
) -> tuple[TableRound, SeatFolded]:
    """Mark a seat as folded, or remove the mark; where folded hands do not qualify, it cannot claim."""
    verify_action(round_, "fold")
    where = f"table {round_.table}, round {round_.number}, seat {seat}"
    if seat not in round_.players:
        raise refuse(where, "there is no player in this seat", _one_of(round_.players), "LT-01")
    if folded and seat in round_.hands:
        what: str = Sentence("its hand is entered: %(hand)s", hand=Sentence(round_.hands[seat]))
        raise refuse(where, what, "clear the hand first", "LT-02")
    if folded == (seat in round_.folded):
        what = "it is marked as folded already" if folded else "it is not marked as folded"
        marked = _listed(tuple(sorted(round_.folded)))
        raise refuse(where, what, Sentence("folded seats: %(seats)s", seats=marked), "LT-02")
    fact = SeatFolded(
        link=round_.link.id,
        at=at,
        table=round_.table,
        round=round_.number,
        seat=seat,
        folded=folded,
        by=by,
    )
    return replace(round_, folded=round_.folded ^ {seat}, dealt=True), fact


def press(
    round_: TableRound,
    *,
    seat: int,
    hand: str,
    at: Instant,
    by: str,
    winners: Collection[int] = (),
    cards: str = "",
    layout: Layout | None = None,
) -> tuple[TableRound, tuple[Fact, ...]]:
    """Enter a seat's hand; pressing the same button again clears it while it is unconfirmed [LT-02].

    A shared prize takes one press, which enters the hand for every jackpot wager at the table or, if only the
    winning side shares it, for the seats in ``winners``; another press with other winners replaces them. A
    press that corrects the shared prize of a coup to another hand takes it from every seat. Hands that no
    deal gives together are refused where the layout of the table is known.
    """
    if winners:
        _verify_winners(round_, seat=seat, hand=hand, winners=winners)
    seats = {seat, *winners} if winners else set(_named_with(round_, seat=seat, hand=hand))
    marked = {other for other, other_hand in round_.hands.items() if other_hand == hand}
    wrong = _corrected_with(round_, seat=seat, hand=hand, winners=winners) - seats
    clears = seat in marked and (not winners or seats == marked)
    entered = () if clears else sorted(seats - marked if winners else seats)
    cleared = sorted(seats if clears else wrong | (marked - seats if winners else set()))
    after, new_facts = round_, []
    for number, text in [*((other, "") for other in cleared), *((other, hand) for other in entered)]:
        verify_press(round_, seat=number, hand=hand, replaced=seats | wrong)
        after, facts = _press(after, seat=number, hand=text, at=at, by=by)
        new_facts += facts
    if layout is not None and entered:
        link = round_.link
        layout.verify([LaidHand(link=link, seat=one, hand=hand, cards=cards) for one in entered], cleared)
    return after, tuple(new_facts)


def _verify_winners(round_: TableRound, *, seat: int, hand: str, winners: Collection[int]) -> None:
    """Raise unless the marked seats can share the prize as the winning side [LT-08]."""
    where = f"table {round_.table}, round {round_.number}, seat {seat}"
    if round_.link.options.get("share_with") != "winning_side" or not round_.link.divides(hand):
        raise refuse(
            where,
            Sentence("%(hand)s is not shared by a winning side", hand=Sentence(hand)),
            "press the hand button with no seats marked",
            "LT-08",
        )
    strangers = tuple(sorted({seat, *winners} - set(round_.seats)))
    if strangers:
        what = Sentence("seat %(seats)s has no locked wager", seats=_listed(strangers))
        raise refuse(where, what, _one_of(round_.seats), "LT-01")


def _named_with(round_: TableRound, *, seat: int, hand: str) -> tuple[int, ...]:
    """Return the seats that a press names: its own, or all that share the prize."""
    return round_.seats if round_.link.covers_table(hand) and seat in round_.seats else (seat,)


def _corrected_with(round_: TableRound, *, seat: int, hand: str, winners: Collection[int]) -> set[int]:
    """Return the seats that share the prize of a coup that a press corrects [LT-08].

    On the winning side, a press for another shared prize must say again who shares it.
    """
    link, before = round_.link, round_.hands.get(seat, hand)
    shared = link.title.divides_shares and link.divides(before)
    if before == hand or not shared or (link.divides(hand) and not winners):
        return set()
    return {other for other, other_hand in round_.hands.items() if other_hand == before}


def _press(
    round_: TableRound, *, seat: int, hand: str, at: Instant, by: str
) -> tuple[TableRound, list[Fact]]:
    """Enter one seat's hand, or clear it if ``hand`` is empty."""
    before = round_.hands.get(seat, "")
    new_facts: list[Fact] = []
    hands = {number: other_hand for number, other_hand in round_.hands.items() if number != seat}
    about = {"link": round_.link.id, "table": round_.table, "by": by}
    if before and before != hand:
        new_facts.append(HandCleared(**about, at=at, round=round_.number, seat=seat, hand=before))
    if hand:
        hands[seat] = hand
        if before != hand:
            new_facts.append(HandPressed(**about, at=at, round=round_.number, seat=seat, hand=hand))
    return _settled(replace(round_, hands=hands, dealt=True)), new_facts


def verify_press(round_: TableRound, *, seat: int, hand: str, replaced: Collection[int]) -> None:
    """Raise if a hand cannot be entered for a seat by a press that replaces the hands of some seats."""
    verify_action(round_, "hand")
    where = f"table {round_.table}, round {round_.number}, seat {seat}"
    if seat not in round_.players:
        raise refuse(where, "there is no player in this seat", _one_of(round_.players), "LT-01")
    if seat in round_.confirmed:
        remedy = "only an adjustment by two people reverses it"
        raise refuse(where, "its award is confirmed", remedy, "LT-04")
    if seat in round_.folded:
        what = "it has folded, and folded hands do not qualify at this table"
        raise refuse(where, what, "take the FOLDED mark back if it is wrong", "LT-02")
    row = round_.link.row(hand)
    if row is None:
        choices = ", ".join(row.hand for row in round_.link.paytable.rows)
        raise refuse(
            where,
            Sentence("%(hand)s has no button", hand=Sentence(hand)),
            Sentence("choose from: %(choices)s", choices=choices),
            "LT-02",
        )
    if round_.link.divides(hand) and any(round_.hands.get(number) == hand for number in round_.confirmed):
        what = "the prize of this round is confirmed and divided already"
        remedy = "call the pit: two people reverse the award and settle the additional winner"
        raise refuse(where, what, remedy, "LT-08")
    for other, before in round_.hands.items() if round_.link.title.divides_shares else ():
        if other not in replaced and before != hand:
            what = Sentence(
                "the hand entered at seat %(seat)s is %(hand)s: one coup has one result",
                seat=other,
                hand=Sentence(before),
            )
            in_the_way = HandInTheWay(link=round_.link.id, seat=other, hand=before)
            raise refuse(where, what, "clear the wrong hand first", "LT-02", in_the_way)
    if seat not in round_.seats and not row.envy:
        remedy = _one_of(round_.seats)
        raise refuse(where, "its sensor was not covered at the start", remedy, "LT-01")


def take_out(round_: TableRound, *, seats: Collection[int]) -> TableRound:
    """Remove the hands of seats whose claims a supervisor voided, or whose awards were reversed."""
    hands = {seat: hand for seat, hand in round_.hands.items() if seat not in seats}
    after = replace(round_, hands=hands, confirmed=round_.confirmed - set(seats))
    return _settled(after) if round_.phase in ("playing", "claimed") else after


def key_to_jackpot(round_: TableRound) -> TableRound:
    """Turn the Aquarius key to JPH."""
    verify_action(round_, "key_to_jackpot")
    return replace(round_, phase="key_at_jackpot")


def confirm(round_: TableRound, *, seats: Iterable[int]) -> TableRound:
    """Apply the supervisor's CONFIRM, or J-POT, to these seats [LT-03]."""
    verify_action(round_, "confirm")
    confirmed = replace(round_, confirmed=round_.confirmed | set(seats))
    return replace(confirmed, phase="logged") if round_.link.lock_at == "run" else _settled(confirmed)


def key_to_run(round_: TableRound) -> TableRound:
    """Turn the Aquarius key back to RUN; signs now show the meter without the awards [C4.aquarius.9.g]."""
    verify_action(round_, "key_to_run")
    return _settled(replace(round_, phase="playing"))


def end(round_: TableRound, *, at: Instant) -> tuple[TableRound, RoundEnded]:
    """END GAME: total the fixed pays and envy, and release the sensors [LT-09]."""
    verify_action(round_, "end")
    return replace(round_, phase="idle"), tray_of(round_, at=at)


def tray_of(round_: TableRound, *, at: Instant) -> RoundEnded:
    """The tray pays for the entered hands: fixed pays, stakes returned and envy."""
    pays = tray_pays(round_.link, hands=round_.hands, bettors=round_.seats)
    return RoundEnded(
        link=round_.link.id,
        at=at,
        table=round_.table,
        round=round_.number,
        fixed=sum(pay.fixed + pay.stake_returned for pay in pays.values()),
        envy=sum(pay.envy for pay in pays.values()),
    )


def misdeal(round_: TableRound, *, reason: str, at: Instant, by: str) -> tuple[TableRound, RoundVoided]:
    """Void a misdealt round for everyone."""
    verify_action(round_, "misdeal")
    voided = RoundVoided(
        link=round_.link.id, at=at, table=round_.table, round=round_.number, reason=reason, by=by
    )
    return replace(round_, phase="idle", hands={}), voided


def _settled(round_: TableRound) -> TableRound:
    return replace(round_, phase="claimed" if round_.claims else "playing")


def _one_of(seats: tuple[int, ...]) -> Sentence:
    return Sentence("choose from: %(choices)s", choices=_listed(seats))


def _listed(seats: tuple[int, ...]) -> str:
    return ", ".join(map(str, seats)) or "none"
