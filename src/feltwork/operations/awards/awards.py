"""Awards: claims for people to judge, confirmed with badges, paid, or voided."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal, TypeAlias

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.books.awards import awards as award_books
from feltwork.books.awards.lookup import open_awards
from feltwork.books.awards.payouts import Payee, verify_payable, write_record
from feltwork.books.connection import Connection
from feltwork.books.journal.link_state import read_link, read_meters
from feltwork.books.journal.transaction import Committed
from feltwork.books.rounds.table_rounds import Table
from feltwork.compliance import tax
from feltwork.compliance.floor import Floor
from feltwork.compliance.tax import Identity
from feltwork.compliance.two_person import Command
from feltwork.operations.authorize import authorize, authorize_badge, deeds_of
from feltwork.operations.awards.tax_flags import tax_flags
from feltwork.operations.context import Operation
from feltwork.operations.errors import unknown
from feltwork.operations.fields import COMMAND, Name, Secret, with_example
from feltwork.operations.floors.site import floor_in_force, verify_link
from feltwork.operations.links.links import BookedView, booked_view
from feltwork.progressive.badges import hit_of, needs_executive
from feltwork.progressive.link import Link
from feltwork.progressive.meter_locks import due_pays
from feltwork.progressive.sign_offs import Badge
from feltwork.progressive.state import Award, LinkState
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Pay:
    """The payment of an award to the patron."""

    link: str
    award: str
    form: Form


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
    """An award; the amount of a claim is what would be confirmed now."""

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

    def act() -> BookedView:
        commits = [table.confirm(claims=names, badges=badges, amount=command.amount)]
        if command.pay:
            commits += [_pay_at_table(people[0], command.link, claim, command.pay) for claim in claims]
        return booked_view(*commits)

    rest = {"amount": command.amount, "also": names[1:], "pay": command.pay}
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


def pay(op: Operation, command: Pay) -> BookedView:
    """Book the payment to the patron; its payout record must come first [WA-24]."""
    award = _award(op, command.link, command.award)
    authorize(
        op, Command(name="pay", about=command.award), deeds=deeds_of(op.connection, command.link, award)
    )

    def act() -> BookedView:
        if op.policy.record_required:
            verify_payable(op.connection, command.link, command.award, form=command.form)
        paid = award_books.pay(
            op.connection, command.link, award=command.award, form=command.form, by=op.actor.id
        )
        return booked_view(paid)

    return op.perform(asdict(command), BookedView, act)


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


def amount_due(state: LinkState, awards: Sequence[Award], award: Award) -> tuple[str, int]:
    """Return level and amount of an award; a claim not locked yet is computed from the current meter."""
    if award.locked or award.status != "claimed":
        return award.level, award.amount
    now = replace(state, awards={other.id: other for other in awards})
    due = due_pays(now, (award.table, award.round))[award.id]
    return due.level, due.amount


def award_view(state: LinkState, awards: Sequence[Award], award: Award) -> AwardView:
    """Return the view of an award with the total of its hit."""
    level, amount = amount_due(state, awards, award)
    whole = sum(amount_due(state, awards, other)[1] for other in _hit(state.link, awards, award))
    plain = {
        name: value
        for name, value in asdict(award).items()
        if name not in ("first_lock", "meter_inflow", "reserve_inflow")
    }
    return AwardView(
        **{**plain, "level": level},
        link=state.link.id,
        hand_name=hand_name(state.link.paytable, award.hand),
        amount=amount,
        hit_amount=whole,
        badges=_badges(state.link, level, whole),
    )


def _badges(link: Link, level: str, amount: int) -> list[str]:
    """The roles whose badges confirm a hit of this amount [LT-03]."""
    if not needs_executive(link, level=level, amount=amount):
        return ["supervisor"]
    return ["executive"] if link.executive_alone else ["supervisor", "executive"]


def _hit(link: Link, awards: Sequence[Award], award: Award) -> list[Award]:
    """Return the awards of its hit: claims for a claim, otherwise those confirmed or paid."""
    together = next((group for group in (("claimed",), ("confirmed", "paid")) if award.status in group), ())
    key = (award.table, award.round, hit_of(link, award))
    hit = [other for other in awards if (other.table, other.round, hit_of(link, other)) == key]
    return [other for other in hit if other.status in together] or [award]


def _waiting(state: LinkState, awards: Sequence[Award], award: Award, floor: Floor | None) -> WaitingAward:
    link = state.link
    view = award_view(state, awards, award)
    row = link.row(award.hand)
    executive = "executive" in view.badges
    flags = tax_flags(floor, amount=view.amount, wager=link.wager)
    place = floor.table_by_id.get(award.table) if floor else None
    return WaitingAward(
        **{field.name: getattr(view, field.name) for field in fields(view)},
        title=link.title.title,
        envy=row.envy_for(link.wager) if row else 0,
        controls=link.controls,
        hit_seats=tuple(sorted(other.seat for other in _hit(link, awards, award))),
        executive_above=link.executive_above,
        executive_levels=tuple(link.executive_levels),
        flags=flags,
        pay_now=not executive and not flags and link.lock_at != "run",
        jackpot=link.jackpot,
        decks=place.decks if place else 1,
    )


def _pay_at_table(op: Operation, link: str, claim: Award, form: Form) -> Committed:
    """Pay chips right after the confirmation; a win with open duties is refused [WA-24, TX-04, LT-02]."""
    if op.policy.record_required:
        nobody = Identity(documents=0, photo=False, taxpayer_number=False)
        payee = Payee(name=f"table {claim.table}, seat {claim.seat}", cards="as shown", identity=nobody)
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
