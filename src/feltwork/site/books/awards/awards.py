"""Awards: claims for people to judge, confirmed with badges, paid, or voided."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from itertools import chain, count
from typing import Literal, TypeAlias

from psycopg.rows import dict_row
from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.problem import Sentence
from feltwork.site.books.authorize import authorize, authorize_badge, deeds_of
from feltwork.site.books.awards.lookup import awards_named, lock_award, payment_of
from feltwork.site.books.awards.payouts import (
    ShownDocuments,
    WriteRecord,
    book_cards,
    verify_payable,
    write_record,
)
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import COMMAND, Amount, Cards, Name, Secret, Statement, with_example
from feltwork.site.books.floors.site import already_done, floor_in_force, local_time, verify_link
from feltwork.site.books.journal.link_state import LinkSnapshot, award_from, read_link, read_meters
from feltwork.site.books.journal.transaction import CommandScope, Committed, book_facts, decide
from feltwork.site.books.links.links import BookedView, booked_view
from feltwork.site.books.people import waiting_proposals as proposals
from feltwork.site.books.people.staff import staff_member
from feltwork.site.books.queries import statement
from feltwork.site.books.tables.rounds import played_round, say
from feltwork.site.compliance import tax
from feltwork.site.compliance.floor import Floor
from feltwork.site.compliance.jurisdiction import jurisdiction
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive import award as rules
from feltwork.site.progressive.badges import hit_with, needs_executive
from feltwork.site.progressive.facts import Instant
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round import TableRound, verify_action
from feltwork.site.progressive.round_facts import HandCleared
from feltwork.site.progressive.sign_offs import Badge
from feltwork.site.progressive.state import Award, LinkState
from feltwork.titles.hand_names import hand_name

Form: TypeAlias = Literal["chips", "cash", "check"]
#: The strictest choices that the instructions leave to an operator: nothing is deducted, each win by itself.
_PAYER = tax.Payer(less_wager=False, together=False, reports_cash=False)


@validated(config=COMMAND, frozen=True, kw_only=True)
class ShownBadge:
    """A badge with its PIN: a badge alone is only a name."""

    badge: Name = Field(examples=["B-17"])
    pin: Secret = Field(repr=False, examples=["2580"])


@validated(config=COMMAND, frozen=True, kw_only=True)
class Confirm:
    """A supervisor's badge, and an executive's above the link's executive level."""

    badges: tuple[ShownBadge, ...] = Field(
        min_length=1, max_length=3, examples=[[{"badge": "B-17", "pin": "2580"}]]
    )
    amount: Amount = Field(
        description="The amount confirmed, in millionths: the sum of all awards confirmed together.",
        examples=[10_000_000_000],
    )
    also: tuple[Name, ...] | None = Field(
        default=None,
        max_length=12,
        description="Claims confirmed with it; by default those that share its prize [LT-08].",
        examples=[None],
    )
    pay: Form | None = Field(
        default=None,
        description="How the dealer pays now, witnessed by the first badge; omit it to pay later.",
        examples=[None],
    )
    cards: dict[Name, Cards] = Field(
        default_factory=dict,
        max_length=12,
        description="The winning cards by award, where none are entered; needed above the executive level.",
        examples=[{}],
    )


@validated(config=COMMAND, frozen=True, kw_only=True)
class Pay:
    """The form of payment."""

    form: Form = Field(examples=["check"])


@validated(config=COMMAND, frozen=True, kw_only=True)
class EnterCards:
    """The winning cards, in the groups that the jackpot evaluates."""

    cards: Cards = Field(min_length=2, examples=["As Ah Ad Ac 2c"])


