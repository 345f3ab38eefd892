"""How many SQL statements and locks of its link a confirmation and a payment take."""

from typing import Any, ClassVar

import psycopg

from feltwork.site.books.awards import awards
from feltwork.site.books.connection import connect
from feltwork.site.books.context import Actor, Operation, Policy
from tests.web.house import PIN, House


class Counting(psycopg.Cursor[Any]):
    ran: ClassVar[list[str]] = []

    def execute(self, query: Any, *args: Any, **options: Any) -> "Counting":
        self.ran.append(str(query))
        return super().execute(query, *args, **options)


def test_a_confirmation_and_a_payment_lock_their_link_once(house: House) -> None:
    link = house.open("counted")
    house.start(link, "T8")
    award = house.claim(link, "T8", cards="As Ah Ad Ac 2c")
    amount = house.get("dana", f"/api/v1/links/{link}/awards/{award}")["amount"]
    badges = tuple(awards.ShownBadge(badge=f"B-{person}", pin=PIN) for person in ("sam", "eve"))
    confirm, policy = awards.Confirm(badges=badges, amount=amount), Policy(record_required=False)
    with connect(house.dsn) as connection:
        dana, cara = (
            Operation(
                connection=connection, actor=Actor(id=who, name=who, role=role, place=""), policy=policy
            )
            for who, role in (("dana", "dealer"), ("cara", "cage"))
        )
        connection.cursor_factory = Counting
        awards.confirm(dana, link, award, confirm)
        assert (len(Counting.ran), sum("books.lock_link" in query for query in Counting.ran)) == (16, 1)
        Counting.ran.clear()
        awards.pay(cara, link, award, awards.Pay(form="check"))
        assert (len(Counting.ran), sum("books.lock_link" in query for query in Counting.ran)) == (9, 1)
