"""The command of a table: its controller, with buttons and sensors as lines on standard input."""

import asyncio
import ssl
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltwork.cli.secret_prompt import typed
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from feltwork.table.controller import Controller
    from feltwork.table.table_controller import TableController

_LOOK_SECONDS = 0.1
HELP = """sign-on BADGE PIN  who deals from now on
as BADGE PIN LINE  somebody else does this: a supervisor's key or misdeal
wait               until the books have let the table in
seats 1 2 3        regular wagers are on these seats
sensor 1 on|off    a jackpot sensor, or the dealer's entry
start              START GAME, or COIN IN
correct 3 on|off   a locked seat, before the first hand
hand 3 four_aces   a hand button; the same again clears it
key jackpot|run    Aquarius: the supervisor's key
end                END GAME, or GAME OVER
misdeal REASON     the round is void
status             how the table is
quit               leave; the round is kept
With two jackpots, name one: sensor sevens 1 on, hand sevens 3 three_7s"""


def run_table(
    table: Annotated[str, typer.Argument(help="The id of the table in the floor file.")],
    floor: Annotated[Path, typer.Option(help="The floor file.")],
    nats: Annotated[
        str, typer.Option(envvar="FELTWORK_NATS", help="The nearest NATS server: a URL.")
    ] = "nats://127.0.0.1:4222",
    keys: Annotated[
        Path | None, typer.Option(help="The folder with the table's key and certificates.")
    ] = None,
    site_domain: Annotated[
        str, typer.Option(help="The JetStream domain of the site, where the nearest server is a leaf.")
    ] = "",
    badge: Annotated[str, typer.Option(help="The dealer's badge; `sign-on` does the same later.")] = "",
    pin: Annotated[str, typer.Option(help="The dealer's PIN; asked for where it is not given.")] = "",
) -> None:
    """Play a table: each line on standard input is a button or a sensor; `help` lists them.

    Each answer begins with `ok`, `no` or `told`. What is `ok` is kept, whatever happens then.
    """
    if badge and not pin:
        pin = typed("PIN", f"badge {badge}", badge)
    asyncio.run(_play(table, floor, nats, keys, site_domain, _Dealer(badge, pin)))


@dataclass
class _Dealer:
    """Who deals: signed on before their first button."""

    badge: str
    pin: str
    sign_on: str = ""

    async def by(self, controller: "TableController") -> str:
        """Their sign-on."""
        if not self.sign_on:
            if not self.badge:
                problem = Problem("table", "nobody is signed on", "sign-on BADGE PIN", "GL-10")
                raise ProblemsError([problem])
            self.sign_on = (await controller.sign_on(badge=self.badge, pin=self.pin)).sign_on
        return self.sign_on


async def _play(
    table: str, floor: Path, url: str, keys: Path | None, site_domain: str, dealer: _Dealer
) -> None:
    import nats
    from nats.errors import Error

    from feltwork.compliance.floor_file import read_floor
    from feltwork.table.controller_factory import open_table

    read = read_floor(floor.read_text(encoding="utf-8"), where=str(floor))
    refusals = _Refusals(url, table)
    client = await nats.connect(
        url, max_reconnect_attempts=-1, reconnect_time_wait=1, error_cb=refusals.hear, **_options(keys, table)
    )
    refusals.let_in()
    controller = open_table(
        client, read, table, site_domain=site_domain, show=lambda told: _print("told", told)
    )
    await _open(controller, refusals)
    running = asyncio.create_task(controller.run(every_seconds=1.0))
    _print("ok", _status(controller))
    try:
        while line := await asyncio.to_thread(sys.stdin.readline):
            if line.strip() == "quit":
                break
            await _answer(controller, line.split(), dealer)
    finally:
        running.cancel()
        with suppress(Error, TimeoutError):
            await controller.close()
        await client.close()


class _Refusals:
    """What the server refuses. A server that is not there may come; one that says no is not asked again."""

    def __init__(self, url: str, table: str) -> None:
        self._url = url
        self._table = table
        self._is_in = False
        self.not_allowed: Problem | None = None

    def let_in(self) -> None:
        """The first connection stands: one that breaks from now on is mended, whatever it says."""
        self._is_in = True

    async def hear(self, error: Exception) -> None:
        """Raise where the server does not let this table connect; keep what it may not say or ask."""
        said = str(error).lower()
        strange = isinstance(error, ssl.SSLCertVerificationError) or "alert" in said
        if not self._is_in and (strange or "authorization" in said):
            remedy = (
                f"bring the table its own key and name its folder with --keys, or correct --nats {self._url}"
            )
            raise ProblemsError([Problem(self._url, f"no connection: {error}", remedy, "GEN-07")])
        if "permissions violation" in said:
            remedy = "bring the table its own key; after a new floor let the log read its rights again"
            self.not_allowed = Problem(
                f"table {self._table}", f"not with this key: {error}", remedy, "GEN-07"
            )


