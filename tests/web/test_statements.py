"""How many SQL statements and locks a confirmation and a payment take."""

from typing import Any, ClassVar

import psycopg

from feltwork.site.books.awards import awards
from feltwork.site.books.connection import connect
from feltwork.site.books.context import Actor, Operation, Policy
from tests.web.house import PIN, House


class Counting(psycopg.Cursor[Any]):
    """A cursor that remembers what it runs."""

    ran: ClassVar[list[str]] = []

    def execute(self, query: Any, *args: Any, **options: Any) -> "Counting":
        self.ran.append(str(query))
        return super().execute(query, *args, **options)


def test_a_confirmation_and_a_payment_lock_the_link_once(house: House) -> None:
    link = house.open("counted")
    house.start(link, "T8")
    award = house.claim(link, "T8", cards="As Ah Ad Ac 2c")
    amount = house.get("dana", f"/api/v1/links/{link}/awards/{award}")["amount"]
    badges = tuple(awards.ShownBadge(badge=f"B-{person}", pin=PIN) for person in ("sam", "eve"))
    policy = Policy(key_required=False, record_required=False)
    with connect(house.dsn) as connection:
        connection.cursor_factory = Counting
        for person, role, most in (("dana", "dealer", 17), ("cara", "cage", 13)):
            Counting.ran.clear()
            actor = Actor(id=person, name=person, role=role, place="pit 1")
            op = Operation(connection=connection, actor=actor, policy=policy, key=role, name=role)
            if role == "dealer":
                awards.confirm(op, link, award, awards.Confirm(badges=badges, amount=amount, also=()))
            else:
                awards.pay(op, link, award, awards.Pay(form="check"))
            print(*[q.split("\\n")[0] for q in Counting.ran], sep="\n")
            assert len(Counting.ran) <= most
            assert sum("books.lock_link" in query for query in Counting.ran) == 1
