"""Tables that play through the books: their present round is kept, and each button is one transaction."""

from collections.abc import Collection, Iterable
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from feltwork.books import awards
from feltwork.books.command import Done
from feltwork.books.connection import Connection
from feltwork.books.rounds import Booked, book_ends, book_misdeal, book_rounds
from feltwork.books.standing import Taken, award_from, look_at_meters, take
from feltwork.books.statements import statement
from feltwork.books.versions import link_from
from feltwork.money import Micros
from feltwork.progressive import round as rules
from feltwork.progressive.award import hit_of
from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.link import Link
from feltwork.progressive.people import Badge
from feltwork.progressive.plain import as_plain, from_plain
from feltwork.progressive.refusal import refuse
from feltwork.progressive.round import TableRound
from feltwork.progressive.round_facts import HandCleared, HandPressed, RoundEnded, RoundStarted


class Table:
    """A table of a link, and its buttons."""

    def __init__(self, connection: Connection, link: str, name: str) -> None:
        self._connection = connection
        self._link = link
        self._name = name

    def round(self) -> TableRound:
        """The present round, or the last one."""
        with self._connection.transaction():
            return self._take()[1]

    def seen(self) -> TableRound:
        """The same for those who only look: nobody waits for it."""
        taken = look_at_meters(self._connection, self._link)
        row = self._connection.execute(statement("table_round_seen"), (self._name,)).fetchone()
        return self._present(taken, row)

    def start(
        self, *, covered: Iterable[int], players: Iterable[int], at: Instant | None = None
    ) -> tuple[RoundStarted, Booked]:
        """START GAME: lock the seats and book the round [LT-01]."""
        with self._connection.transaction():
            taken, idle = self._take()
            takes_wagers = taken.state.takes_wagers
            playing, started = rules.start(
                idle, covered=covered, players=players, takes_wagers=takes_wagers, at=taken.at(at)
            )
            booked = book_rounds(self._connection, self._link, [started], at=at)
            if not booked.rounds:
                where, remedy = f"table {self._name}, round {started.round}", "ask the pit"
                what = booked.refused[0].problem.what if booked.refused else "its number is booked already"
                raise refuse(where, what, remedy, "GEN-03")
            self._save(playing)
        return started, booked

    def press(
        self, *, seat: int, hand: str, by: str, cards: str = "", at: Instant | None = None
    ) -> tuple[Done, ...]:
        """A hand button: claims are made, changed or cleared with it [LT-02]."""
        done: list[Done] = []
        with self._connection.transaction():
            taken, before = self._take()
            after, said = rules.press(before, seat=seat, hand=hand, at=taken.at(at), by=by)
            changed = {one.seat for one in said if isinstance(one, HandPressed | HandCleared)}
            cleared = [claim for one in sorted(changed) for claim in self._open_claims(after, one)]
            if cleared:
                done.append(
                    awards.void(self._connection, after, awards=cleared, reason="cleared", by=by, at=at)
                )
            claimed = [one for one in after.claims if one in changed]
            if claimed:
                done.append(awards.claim(self._connection, after, seats=claimed, by=by, cards=cards, at=at))
            self._save(after, said)
        return tuple(done)

    def void(self, *, award: str, reason: str, by: str, at: Instant | None = None) -> Done:
        """A supervisor refuses a claim, with all that share its prize; their hands are taken out."""
        with self._connection.transaction():
            _, before = self._take()
            claims = self._hit(before, award)
            after = rules.take_out(before, seats=self._seats_of(before, claims))
            done = awards.void(self._connection, after, awards=claims, reason=reason, by=by, at=at)
            self._save(after)
        return done

    def confirm(
        self,
        *,
        claims: Collection[str],
        badges: Collection[Badge],
        amount: Micros,
        at: Instant | None = None,
    ) -> Done:
        """CONFIRM, or J-POT, with the badges shown [LT-03]."""
        with self._connection.transaction():
            _, before = self._take()
            after = rules.confirm(before, seats=self._seats_of(before, claims))
            done = awards.confirm(
                self._connection, before, awards=claims, badges=badges, amount=amount, at=at
            )
            self._save(after)
        return done

    def sharing(self, award: str) -> list[str]:
        """The claims confirmed with this one: all of its round that share a prize or are logged [LT-08]."""
        with self._connection.transaction():
            _, round_ = self._take()
            return self._hit(round_, award)

    def _hit(self, round_: TableRound, award: str) -> list[str]:
        """The claims confirmed or voided with this one: all of its hit."""
        place = (round_.link.id, round_.table, round_.number)
        with self._connection.cursor(row_factory=dict_row) as cursor:
            rows = cursor.execute(statement("claims_of_round"), place).fetchall()
        claims = {row["id"]: hit_of(round_.link, award_from(row)) for row in rows}
        return [one for one in claims if claims[one] == claims.get(award)] or [award]

    def key_to_jackpot(self) -> None:
        """Aquarius: the key goes to JPH."""
        with self._connection.transaction():
            self._save(rules.key_to_jackpot(self._take()[1]))

    def key_to_run(self, *, at: Instant | None = None) -> Done:
        """Aquarius: the key is back at RUN, and the meter moves."""
        with self._connection.transaction():
            after = rules.key_to_run(self._take()[1])
            done = awards.move_meter(self._connection, after, at=at)
            self._save(after)
        return done

    def end(self, *, at: Instant | None = None) -> RoundEnded:
        """END GAME: what the tray paid is booked [LT-09]."""
        with self._connection.transaction():
            taken, before = self._take()
            after, ended = rules.end(before, at=taken.at(at))
            book_ends(self._connection, self._link, [ended], at=at)
            self._save(after)
        return ended

    def misdeal(self, *, reason: str, by: str, at: Instant | None = None) -> Done:
        """MISDEAL: the round is void and its wagers go back."""
        with self._connection.transaction():
            taken, before = self._take()
            after, said = rules.misdeal(before, reason=reason, at=taken.at(at), by=by)
            done = book_misdeal(self._connection, self._link, self._name, before.number, by=by, at=at)
            self._save(after, [said])
        return done

    def _take(self) -> tuple[Taken, TableRound]:
        """The lock of the link, then the row of the table: always in this order."""
        taken = take(self._connection, self._link)
        row = self._connection.execute(statement("table_round"), (self._name,)).fetchone()
        return taken, self._present(taken, row)

    def _present(self, taken: Taken, row: tuple[Any, ...] | None) -> TableRound:
        if row is None:
            return TableRound(table=self._name, link=taken.state.link)
        link, state = row
        if link != self._link and state["phase"] != "idle":
            what, remedy = f"it plays a round of {link}", "end that round first"
            raise refuse(f"table {self._name}", what, remedy, "GEN-06")
        return round_from(self._connection, taken.state.link, self._name, state)

    def _save(self, round_: TableRound, said: Iterable[Fact] = ()) -> None:
        row = (round_.table, self._link, round_.number, Jsonb(plain_round(round_)))
        self._connection.execute(statement("save_table_round"), row)
        for fact in said:
            about = (self._link, round_.table, round_.number, fact.at, type(fact).__name__)
            self._connection.execute(statement("say_at_table"), (*about, Jsonb(as_plain(fact))))

    def _open_claims(self, round_: TableRound, seat: int) -> list[str]:
        about = (self._link, round_.table, round_.number, seat)
        return [award for (award,) in self._connection.execute(statement("open_claims_of_seat"), about)]

    def _seats_of(self, round_: TableRound, claims: Collection[str]) -> list[int]:
        about = (self._link, round_.table, round_.number, list(claims))
        seats = [seat for (seat,) in self._connection.execute(statement("seats_of_awards"), about)]
        if len(seats) != len(claims) or not seats:
            where = f"table {self._name}, round {round_.number}"
            what = f"{', '.join(claims) or 'nothing'} is not a claim that waits there"
            raise refuse(where, what, "look at the claims waiting", "LT-03")
        return seats