@validated(config=COMMAND, frozen=True, kw_only=True)
class VoidClaim:
    """The reason to void a claim, and the supervisor who authorizes it."""

    reason: Statement = Field(examples=["Exposed card"])
    shown: ShownBadge = Field(examples=[{"badge": "B-21", "pin": "1379"}])


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class PaidView(BookedView):
    """A payment; ``already`` tells who paid the award in the same form a moment ago."""

    already: str = ""


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeView:
    """A person who may confirm an award."""

    person: str
    name: str
    role: str


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class AwardView:
    """An award; its amount is fixed when its hand is pressed."""

    id: str
    link: str
    table: str
    round: int
    seat: int
    hand: str
    #: The approved name of the hand.
    hand_name: str
    cards: str
    claimed_by: str
    claimed_at: int
    status: str
    level: str
    amount: int
    from_meter: int
    from_house: int
    seed: int
    reserve: int
    locked: bool
    lock_number: int
    restarts: bool
    supervisor: str
    executive: str
    paid_by: str
    #: Amount of its whole hit, and the badges that it requires.
    hit_amount: int
    badges: list[str]
    #: Whether two people set it aside, so that later claims are confirmed before it.
    set_aside: bool


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class AwardsView:
    """The awards of a link."""

    awards: list[AwardView]


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingAward(AwardView):
    """An award that waits for a badge or for payment, as the pit judges it."""

    title: str
    envy: int
    controls: str
    #: The seats that are confirmed together with it.
    hit_seats: tuple[int, ...]
    #: Amount above which, and levels at which, an executive must also sign.
    executive_above: int
    executive_levels: tuple[str, ...]
    flags: tuple[tax.Flag, ...]
    #: Whether the dealer can pay it right away: no second badge, no tax form, and the meter has moved.
    pay_now: bool
    jackpot: str
    #: Number of decks at the table.
    decks: int
    #: Whether its cards are entered before it is confirmed; once for all who divide a prize.
    needs_cards: bool
    #: The claim that is confirmed before it.
    first: AwardView | None


def awards_of(op: Operation, link: str) -> AwardsView:
    """List every award of a link, oldest first."""
    authorize(op, Command(name="watch", about=f"awards {link}"))
    verify_link(op.connection, link)
    state = read_link(op.connection, link).state
    return AwardsView(awards=[award_view(state, award) for award in state.awards.values()])


def award(op: Operation, link: str, name: str) -> AwardView:
    """Show one award."""
    authorize(op, Command(name="watch", about=f"award {name}"))
    verify_link(op.connection, link)
    state = read_link(op.connection, link).state
    if name not in state.awards:
        raise unknown(f"{link}, award {name}")
    return award_view(state, state.awards[name])


def confirm(op: Operation, link: str, award: str, body: Confirm) -> BookedView:
    """Confirm a claim by badge and PIN, with the claims that share its prize or J-POT log [LT-03, LT-08]."""
    claim = _claim(op, link, award)
    names = list(dict.fromkeys([award, *(_sharing(op, link, claim) if body.also is None else body.also)]))
    claims = [claim, *(_award(op.connection, link, name) for name in names[1:])]
    people = prove_badges(op, link, claims, body.badges)
    badges = [
        Badge(one.actor.id, "executive" if one.actor.role == "executive" else "supervisor") for one in people
    ]
    if body.pay:
        authorize(people[0], Command(name="pay", about=award))
    if body.cards:
        authorize(people[0], Command(name="enter_cards", about=award))

    def act() -> BookedView:
        locked = lock_award(op.connection, link, claim)
        for name in names:
            found = locked.state.awards.get(name)
            if name in body.cards and found and found.status == "claimed":
                locked = book_cards(
                    op.connection, locked, name, body.cards[name], by=people[0].actor.id
                ).after
        round_ = played_round(op.connection, locked.state.link, claim.table, claim.round).round
        if round_.phase != "idle":  # a device may have ended the round before its claim was judged
            verify_action(round_, "confirm")
        facts = rules.confirm(
            locked.state, round_, awards=names, badges=badges, amount=body.amount, at=locked.at(None)
        )
        commits = [book_facts(op.connection, locked, facts)]
        if body.pay:
            for name in names:
                commits.append(_pay_at_table(people[0], commits[-1].after, name, body.pay))
        return booked_view(*commits)

    rest = {"amount": body.amount, "also": names[1:], "pay": body.pay, "cards": body.cards}
    return op.perform({"badges": [[badge.person, badge.role] for badge in badges], **rest}, BookedView, act)


