"""Awards: claims for people to judge, confirmed with badges, paid, or voided."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.problem import Sentence
from feltwork.site.books.authorize import authorize, authorize_badge, deeds_of
from feltwork.site.books.awards import awards_rows as award_books
from feltwork.site.books.awards.lookup import open_awards, payment_of
from feltwork.site.books.awards.payouts_rows import Payee, verify_payable, write_record
from feltwork.site.books.awards.tax_flags import tax_flags
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import COMMAND, Name, Secret, with_example
from feltwork.site.books.floors.site import already_done, floor_in_force, local_time, verify_link
from feltwork.site.books.journal.link_state import read_link, read_meters
from feltwork.site.books.journal.transaction import Committed
from feltwork.site.books.links.links import BookedView, booked_view
from feltwork.site.books.people import proposals_rows as proposals
from feltwork.site.books.people.staff import staff_member
from feltwork.site.books.tables.table_rounds import Table
from feltwork.site.compliance import tax
from feltwork.site.compliance.floor import Floor
from feltwork.site.compliance.tax import Identity
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.award import earlier_claim
from feltwork.site.progressive.badges import hit_of, hit_with, needs_executive
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import Badge
from feltwork.site.progressive.state import SETTLED, Award, LinkState
from feltwork.titles.hand_names import hand_name

Form: TypeAlias = Literal["chips", "cash", "check"]


@validated(config=COMMAND, frozen=True, kw_only=True)
class ShownBadge:
    """A badge with its PIN: a badge alone is only a name."""

    badge: Name = Field(examples=["B-17"])
    pin: Secret = Field(repr=False, examples=["2580"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """CONFIRM: the badges shown, and the amount that they confirm."""

    link: str
    award: str
    badges: tuple[ShownBadge, ...]
    #: Sum of all awards that are confirmed together.
    amount: int
    #: Claims confirmed with it; None for those of its hit [LT-08].
    also: tuple[str, ...] | None = None
    #: Form in which the dealer pays at the table right away; None to pay later.
    pay: Form | None = None
    #: The winning cards of awards that have none yet, entered with the confirmation: award -> cards.
    cards: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pay:
    """The payment of an award to the patron."""

    link: str
    award: str
    form: Form


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class PaidView(BookedView):
    """A payment; ``already`` tells who paid the award in the same form a moment ago."""

    already: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterCards:
    """The winning cards of an award."""

    link: str
    award: str
    cards: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidClaim:
    """The refusal of a claim before it is confirmed."""

    link: str
    award: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckBadge:
    """A badge shown before the others of a confirmation."""

    link: str
    award: str
    badge: ShownBadge


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
    awards = list(state.awards.values())
    return AwardsView(awards=[award_view(state, awards, award) for award in awards])


def award(op: Operation, link: str, name: str) -> AwardView:
    """Show one award."""
    authorize(op, Command(name="watch", about=f"award {name}"))
    verify_link(op.connection, link)
    state = read_link(op.connection, link).state
    award = state.awards.get(name)
    if award is None:
        raise unknown(f"{link}, award {name}")
    return award_view(state, list(state.awards.values()), award)


def confirm(op: Operation, command: Confirm) -> BookedView:
    """Confirm a claim by badge and PIN, with the claims that share its prize or J-POT log [LT-03, LT-08]."""
    claim = _claim(op, command.link, command.award)
    table = Table(op.connection, command.link, claim.table)
    beside = table.sharing(command.award) if command.also is None else command.also
    names = list(dict.fromkeys([command.award, *beside]))
    claims = [_award(op, command.link, name) for name in names]
    people = prove_badges(op, command.link, claims, command.badges)
    badges = [badge_of(person) for person in people]
    if command.pay:
        authorize(people[0], Command(name="pay", about=command.award))

    if command.cards:
        authorize(people[0], Command(name="enter_cards", about=command.award))

    def act() -> BookedView:
        for claim in claims:
            if claim.status == "claimed" and claim.id in command.cards:
                cards = command.cards[claim.id]
                award_books.enter_cards(
                    op.connection, command.link, award=claim.id, cards=cards, by=people[0].actor.id
                )
        commits = [table.confirm(claims=names, badges=badges, amount=command.amount)]
        if command.pay:
            commits += [_pay_at_table(people[0], command.link, claim, command.pay) for claim in claims]
        return booked_view(*commits)

    rest = {"amount": command.amount, "also": names[1:], "pay": command.pay, "cards": command.cards}
    return op.perform({"badges": [[badge.person, badge.role] for badge in badges], **rest}, BookedView, act)


def check_badge(op: Operation, command: CheckBadge) -> BadgeView:
    """Check one badge of a confirmation immediately, so a wrong PIN is shown before the next badge."""
    claim = _claim(op, command.link, command.award)
    (shows,) = prove_badges(op, command.link, [claim], [command.badge])
    return BadgeView(person=shows.actor.id, name=shows.actor.name, role=shows.actor.role)


def enter_cards(op: Operation, command: EnterCards) -> BookedView:
    """Enter the winning cards after the claim; the evaluator that settles checks them [LT-02]."""
    authorize(op, Command(name="enter_cards", about=command.award))
    _award(op, command.link, command.award)

    def act() -> BookedView:
        return booked_view(
            award_books.enter_cards(
                op.connection, command.link, award=command.award, cards=command.cards, by=op.actor.id
            )
        )

    return op.perform(asdict(command), BookedView, act)


def pay(op: Operation, command: Pay) -> PaidView:
    """Book the payment to the patron; its payout record must come first [WA-24]."""
    award = _award(op, command.link, command.award)
    authorize(
        op, Command(name="pay", about=command.award), deeds=deeds_of(op.connection, command.link, award)
    )

    def act() -> PaidView:
        award_books.lock_round_of(op.connection, command.link, command.award)
        paid = payment_of(op.connection, command.link, command.award)
        if paid and paid.get("form") == command.form:
            at = datetime.fromtimestamp(paid["at"] / 1_000_000, UTC)
            if already := already_done(op.connection, paid["by"], at):
                return PaidView(facts=[], meters=None, entry=None, already=already)
        if op.policy.record_required:
            verify_payable(op.connection, command.link, command.award, form=command.form)
        booked = award_books.pay(
            op.connection, command.link, award=command.award, form=command.form, by=op.actor.id
        )
        # The link is locked by now, so nobody proposes a reversal between this and the payment.
        _verify_uncontested(op, command)
        view = booked_view(booked)
        return PaidView(facts=view.facts, meters=view.meters, entry=view.entry)

    return op.perform(asdict(command), PaidView, act)


def _verify_uncontested(op: Operation, command: Pay) -> None:
    """Raise while the reversal of an award, or of another of its hit, waits for a second person [LT-04]."""
    state = award_books.lock_round_of(op.connection, command.link, command.award)
    hit = {other.id for other in hit_with(state, state.awards[command.award])}
    for proposal in proposals.waiting(op.connection):
        if proposal.command == "reverse" and proposal.body["link"] == command.link and proposal.about in hit:
            what = Sentence(
                "%(person)s proposed its reversal at %(time)s, and nobody has answered yet",
                person=staff_member(op.connection, proposal.proposed_by).name,
                time=local_time(op.connection, proposal.proposed_at, "%-I:%M %p"),
            )
            remedy = "ask accounting to approve or decline the reversal; pay it once it is declined"
            raise refuse(f"{command.link}, award {command.award}", what, remedy, "LT-04")


def void_claim(op: Operation, command: VoidClaim) -> BookedView:
    """Void a claim that is not confirmed; after that it takes a reversal by two people [LT-04]."""
    authorize(op, Command(name="void_claim", about=command.award))
    table = Table(op.connection, command.link, _award(op, command.link, command.award).table)

    def act() -> BookedView:
        return booked_view(table.void(award=command.award, reason=command.reason, by=op.actor.id))

    return op.perform(asdict(command), BookedView, act, why=command.reason)


def beside_claim(op: Operation, link: str, name: str, badge: ShownBadge) -> Operation:
    """Return the operation of a person who presents badge and PIN for a claim."""
    _claim(op, link, name)
    return op.beside(badge.badge, badge.pin)


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


def badge_of(shows: Operation) -> Badge:
    """The badge for the award rules."""
    return Badge(shows.actor.id, "executive" if shows.actor.role == "executive" else "supervisor")


def waiting(connection: Connection, *, link: str = "", table: str = "") -> list[WaitingAward]:
    """List awards that wait for a badge or for payment, oldest first."""
    floor = floor_in_force(connection)
    waiting_awards: list[WaitingAward] = []
    for name, awards in open_awards(connection).items():
        if link and name != link:
            continue
        state = read_meters(connection, name).state
        waiting_awards += [
            _waiting(state, awards, award, floor)
            for award in awards
            if award.status in ("claimed", "confirmed") and table in ("", award.table)
        ]
    return sorted(waiting_awards, key=lambda award: award.claimed_at)


def award_view(state: LinkState, awards: Sequence[Award], award: Award) -> AwardView:
    """Return the view of an award with the total of its hit."""
    whole = sum(other.amount for other in _hit(state.link, awards, award))
    plain = {
        name: value
        for name, value in asdict(award).items()
        if name not in ("first_lock", "meter_inflow", "reserve_inflow", "changed_by")
    }
    return AwardView(
        **plain,
        link=state.link.id,
        hand_name=hand_name(state.link.paytable, award.hand),
        amount=award.amount,
        hit_amount=whole,
        badges=_badges(state.link, award.level, whole),
        set_aside=award.id in state.aside,
    )


def _badges(link: Link, level: str, amount: int) -> list[str]:
    """The roles whose badges confirm a hit of this amount [LT-03]."""
    if not needs_executive(link, level=level, amount=amount):
        return ["supervisor"]
    return ["executive"] if link.executive_alone else ["supervisor", "executive"]


def _hit(link: Link, awards: Sequence[Award], award: Award) -> list[Award]:
    """Return the awards of its hit: claims for a claim, otherwise those settled."""
    together = next((group for group in (("claimed",), SETTLED) if award.status in group), ())
    key = (award.table, award.round, hit_of(link, award))
    hit = [other for other in awards if (other.table, other.round, hit_of(link, other)) == key]
    return [other for other in hit if other.status in together] or [award]


def _waiting(state: LinkState, awards: Sequence[Award], award: Award, floor: Floor | None) -> WaitingAward:
    link = state.link
    view = award_view(state, awards, award)
    row = link.row(award.hand)
    executive = "executive" in view.badges
    hit_seats = tuple(sorted(other.seat for other in _hit(link, awards, award)))
    flags = tax_flags(floor, amount=view.amount, wager=link.wager)
    place = floor.table_by_id.get(award.table) if floor else None
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
        first=_first(state, awards, award),
    )


def _first(state: LinkState, awards: Sequence[Award], award: Award) -> AwardView | None:
    """Return the claim that is confirmed before this one, if any."""
    hit = [other.id for other in _hit(state.link, awards, award)]
    open_state = replace(state, awards={other.id: other for other in awards})
    found = earlier_claim(open_state, hit) if award.status == "claimed" else None
    return award_view(state, awards, found[1]) if found else None


def _pay_at_table(op: Operation, link: str, claim: Award, form: Form) -> Committed:
    """Pay chips right after the confirmation; a win with open duties is refused [WA-24, TX-04, LT-02]."""
    if op.policy.record_required:
        nobody = Identity(documents=0, photo=False, taxpayer_number=False)
        name = f"table {claim.table}, seat {claim.seat}"
        payee = Payee(name=name, cards="as shown", identity=nobody, named=False)
        write_record(op.connection, link, claim.id, payee, payer=op.policy.payer, by=op.actor.id)
        verify_payable(op.connection, link, claim.id, form=form)
    dealer, witness = claim.claimed_by, op.actor.id
    return award_books.pay(op.connection, link, award=claim.id, form=form, by=dealer, witness=witness)


def _claim(op: Operation, link: str, name: str) -> Award:
    """Return an award; raise unless the actor may submit badges for it."""
    authorize(op, Command(name="watch", about=name))
    claim = _award(op, link, name)
    authorize_badge(op, f"{link}/{claim.table}")
    return claim


def _award(op: Operation, link: str, name: str) -> Award:
    verify_link(op.connection, link)
    award = read_link(op.connection, link).state.awards.get(name)
    if award is None:
        raise unknown(f"{link}, award {name}")
    return award