def rounds_of(connection: Connection, link: Link) -> list[TableRound]:
    """The rounds of all tables of a link, locked."""
    rows = connection.execute(statement("tables_of"), (link.id,)).fetchall()
    return [round_from(connection, link, table, state) for table, state in rows]


def plain_round(round_: TableRound) -> dict[str, object]:
    """A round as it is kept."""
    return {
        "number": round_.number,
        "phase": round_.phase,
        "version": round_.link.fingerprint,
        "started": as_plain(round_.started) if round_.started else None,
        "players": list(round_.players),
        "hands": {str(seat): hand for seat, hand in round_.hands.items()},
        "confirmed": sorted(round_.confirmed),
    }


def round_from(connection: Connection, link: Link, table: str, state: dict[str, Any]) -> TableRound:
    """A round keeps the version that it started with; an idle table takes the one in force [LT-10]."""
    if state["phase"] != "idle" and state["version"] != link.fingerprint:
        row = connection.execute(statement("version"), (link.id, state["version"])).fetchone()
        assert row is not None
        link = link_from(row[0], state["version"])
    started = from_plain(state["started"]) if state["started"] else None
    assert started is None or isinstance(started, RoundStarted)
    return TableRound(
        table=table,
        link=link,
        number=state["number"],
        phase=state["phase"],
        started=started,
        players=tuple(state["players"]),
        hands={int(seat): hand for seat, hand in state["hands"].items()},
        confirmed=frozenset(state["confirmed"]),
    )
