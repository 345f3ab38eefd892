"""Books a batch of letters of one link: rounds first, then what was said about them, each in its order."""

import time
from collections.abc import Callable, Iterable, Sequence

import msgspec
from psycopg import InterfaceError, OperationalError

from feltwork.bookkeeper.letters import Letter, Outcome
from feltwork.books import followed
from feltwork.books.arrays import known
from feltwork.books.connection import Connection
from feltwork.books.followed import Hands, Heard
from feltwork.books.rounds import book_rounds
from feltwork.books.standing import Taken
from feltwork.problem import Problem, ProblemsError
from feltwork.progressive.round_facts import RoundStarted as RoundFact
from feltwork.wire.messages import (
    Claim,
    ClaimCleared,
    HandCleared,
    HandPressed,
    KeyTurned,
    OfRound,
    RoundEnded,
    Rounds,
    RoundStarted,
    RoundVoided,
)
from feltwork.wire.told import Refused

#: After so many deliveries, about twenty seconds, a message is booked without one that should be before it.
PATIENCE = 8
#: What only waits until the books answer again; anything else is the letter's own fault.
AWAY = (OperationalError, InterfaceError)


def book(connection: Connection, link: str, letters: Sequence[Letter], after: Taken | None = None) -> Outcome:
    """Book letters of a link, which stood as it did `after` the last ones.

    Raises one of `AWAY` where the books do not answer, and nothing is settled.
    """
    outcome = Outcome(after=after)
    starts: list[Letter] = []
    ends: list[Letter] = []
    others: list[Letter] = []
    for letter in letters:
        said = letter.said
        if isinstance(said, RoundStarted | Rounds):
            starts.append(letter)
        elif isinstance(said, RoundEnded):
            ends.append(letter)
        elif isinstance(said, OfRound):
            others.append(letter)
        else:
            outcome.parked.append((letter, letter.problem or _out_of_place(letter)))
    if starts:
        _halving(starts, outcome, lambda some: _book_starts(connection, link, some, outcome))
    if others:
        _book_others(connection, others, outcome)
    if ends:
        ready = _ready_to_end(connection, ends, outcome)
        _halving(ready, outcome, lambda some: _book_ends(connection, link, some, outcome))
    return outcome


def _halving(
    letters: Sequence[Letter], outcome: Outcome, book_some: Callable[[Sequence[Letter]], None]
) -> None:
    """Book letters in one transaction; where one of them cannot be booked at all, halves show which."""
    if not letters:
        return
    try:
        book_some(letters)
    except AWAY:
        raise
    except Exception as error:  # whatever a message does, it must not stop the others
        if len(letters) == 1:
            outcome.parked.append((letters[0], _problem(letters[0], error)))
            return
        middle = len(letters) // 2
        _halving(letters[:middle], outcome, book_some)
        _halving(letters[middle:], outcome, book_some)
        return
    outcome.done.extend(letters)


def _book_starts(connection: Connection, link: str, letters: Sequence[Letter], outcome: Outcome) -> None:
    rounds = list(_facts(letters))
    booked = book_rounds(connection, link, rounds, after=outcome.after)
    outcome.after = booked.after
    outcome.rounds += booked.rounds
    outcome.duplicates += len(booked.duplicates)
    outcome.refused += len(booked.refused)
    outcome.wagers += sum([len(one.seats) for one in rounds])
    if booked.duplicates or booked.refused:
        out = {*booked.duplicates, *((one.started.table, one.started.round) for one in booked.refused)}
        outcome.wagers -= sum(len(one.seats) for one in rounds if (one.table, one.round) in out)
    outcome.told.extend(
        _refused(one.started.link, one.started.table, one.started.round, 0, one.problem)
        for one in booked.refused
    )


def _facts(letters: Iterable[Letter]) -> Iterable[RoundFact]:
    for letter in letters:
        said = letter.said
        if isinstance(said, RoundStarted):
            yield said.fact()
        elif isinstance(said, Rounds):
            yield from said.facts()


def _book_others(connection: Connection, letters: Sequence[Letter], outcome: Outcome) -> None:
    """Hands, claims, keys and misdeals of a batch: one commit, a savepoint each."""
    said = sorted(((_of_round(letter), letter) for letter in letters), key=lambda pair: _place(pair[0]))
    keys = [(one.table, one.round) for one, _ in said]
    settled: Outcome = Outcome()
    with connection.transaction():
        booked = known(connection, keys, "numbers_booked")
        parked = known(connection, keys, "rounds_parked")
        for one, letter in said:
            key = (one.table, one.round)
            if key not in booked:
                _without_round(one, letter, settled, refused=key in parked)
                continue
            heard = followed.steps_heard(connection, *key)
            if not heard.issuperset(range(1, one.step)) and letter.deliveries < PATIENCE:
                settled.waiting.append(letter)
                continue
            _book_one(connection, one, letter, settled)
    outcome.done += settled.done
    outcome.waiting += settled.waiting
    outcome.parked += settled.parked
    outcome.told += settled.told


