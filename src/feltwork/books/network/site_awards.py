"""Awards of a network link at a site: each step waits for the hub's answer."""

from collections.abc import Collection

from feltwork import money
from feltwork.books.connection import Connection
from feltwork.books.journal.transaction import Committed
from feltwork.books.network.site_store import decide_at_site
from feltwork.ledger.chain import Tail
from feltwork.money import Micros
from feltwork.problem import Sentence
from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.network import site_commands
from feltwork.progressive.network.site_books import SiteBooks
from feltwork.progressive.refusal import refuse
from feltwork.progressive.round import TableRound
from feltwork.progressive.sign_offs import Badge, TwoPersonRequest


def claim(
    connection: Connection,
    round_: TableRound,
    *,
    seats: Collection[int],
    by: str,
    cards: str,
    at: Instant | None,
) -> Committed:
    """Book the claims of some seats, and the hub entry that the signs showed; the hub locks their amounts."""

    def decide(books: SiteBooks, now: Instant) -> list[Fact]:
        hub = books.state.hub
        hub_tail = Tail(hub.entry, hub.hash) if hub is not None else Tail()
        facts: list[Fact] = []
        for seat in seats:
            facts += site_commands.claim(
                books, round_, seat=seat, hub_tail=hub_tail, at=now, by=by, cards=cards
            )
        return facts

    return decide_at_site(connection, round_.link.id, decide, at=at, place=(round_.table, round_.number))


def clear(
    connection: Connection, link: str, *, awards: Collection[str], reason: str, by: str, at: Instant | None
) -> Committed:
    """Book that claims were cleared; the hub then locks nothing for them."""
    return decide_at_site(
        connection,
        link,
        lambda books, now: [
            site_commands.clear(books, award=award, reason=reason, at=now, by=by) for award in awards
        ],
        at=at,
    )


def sign_off(
    connection: Connection,
    link: str,
    *,
    awards: Collection[str],
    badges: Collection[Badge],
    amount: Micros,
    at: Instant | None,
) -> Committed:
    """Book that people at the site confirmed grants, owed once the hub confirms them too [LT-03]."""

    def decide(books: SiteBooks, now: Instant) -> list[Fact]:
        due = {name: books.open[name].amount for name in awards if name in books.open}
        if amount != sum(due.values()):
            where, remedy = f"{link}, award {', '.join(awards)}", "check the new amount and confirm that"
            what = Sentence("the amount is now %(due)s", due=money.dollars(sum(due.values())))
            raise refuse(where, what, remedy, "GEN-10")
        return [
            site_commands.sign_off(books, award=name, badges=badges, amount=due.get(name, 0), at=now)
            for name in awards
        ]

    return decide_at_site(connection, link, decide, at=at)


def reverse(  # noqa: PLR0913 - the second person approves exactly these
    connection: Connection,
    link: str,
    request: TwoPersonRequest,
    *,
    place: tuple[str, int],
    award: str,
    adjustment: str,
    evidence: str,
    at: Instant | None,
) -> Committed:
    """Book that two people reversed an award of the round ``place``; the hub then puts it back [LT-04]."""
    return decide_at_site(
        connection,
        link,
        lambda books, now: site_commands.reverse(
            books, request, award=award, adjustment=adjustment, evidence=evidence, at=now
        ),
        at=at,
        place=place,
        adjustment=adjustment,
    )