def check_badge(op: Operation, link: str, award: str, body: ShownBadge) -> BadgeView:
    """Check one badge of a confirmation immediately, so a wrong PIN is shown before the next badge."""
    (shows,) = prove_badges(op, link, [_claim(op, link, award)], [body])
    return BadgeView(person=shows.actor.id, name=shows.actor.name, role=shows.actor.role)


def enter_cards(op: Operation, link: str, award: str, body: EnterCards) -> BookedView:
    """Enter the winning cards after the claim; the evaluator that settles checks them [LT-02]."""
    authorize(op, Command(name="enter_cards", about=award))
    claim = _award(op.connection, link, award)

    def act() -> BookedView:
        locked = lock_award(op.connection, link, claim)
        return booked_view(book_cards(op.connection, locked, award, body.cards, by=op.actor.id))

    return op.perform(asdict(body), BookedView, act)


def pay(op: Operation, link: str, award: str, body: Pay) -> PaidView:
    """Book the payment to the patron; its payout record must come first [WA-24]."""
    claim = _award(op.connection, link, award)
    authorize(op, Command(name="pay", about=award), deeds=deeds_of(op.connection, link, claim))

    def act() -> PaidView:
        # Once the link is locked, nobody proposes a reversal before the payment.
        locked = lock_award(op.connection, link, claim)
        is_open = locked.state.awards[award].status == "confirmed"
        paid = {} if is_open else payment_of(op.connection, link, award)
        if paid.get("form") == body.form:
            at = datetime.fromtimestamp(paid["at"] / 1_000_000, UTC)
            if already := already_done(op.connection, paid["by"], at):
                return PaidView(facts=[], meters=None, entry=None, already=already)
        if op.policy.record_required:
            verify_payable(op.connection, link, award, form=body.form)
        fact = rules.pay(locked.state, award=award, form=body.form, at=locked.at(None), by=op.actor.id)
        _verify_uncontested(op, locked.state, award)
        view = booked_view(book_facts(op.connection, locked, [fact]))
        return PaidView(facts=view.facts, meters=view.meters, entry=view.entry)

    return op.perform(asdict(body), PaidView, act)


def void_claim(op: Operation, link: str, award: str, body: VoidClaim) -> BookedView:
    """Void a claim by badge and PIN; once it is confirmed, it takes a reversal by two people [LT-04]."""
    claim = _claim(op, link, award)
    shows = op.beside(body.shown.badge, body.shown.pin)
    authorize(shows, Command(name="void_claim", about=award))

    def act() -> BookedView:
        locked = lock_award(op.connection, link, claim)
        hit, at = hit_with(locked.state, locked.state.awards[award]), locked.at(None)
        rules.verify_void(locked.state, award=award, reason=body.reason)
        round_ = played_round(op.connection, locked.state.link, claim.table, claim.round).round
        voided = [other.id for other in hit]
        facts = rules.void(locked.state, awards=voided, reason=body.reason, at=at, by=shows.actor.id)
        booked = book_facts(op.connection, locked, facts)
        clear_hands(op.connection, round_, hit, by=shows.actor.id, at=at)
        return booked_view(booked)

    view = shows.perform({"reason": body.reason}, BookedView, act, why=body.reason)
    op.replayed = shows.replayed
    return view


def prove_badges(
    op: Operation, link: str, claims: Sequence[Award], badges: Sequence[ShownBadge]
) -> list[Operation]:
    """Verify every badge and its person's permission; wrong PINs count even though nothing is booked."""
    people = []
    for badge in badges:
        shows = op.beside(badge.badge, badge.pin)
        name = "confirm_executive" if shows.actor.role == "executive" else "confirm"
        for claim in claims:
            deeds = deeds_of(op.connection, link, claim)
            authorize(shows, Command(name=name, about=claim.id), deeds=deeds)
        people.append(shows)
    return people