def _book_one(connection: Connection, said: OfRound, letter: Letter, outcome: Outcome) -> None:
    heard = _heard(said)
    try:
        match said:
            case Claim(seat=seat, award=award, by=by, cards=cards):
                hands = Hands(players=said.players, hands=said.hands)
                followed.claim(connection, heard, hands, seat=seat, award=award, by=by, cards=cards)
            case ClaimCleared(award=award, reason=reason, by=by):
                hands = Hands(players=said.players, hands=said.hands)
                followed.clear_claim(connection, heard, hands, award=award, reason=reason, by=by)
            case KeyTurned(to=to):
                followed.turn_key(connection, heard, to_run=to == "run")
            case RoundVoided(by=by):
                followed.misdeal(connection, heard, by=by)
            case HandPressed() | HandCleared():
                followed.write_down(connection, heard)
            case _:
                outcome.parked.append((letter, _out_of_place(letter)))
                return
    except AWAY:
        raise
    except ProblemsError as error:
        problem = error.problems[0]
        followed.write_down(connection, heard, refused=problem.what)
        outcome.told.append(_refused(said.link, said.table, said.round, said.step, problem))
    except Exception as error:  # whatever a message does, it must not stop the others
        outcome.parked.append((letter, _problem(letter, error)))
        return
    outcome.done.append(letter)


def _ready_to_end(connection: Connection, letters: Sequence[Letter], outcome: Outcome) -> list[Letter]:
    """Ends whose round, and all that was said about it, is booked; the others wait."""
    keys = [(one.table, one.round) for one in map(_of_round, letters)]
    booked = known(connection, keys, "numbers_booked")
    rest = [key for key in keys if key not in booked]
    parked = known(connection, rest, "rounds_parked") if rest else set()
    more = [(one.table, one.round) for one in map(_of_round, letters) if one.step > 1]
    steps = followed.steps_of(connection, more) if more else {}
    ready: list[Letter] = []
    for letter in letters:
        said = _of_round(letter)
        key = (said.table, said.round)
        if key not in booked:
            _without_round(said, letter, outcome, refused=key in parked)
        elif steps.get(key, 0) < said.step - 1 and letter.deliveries < PATIENCE:
            outcome.waiting.append(letter)
        else:
            ready.append(letter)
    return ready


def _book_ends(connection: Connection, link: str, letters: Sequence[Letter], outcome: Outcome) -> None:
    facts = [one.said.fact() for one in letters if isinstance(one.said, RoundEnded)]
    outcome.after = followed.ends(connection, link, facts)


def _without_round(said: OfRound, letter: Letter, outcome: Outcome, *, refused: bool) -> None:
    """A round that was refused is settled by hand, and so is what was said about it; any other may come."""
    if not refused:
        outcome.waiting.append(letter)
        return
    where = f"{said.link}, table {said.table}, round {said.round}"
    problem = Problem(where, "its round was refused", "settle the round by hand", "GEN-11")
    outcome.parked.append((letter, problem))
    outcome.told.append(_refused(said.link, said.table, said.round, said.step, problem))


def _heard(said: OfRound) -> Heard:
    return Heard(
        link=said.link,
        table=said.table,
        round=said.round,
        step=said.step,
        at=said.at,
        kind=type(said).__name__,
        said=msgspec.to_builtins(said, str_keys=True),
    )


def _of_round(letter: Letter) -> OfRound:
    assert isinstance(letter.said, OfRound)
    return letter.said


def _place(said: OfRound) -> tuple[str, int, int]:
    return said.table, said.round, said.step


def _refused(link: str, table: str, number: int, step: int, problem: Problem) -> Refused:
    return Refused(
        link=link,
        at=time.time_ns() // 1_000,
        table=table,
        round=number,
        step=step,
        what=problem.what[:500],
        remedy=problem.remedy[:500],
        requirement=problem.requirement,
    )


def _problem(letter: Letter, error: Exception) -> Problem:
    if isinstance(error, ProblemsError):
        return error.problems[0]
    what = str(error).splitlines()[0] if str(error) else repr(error)
    return Problem(
        letter.message.subject, what, "look at the message in PARKED, and book it by hand", "GL-12"
    )


def _out_of_place(letter: Letter) -> Problem:
    kind = type(letter.said).__name__
    return Problem(letter.message.subject, f"a {kind} is not booked", "keep it out of FELT", "GL-12")
