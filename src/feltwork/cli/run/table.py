"""The command that runs a table controller with buttons and sensors as lines on standard input."""

import asyncio
import ssl
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltwork.cli.arguments import Keys, NatsUrl
from feltwork.cli.secret_prompt import typed
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from nats.aio.client import Client

    from feltwork.table.controller import Controller
    from feltwork.table.table_controller import TableController
    from feltwork.telemetry.table_metrics import TableCounts

_LOOK_SECONDS = 0.1
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


def run_table(
    table: Annotated[str, typer.Argument(help="The id of the table in the floor file.")],
    floor: Annotated[Path, typer.Option(help="The floor file.")],
    nats: NatsUrl = "nats://127.0.0.1:4222",
    keys: Keys = None,
    site_domain: Annotated[
        str, typer.Option(help="The site's JetStream domain, if the nearest server is a leaf node.")
    ] = "",
    badge: Annotated[
        str, typer.Option(help="The dealer's badge, to sign on at the start; it prompts for the PIN.")
    ] = "",
    metrics_port: Annotated[int, typer.Option(help="The Prometheus port; 0 is none.")] = 0,
    metrics_host: Annotated[str, typer.Option(help="The address of the Prometheus port.")] = "127.0.0.1",
) -> None:
    """Run a table controller: each line on standard input is a button or a sensor; `help` lists them.

    Each line of output begins with `ok`, `no` or `told`. After `ok` the action is stored.
    """
    from feltwork.telemetry.tracing import start_tracing

    pin = typed("PIN", f"badge {badge}", badge) if badge else ""
    start_tracing("table")
    metrics = (metrics_host, metrics_port) if metrics_port else None
    asyncio.run(_play(table, floor, nats, keys, site_domain, _Dealer(badge, pin), metrics))


@dataclass
class _Dealer:
    """The dealer, signed on before the first button."""

    badge: str
    pin: str
    sign_on: str = ""

    async def by(self, controller: "TableController") -> str:
        """Return the sign-on, signing on first if needed."""
        if not self.sign_on:
            if not self.badge:
                remedy = "Type: sign-on BADGE PIN."
                raise ProblemsError([Problem("table", "Nobody is signed on.", remedy, "GL-10")])
            self.sign_on = (await controller.sign_on(badge=self.badge, pin=self.pin)).sign_on
        return self.sign_on


async def _play(
    table: str,
    floor: Path,
    url: str,
    keys: Path | None,
    site_domain: str,
    dealer: _Dealer,
    metrics: tuple[str, int] | None,
) -> None:
    import nats
    from nats.errors import Error

    from feltwork.compliance.floor_file import read_floor
    from feltwork.table.controller_factory import open_table

    read = read_floor(floor.read_text(encoding="utf-8"), where=str(floor))
    refusals = _Refusals(url, table)
    client = await nats.connect(
        url.split(","),
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        error_cb=refusals.hear,
        **_options(keys, table),
    )
    refusals.let_in()
    controller = open_table(
        client, read, table, site_domain=site_domain, show=lambda text: _print("told", text)
    )
    if metrics:
        _serve_metrics(table, controller, client, *metrics)
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


def _serve_metrics(table: str, controller: "TableController", client: "Client", host: str, port: int) -> None:
    from prometheus_client import start_http_server

    from feltwork.telemetry.table_metrics import TableMetrics

    metrics = TableMetrics(table)
    metrics.follow_nats(lambda: client.is_connected)
    for link, row in controller.rows.items():
        metrics.follow_link(link, partial(_counts, row))
    start_http_server(port, host, registry=metrics.registry)


def _counts(row: "Controller") -> "TableCounts":
    from feltwork.telemetry.table_metrics import TableCounts

    return TableCounts(
        round=row.round.number, booked=row.booked_to, unsent=len(row.unsent), is_cut_off=row.is_cut_off
    )


class _Refusals:
    """Errors from the NATS server: an unreachable one is retried, a refusal is final."""

    def __init__(self, url: str, table: str) -> None:
        self._url = url
        self._table = table
        self._is_in = False
        self.not_allowed: Problem | None = None

    def let_in(self) -> None:
        """Treat later errors as temporary, now that the first connection is established."""
        self._is_in = True

    async def hear(self, error: Exception) -> None:
        """Raise if the server refuses the connection; remember a permissions violation."""
        text = str(error).lower()
        wrong_certificate = isinstance(error, ssl.SSLCertVerificationError) or "alert" in text
        if not self._is_in and (wrong_certificate or "authorization" in text):
            remedy = (
                f"Copy the table's key to it and pass its folder with --keys, or correct --nats {self._url}."
            )
            raise ProblemsError([Problem(self._url, f"no connection: {error}", remedy, "GEN-07")])
        if "permissions violation" in text:
            remedy = "Use the table's own key; after a new floor file, reload the NATS configuration."
            what = f"not with this key: {error}"
            self.not_allowed = Problem(f"table {self._table}", what, remedy, "GEN-07")


async def _open(controller: "TableController", refusals: _Refusals) -> None:
    """Resume where the table was, retrying while NATS has no streams yet."""
    from nats.errors import Error

    while True:
        try:
            return await controller.open()
        except (Error, TimeoutError):
            if refusals.not_allowed:
                raise ProblemsError([refusals.not_allowed]) from None
            _print("told", "NATS does not answer yet")
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
        _print("no", f"{' '.join(words)}: unknown; type help for a list")
    else:
        if words:
            _print("ok", _help(controller) if words[0] == "help" else _status(controller))


def _help(controller: "TableController") -> str:
    """The commands, with the labels of the table's buttons."""
    from feltwork.progressive.round import labels_of

    labels = labels_of(next(iter(controller.rows.values())).round.link)
    return _HELP.format(start=labels["start"], end=labels["end"])


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
            for row in controller.rows.values():
                await row.seat(replace(row.seating, players=players))
        case ["status" | "help" | "wait"] | []:
            pass
        case _:
            row, words = _row(controller, words)
            await _press_row(row, words, lambda: dealer.by(controller))


async def _press_row(row: "Controller", words: list[str], by: "Callable[[], Awaitable[str]]") -> None:
    """Press a button of one jackpot; only words that need a person ask for a sign-on."""
    from feltwork.table.presence import SensorState

    seating = row.seating
    match words:
        case ["correct", seat, ("on" | "off") as state]:
            await row.correct(seat=int(seat), wagered=state == "on", by=await by())
        case ["fold", seat, ("on" | "off") as state]:
            await row.fold(seat=int(seat), folded=state == "on", by=await by())
        case ["hand", named, hand, *cards]:
            seats = tuple(map(int, named.split("+")))
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


def _row(controller: "TableController", words: list[str]) -> tuple["Controller", list[str]]:
    """Select the sensor row: `hand sevens 3 three_7s` at a table with several jackpots."""
    rows = controller.rows
    if len(words) > 1 and words[1] in rows:
        return rows[words[1]], [words[0], *words[2:]]
    if len(rows) > 1 and words and words[0] in ("correct", "fold", "hand", "key", "sensor"):
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