def waiting(connection: Connection, *, link: str = "", table: str = "") -> list[WaitingAward]:
    """List awards that wait for a badge or for payment, oldest first."""
    floor = floor_in_force(connection)
    awards: dict[str, dict[str, Award]] = {}
    with connection.cursor(row_factory=dict_row) as cursor:
        for row in cursor.execute(statement("awards_open")).fetchall():
            of_link = awards.setdefault(row.pop("link"), {})
            of_link[row["id"]] = award_from(row)
    found: list[WaitingAward] = []
    for name in awards.keys() & {link} if link else awards:
        state = replace(read_meters(connection, name).state, awards=awards[name])
        found += [
            _waiting(state, award, floor)
            for award in awards[name].values()
            if award.status in ("claimed", "confirmed") and table in ("", award.table)
        ]
    return sorted(found, key=lambda award: award.claimed_at)


def award_view(state: LinkState, award: Award) -> AwardView:
    """Return the view of an award with the total of its hit."""
    whole = sum(other.amount for other in hit_with(state, award))
    badges = ["supervisor"]
    if needs_executive(state.link, level=award.level, amount=whole):
        badges = ["executive"] if state.link.executive_alone else ["supervisor", "executive"]
    return AwardView(
        **{one.name: getattr(award, one.name) for one in fields(AwardView) if hasattr(award, one.name)},
        link=state.link.id,
        hand_name=hand_name(state.link.paytable, award.hand),
        hit_amount=whole,
        badges=badges,
        set_aside=award.id in state.aside,
    )


def _waiting(state: LinkState, award: Award, floor: Floor | None) -> WaitingAward:
    link, hit = state.link, hit_with(state, award)
    view = award_view(state, award)
    row = link.row(award.hand)
    executive = "executive" in view.badges
    hit_seats = tuple(sorted(other.seat for other in hit))
    flags = strictest_flags(floor, amount=view.amount, wager=link.wager)
    place = floor.table_by_id.get(award.table) if floor else None
    earlier = rules.earlier_claim(state, [other.id for other in hit]) if award.status == "claimed" else None
    return WaitingAward(
        **{field.name: getattr(view, field.name) for field in fields(view)},
        title=link.title.title,
        envy=row.envy_for(link.wager) if row else 0,
        controls=link.controls,
        hit_seats=hit_seats,
        executive_above=link.executive_above,
        executive_levels=tuple(link.executive_levels),
        flags=flags,
        pay_now=not executive and not flags and link.lock_at != "run",
        jackpot=link.jackpot,
        decks=place.decks if place else 1,
        needs_cards=executive
        and award.status == "claimed"
        and not award.cards
        and not (link.title.divides_shares and award.seat != hit_seats[0]),
        first=award_view(state, earlier[1]) if earlier else None,
    )


def strictest_flags(floor: Floor | None, *, amount: int, wager: int) -> tuple[tax.Flag, ...]:
    """Tax requirements before this amount is paid; empty without a floor file [TX-04]."""
    if floor is None:
        return ()
    rulings = jurisdiction(floor.jurisdiction).on(datetime.now(tz=UTC).date())
    return tax.flags([tax.Win(amount=amount, wager=wager)], rulings=rulings, payer=_PAYER, identity=None)


def _sharing(op: Operation, link: str, claim: Award) -> list[str]:
    """The claims confirmed with this one: all of its round that share a prize or are logged [LT-08]."""
    state = read_meters(op.connection, link).state
    with op.connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("awards_of_round"), (link, claim.table, claim.round)).fetchall()
    state = replace(state, awards={row["id"]: award_from(row) for row in rows})
    return [other.id for other in hit_with(state, claim) if other.status == "claimed"]


