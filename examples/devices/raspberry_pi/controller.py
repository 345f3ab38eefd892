"""A table controller on a Raspberry Pi: sensors, lights and buttons on its pins, badge reader and keypad.

    python controller.py --floor floor.toml --pins pins.toml --nats tls://site:4222 --keys keys

The rules, the messages and the restart after a crash are Feltwork's own: this program connects wires to them.
"""

import argparse
import asyncio
import fcntl
import os
import signal
import struct
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import nats
from gpiozero import LED, Button
from nats.errors import Error as NatsError

from feltwork.problem import Problem, ProblemsError
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.servers.nats_keys import KeyRing
from feltwork.site.table.controller import Controller
from feltwork.site.table.controller_factory import open_table
from feltwork.site.table.presence import SensorState
from feltwork.site.table.table_controller import TableController

#: An event of the Linux input layer (evdev): seconds, microseconds, type, code, value.
_EVENT = struct.Struct("llHHi")
_KEY, _PRESSED = 1, 1
#: The ioctl that keeps the keys of a device from the console.
_GRAB = 0x40044590
#: The keys of a badge reader and a numeric keypad, by their codes.
_KEYS = {
    **dict(zip(range(2, 12), "1234567890", strict=True)),
    **dict(zip(range(16, 26), "QWERTYUIOP", strict=True)),
    **dict(zip(range(30, 39), "ASDFGHJKL", strict=True)),
    **dict(zip(range(44, 51), "ZXCVBNM", strict=True)),
    **dict(zip((79, 80, 81, 75, 76, 77, 71, 72, 73, 82), "1234567890", strict=True)),
    12: "-",
    28: "\n",
    55: "*",
    74: "-",
    96: "\n",
}
_BOUNCE_SECONDS = 0.02
_REFRESH_SECONDS = 0.2


@dataclass(frozen=True, kw_only=True)
class RowPins:
    """The pins of one jackpot: a chip sensor and a light for each seat."""

    link: str
    chips: list[int]
    lights: list[int]


@dataclass(frozen=True, kw_only=True)
class Pins:
    """The numbers of the GPIO pins; each sensor and button connects its pin to ground."""

    table: str
    badge_reader: str
    keypad: str
    start: int
    end: int
    misdeal: int
    #: The key of Aquarius controls, closed at JPH; 0 is none.
    key: int
    #: The light that is on while the books follow the table.
    ready: int
    #: The sensors of the base game wagers.
    wagers: list[int]
    rows: list[RowPins]

    @classmethod
    def read(cls, path: Path) -> "Pins":
        """Read the file with the pins."""
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        rows = [RowPins(**row) for row in data.pop("row")]
        return cls(rows=rows, **data)


async def lines_of(path: str) -> AsyncIterator[str]:
    """The lines typed at an input device: a badge reader is a keyboard that types a badge and Enter."""
    device = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with suppress(OSError):  # a pipe cannot be grabbed, and no console reads it
        fcntl.ioctl(device, _GRAB, 1)
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(device, "rb"))
    typed = ""
    while True:
        _, _, kind, code, value = _EVENT.unpack(await reader.readexactly(_EVENT.size))
        if (kind, value) != (_KEY, _PRESSED):
            continue
        typed += _KEYS.get(code, "")
        if typed.endswith("\n"):
            yield typed.strip()
            typed = ""


class People:
    """Who has signed on: the dealer, and a supervisor for one key turn or misdeal."""

    def __init__(self, table: TableController) -> None:
        self._table = table
        self._badge = ""
        self._dealer = ""
        self._supervisor = ""

    @property
    def waits_for_pin(self) -> bool:
        """Whether a badge was read whose PIN comes next."""
        return bool(self._badge)

    def read_badge(self, badge: str) -> None:
        """Remember a badge until its PIN is typed."""
        self._badge = badge

    async def type_pin(self, pin: str) -> None:
        """Sign on; whoever does so while a round is open is there for the dealer's supervisor."""
        badge, self._badge = self._badge, ""
        signed_on = (await self._table.sign_on(badge=badge, pin=pin)).sign_on
        if self._dealer and self._table.playing:
            self._supervisor = signed_on
        else:
            self._dealer = signed_on

    def dealer(self) -> str:
        """The dealer's sign-on; raise if nobody has signed on."""
        if not self._dealer:
            remedy = "hold a badge to the reader and type its PIN"
            raise ProblemsError([Problem("table", "nobody is signed on", remedy, "GL-10")])
        return self._dealer

    def supervisor(self) -> str:
        """The supervisor's sign-on, once; without one the books refuse the dealer's."""
        by, self._supervisor = self._supervisor, ""
        return by or self.dealer()


