"""Button presses and sensor states as lines of text, for tests and the terminal."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from feltwork.problem import Problem, ProblemsError
from feltwork.site.progressive.round import labels_of
from feltwork.site.table.controller import Controller
from feltwork.site.table.presence import SensorState
from feltwork.site.table.table_controller import TableController

_HELP = """sign-on BADGE PIN  sign on the dealer
as BADGE PIN LINE  run one line as someone else, such as a supervisor's key or misdeal
wait               wait until the books accept the table
seats 1 2 3        seats with a base game wager
sensor 1 on|off    a jackpot sensor, or the dealer's entry
start              {start}
correct 3 on|off   correct a locked seat before the first hand
fold 3 on|off      mark a folded seat, where folded hands do not qualify
hand 3 four_aces   press a hand button; press it again to clear it
hand 3+5 HAND      the same for the seats of a winning side that divides a prize
key jackpot|run    Aquarius: turn the supervisor's key
end                {end}
misdeal REASON     void the round
status             show the state of the table
quit               leave; the round is kept
With two jackpots, name one: sensor sevens 1 on, hand sevens 3 three_7s"""


@dataclass
class Dealer:
    """The person at the buttons, signed on before the first press."""

    badge: str
    pin: str = field(repr=False)
    sign_on: str = ""

    async def by(self, controller: TableController) -> str:
        """Return the sign-on, signing on first if needed."""
        if not self.sign_on:
            if not self.badge:
                remedy = "Type: sign-on BADGE PIN."
                raise ProblemsError([Problem("table", "Nobody is signed on.", remedy, "GL-10")])
            self.sign_on = (await controller.sign_on(badge=self.badge, pin=self.pin)).sign_on
        return self.sign_on


async def press_line(controller: TableController, words: list[str], dealer: Dealer) -> None:
    """Press a button or set a sensor; raise ValueError or IndexError for an invalid line."""
    match words:
        case ["sign-on", badge, pin]:
            dealer.badge, dealer.pin, dealer.sign_on = badge, pin, ""
            await dealer.by(controller)
        case ["as", badge, pin, *line]:
            await press_line(controller, line, Dealer(badge, pin))
        case ["start"]:
            await controller.start(by=await dealer.by(controller))
        case ["end"]:
            await controller.end(by=await dealer.by(controller))
        case ["misdeal", *reason]:
            by = await dealer.by(controller)
            await controller.misdeal(reason=" ".join(reason) or "misdeal", by=by)
        case ["seats", *seats]:
            players = frozenset(map(int, seats))
            for row in controller.rows.values():
                await row.seat(replace(row.seating, players=players))
        case ["status" | "help" | "wait"] | []:
            pass
        case _:
            row, words = _row(controller, words)
            await _press_row(row, words, lambda: dealer.by(controller))


async def _press_row(row: Controller, words: list[str], by: Callable[[], Awaitable[str]]) -> None:
    """Press a button of one jackpot, signing on only for lines that need a person."""
    seating = row.seating
    match words:
        case ["correct", seat, ("on" | "off") as state]:
            await row.correct(seat=int(seat), wagered=state == "on", by=await by())
        case ["fold", seat, ("on" | "off") as state]:
            await row.fold(seat=int(seat), folded=state == "on", by=await by())
        case ["hand", seat_text, hand, *cards]:
            seats = tuple(map(int, seat_text.split("+")))
            winners = seats if len(seats) > 1 else ()
            await row.press(seat=seats[0], hand=hand, by=await by(), cards=" ".join(cards), winners=winners)
        case ["key", ("jackpot" | "run") as to]:
            await row.turn_key(to=to, by=await by())
        case ["sensor", seat, ("on" | "off" | "broken") as state]:
            sensor = {int(seat)}
            covered = seating.covered | sensor if state == "on" else seating.covered - sensor
            broken = seating.broken | sensor if state == "broken" else seating.broken - sensor
            await row.seat(SensorState(covered=covered, players=seating.players, broken=broken))
        case _:
            raise ValueError(words[0])


def _row(controller: TableController, words: list[str]) -> tuple[Controller, list[str]]:
    """Select the sensor row: `hand sevens 3 three_7s` at a table with several jackpots."""
    rows = controller.rows
    if len(words) > 1 and words[1] in rows:
        return rows[words[1]], [words[0], *words[2:]]
    if len(rows) > 1 and words and words[0] in ("correct", "fold", "hand", "key", "sensor"):
        raise ValueError(words[0])
    return next(iter(rows.values())), words


def help_text(controller: TableController) -> str:
    """Return the commands, with the labels of the table's buttons."""
    labels = labels_of(next(iter(controller.rows.values())).round.link)
    return _HELP.format(start=labels["start"], end=labels["end"])