def _pay_at_table(op: Operation, locked: LinkSnapshot, award: str, form: Form) -> Committed:
    """Pay chips right after the confirmation; a win with open duties is refused [WA-24, TX-04, LT-02]."""
    claim, link = locked.state.awards[award], locked.state.link.id
    if op.policy.record_required:
        record = WriteRecord(
            payee=f"table {claim.table}, seat {claim.seat}",
            cards="as shown",
            identity=ShownDocuments(documents=0, photo=False, taxpayer_number=False),
        )
        payer, by = op.policy.payer, op.actor.id
        write_record(op.connection, locked, award, record, payer=payer, by=by, named=False)
        verify_payable(op.connection, link, award, form=form)
    people = {"by": claim.claimed_by, "witness": op.actor.id}
    fact = rules.pay(locked.state, award=award, form=form, at=locked.at(None), **people)
    return book_facts(op.connection, locked, [fact])


def _verify_uncontested(op: Operation, state: LinkState, award: str) -> None:
    """Raise while the reversal of an award, or of another of its hit, waits for a second person [LT-04]."""
    hit = {other.id for other in hit_with(state, state.awards[award])}
    for proposal in proposals.waiting(op.connection):
        if proposal.command == "reverse" and proposal.body["link"] == state.link.id and proposal.about in hit:
            what = Sentence(
                "%(person)s proposed its reversal at %(time)s, and nobody has answered yet",
                person=staff_member(op.connection, proposal.proposed_by).name,
                time=local_time(op.connection, proposal.proposed_at, "%-I:%M %p"),
            )
            remedy = "ask accounting to approve or decline the reversal; pay it once it is declined"
            raise refuse(f"{state.link.id}, award {award}", what, remedy, "LT-04")


def _claim(op: Operation, link: str, name: str) -> Award:
    """Return an award; raise unless the actor may submit badges for it."""
    authorize(op, Command(name="watch", about=name))
    claim = _award(op.connection, link, name)
    authorize_badge(op, f"{link}/{claim.table}")
    return claim


def _award(connection: Connection, link: str, name: str) -> Award:
    award = awards_named(connection, link, [name]).get(name)
    if award is None:
        verify_link(connection, link)
        raise unknown(f"{link}, award {name}")
    return award


def clear_hands(
    connection: Connection, round_: TableRound, awards: Collection[Award], *, by: str, at: Instant
) -> None:
    """Clear the hands of awards that no longer stand, with what the tray would pay for them."""
    cleared = [
        HandCleared(
            link=round_.link.id,
            at=at,
            table=award.table,
            round=award.round,
            seat=award.seat,
            hand=award.hand,
            by=by,
        )
        for award in awards
        if round_.hands.get(award.seat) == award.hand
    ]
    say(connection, cleared)


def award_ids(state: LinkState, round_: TableRound, seats: Collection[int]) -> dict[int, str]:
    """The ids of new awards: table, round and seat, plus a number after the seat's first claim."""
    ids = {}
    for seat in seats:
        first = f"{round_.table}:{round_.number}:{seat}"
        later = (f"{first}:{attempt}" for attempt in count(2))
        ids[seat] = next(name for name in chain([first], later) if name not in state.awards)
    return ids


def void(
    connection: Connection,
    round_: TableRound,
    *,
    awards: Collection[str],
    reason: str,
    by: str,
    at: Instant | None = None,
) -> Committed:
    """Book that claims of a round were cleared or refused [LT-02]."""
    return decide(
        connection,
        round_.link.id,
        lambda state, now: rules.void(state, awards=awards, reason=reason, at=now, by=by),
        about=_about(round_),
        at=at,
    )


def move_meter(connection: Connection, round_: TableRound, *, at: Instant | None = None) -> Committed:
    """Book that signs show the meters without what J-POT logged: the key is back at RUN."""
    return decide(
        connection,
        round_.link.id,
        lambda state, now: rules.move_meter(state, round_, at=now),
        about=_about(round_),
        at=at,
    )


def _about(round_: TableRound) -> CommandScope:
    return CommandScope(table=round_.table, round=round_.number)