class Panel:
    """The pins of the table, and what happens at them, one after the other."""

    def __init__(self, pins: Pins, table: TableController) -> None:
        self._pins = pins
        self._table = table
        self._people = People(table)
        self._todo: asyncio.Queue[Callable[[], Awaitable[object]]] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._wagers = _sensors(pins.wagers)
        self._chips = {row.link: _sensors(row.chips) for row in pins.rows}
        self._lights = {row.link: [LED(pin) for pin in row.lights] for row in pins.rows}
        self._ready = LED(pins.ready)
        self._buttons = self._connect_buttons()
        for sensor in (*self._wagers, *(chip for chips in self._chips.values() for chip in chips)):
            sensor.when_pressed = sensor.when_released = self._later(self._sense)

    def _connect_buttons(self) -> list[Button]:
        """The buttons; gpiozero calls from a thread of its own."""
        pins = self._pins
        actions: dict[int, Callable[[], Awaitable[object]]] = {
            pins.start: lambda: self._table.start(by=self._people.dealer()),
            pins.end: lambda: self._table.end(by=self._people.dealer()),
            pins.misdeal: lambda: self._table.misdeal(reason="misdeal", by=self._people.supervisor()),
        }
        buttons = _sensors(actions)
        for button, action in zip(buttons, actions.values(), strict=True):
            button.when_pressed = self._later(action)
        if pins.key:
            (key,) = _sensors([pins.key])
            key.when_pressed = self._later(partial(self._turn_key, "jackpot"))
            key.when_released = self._later(partial(self._turn_key, "run"))
            buttons.append(key)
        return buttons

    def _later(self, action: Callable[[], Awaitable[object]]) -> Callable[[], None]:
        def put() -> None:
            self._loop.call_soon_threadsafe(self._todo.put_nowait, action)

        return put

    async def run(self) -> None:
        """Do what people do at the table, one thing after the other, until cancelled."""
        await self._sense()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._read_badges())
            tasks.create_task(self._read_keypad())
            tasks.create_task(self._show())
            while True:
                await self._try(await self._todo.get())

    async def _try(self, action: Callable[[], Awaitable[object]]) -> None:
        """Do one thing; a press that the rules or the books refuse changes nothing."""
        try:
            await action()
        except ProblemsError as error:
            print(*error.problems, sep="\n", flush=True)

    async def _sense(self) -> None:
        """Tell where chips lie now."""
        players = _pressed(self._wagers)
        rows = self._chips.items()
        await self._table.seat(
            {link: SensorState(covered=_pressed(chips), players=players) for link, chips in rows}
        )

    async def _read_badges(self) -> None:
        async for badge in lines_of(self._pins.badge_reader):
            self._people.read_badge(badge)

    async def _read_keypad(self) -> None:
        async for typed in lines_of(self._pins.keypad):
            if self._people.waits_for_pin:
                await self._todo.put(partial(self._people.type_pin, typed))
            else:
                await self._todo.put(partial(self._enter_hand, typed))

    async def _enter_hand(self, typed: str) -> None:
        """SEAT * HAND, or JACKPOT * SEAT * HAND; a hand's number is its place on the paytable."""
        numbers = [int(part) for part in typed.split("*") if part.isdecimal()]
        rows = list(self._table.rows.values())
        if len(numbers) == 2:
            numbers.insert(0, 1)
        if len(numbers) != 3 or not 1 <= numbers[0] <= len(rows):
            return
        row = rows[numbers[0] - 1]
        buttons = row.round.link.paytable.rows
        if 1 <= numbers[2] <= len(buttons):
            await row.press(seat=numbers[1], hand=buttons[numbers[2] - 1].hand, by=self._people.dealer())

    async def _turn_key(self, to: str) -> None:
        by = self._people.supervisor()
        for row in self._table.playing:
            await row.turn_key(to=to, by=by)

    async def _show(self) -> None:
        """Light a seat while its wager is locked, and let it blink while its claim waits."""
        while True:
            rows = list(self._table.rows.items())
            follows = all(row.welcome and row.welcome.accepted and not row.is_cut_off for _, row in rows)
            self._ready.on() if follows else self._ready.off()
            for link, row in rows:
                for seat, light in enumerate(self._lights[link], 1):
                    _light(light, row, seat)
            await asyncio.sleep(_REFRESH_SECONDS)


def _sensors(pins: Iterable[int]) -> list[Button]:
    return [Button(pin, bounce_time=_BOUNCE_SECONDS) for pin in pins]


def _pressed(sensors: list[Button]) -> frozenset[int]:
    return frozenset(seat for seat, sensor in enumerate(sensors, 1) if sensor.is_pressed)


def _light(light: LED, row: Controller, seat: int) -> None:
    is_locked = row.round.phase != "idle" and seat in row.round.seats
    if seat in row.claims or light.is_lit != is_locked:
        light.toggle()


async def control(floor: Path, pins: Pins, url: str, keys: Path | None, site_domain: str) -> None:
    """Run the table until the program is stopped."""
    read = read_floor(floor.read_text(encoding="utf-8"), where=str(floor))
    options = KeyRing(keys).options(pins.table) if keys else {}
    client = await nats.connect(url.split(","), max_reconnect_attempts=-1, reconnect_time_wait=1, **options)
    table = open_table(client, read, pins.table, site_domain=site_domain, show=partial(print, flush=True))
    while True:
        try:
            await table.open()
            break
        except (NatsError, TimeoutError):
            await asyncio.sleep(1)  # the streams are not up yet
    panel = Panel(pins, table)
    running = asyncio.gather(table.run(every_seconds=1.0), panel.run())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    with suppress(asyncio.CancelledError):
        await running
    await table.close()
    await client.close()


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--floor", type=Path, required=True)
    parser.add_argument("--pins", type=Path, required=True)
    parser.add_argument("--nats", default=os.environ.get("FELTWORK_NATS", "nats://127.0.0.1:4222"))
    parser.add_argument("--keys", type=Path)
    parser.add_argument("--site-domain", default="", help="the site's domain, if the server is a leaf node")
    options = parser.parse_args()
    asyncio.run(
        control(options.floor, Pins.read(options.pins), options.nats, options.keys, options.site_domain)
    )


if __name__ == "__main__":
    main()