async def _open(controller: "TableController", refusals: _Refusals) -> None:
    """Go on where the table was; a log that was started a moment ago may not have its streams yet."""
    from nats.errors import Error

    while True:
        try:
            return await controller.open()
        except (Error, TimeoutError):
            if refusals.not_allowed:
                raise ProblemsError([refusals.not_allowed]) from None
            _print("told", "the log does not answer yet")
            await asyncio.sleep(1)


async def _answer(controller: "TableController", words: list[str], dealer: _Dealer) -> None:
    try:
        while words == ["wait"] and any(
            row.welcome is None or row.is_cut_off for row in controller.rows.values()
        ):
            await asyncio.sleep(_LOOK_SECONDS)
        await _press(controller, words, dealer)
    except ProblemsError as error:
        for problem in error.problems:
            _print("no", str(problem))
    except (ValueError, IndexError):
        _print("no", f"{' '.join(words)}: cannot be read; help lists what can")
    else:
        if words:
            _print("ok", HELP if words[0] == "help" else _status(controller))


async def _press(controller: "TableController", words: list[str], dealer: _Dealer) -> None:
    match words:
        case ["sign-on", badge, pin]:
            dealer.badge, dealer.pin, dealer.sign_on = badge, pin, ""
            await dealer.by(controller)
        case ["as", badge, pin, *line]:
            await _press(controller, line, _Dealer(badge, pin))
        case ["start"]:
            await controller.start(by=await dealer.by(controller))
        case ["end"]:
            await controller.end(by=await dealer.by(controller))
        case ["misdeal", *reason]:
            by = await dealer.by(controller)
            await controller.misdeal(reason=" ".join(reason) or "misdeal", by=by)
        case ["seats", *seats]:
            players = frozenset(map(int, seats))
            for one in controller.rows.values():
                await one.seat(replace(one.seating, players=players))
        case ["status" | "help" | "wait"] | []:
            pass
        case _:
            row, words = _row(controller, words)
            await _press_row(row, words, await dealer.by(controller) if words[0] != "sensor" else "")


async def _press_row(row: "Controller", words: list[str], by: str) -> None:
    from feltwork.table.presence import SensorState

    seating = row.seating
    match words:
        case ["correct", seat, ("on" | "off") as state]:
            await row.correct(seat=int(seat), wagered=state == "on", by=by)
        case ["hand", seat, hand, *cards]:
            await row.press(seat=int(seat), hand=hand, by=by, cards=" ".join(cards))
        case ["key", ("jackpot" | "run") as to]:
            await row.turn_key(to=to, by=by)
        case ["sensor", seat, ("on" | "off" | "broken") as state]:
            sensor = {int(seat)}
            covered = seating.covered | sensor if state == "on" else seating.covered - sensor
            broken = seating.broken | sensor if state == "broken" else seating.broken - sensor
            await row.seat(SensorState(covered=covered, players=seating.players, broken=broken))
        case _:
            raise ValueError(words[0])


def _row(controller: "TableController", words: list[str]) -> tuple["Controller", list[str]]:
    """The row that a line is about: `hand sevens 3 three_7s` where a table has several jackpots."""
    rows = controller.rows
    if len(words) > 1 and words[1] in rows:
        return rows[words[1]], [words[0], *words[2:]]
    if len(rows) > 1 and words and words[0] in ("correct", "hand", "key", "sensor"):
        raise ValueError(words[0])
    return next(iter(rows.values())), words


def _status(controller: "TableController") -> str:
    rows = controller.rows
    if len(rows) == 1:
        return _status_of(next(iter(rows.values())))
    return " · ".join(f"{link}: {_status_of(row)}" for link, row in rows.items())


def _status_of(controller: "Controller") -> str:
    from feltwork import money

    round_ = controller.round
    seats = ", ".join(map(str, round_.seats)) or "none"
    parts = [f"round {round_.number} {round_.phase}", f"seats {seats}"]
    parts += [f"seat {seat} {hand}" for seat, hand in round_.hands.items()]
    parts.append(f"press: {', '.join(round_.buttons)}")
    if controller.snapshot:
        parts += [f"{level} {money.text(amount)}" for level, amount in controller.snapshot.meters.items()]
    if controller.is_cut_off:
        waiting = f"{controller.contact.rounds} rounds, {money.text(controller.contact.wagers)} wait"
        parts.append(f"CUT OFF from the books ({waiting})")
    return " · ".join(parts)


def _options(keys: Path | None, name: str) -> dict[str, Any]:
    from feltwork.servers.nats_keys import KeyRing

    return KeyRing(keys).options(name) if keys else {}


def _print(what: str, text: str) -> None:
    sys.stdout.write(f"{what} {text}\n")
    sys.stdout.flush()
