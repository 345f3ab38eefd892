"""The Raspberry Pi controller with mock pins: the hands at its buttons follow lines on standard input.

Chips and buttons are levels at mock pins; badge and keypad are events in the kernel's format in two pipes.
The position of the key is in a file: a key stays where it is when the power goes.
"""

import argparse
import asyncio
import fcntl
import os
import struct
import sys
import termios
import threading
import time
from pathlib import Path

from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPin

from examples.devices.raspberry_pi import controller
from feltwork.site.compliance.floor_file import read_floor

EVENT = struct.Struct("llHHi")
CODES = {character: code for code, character in controller._KEYS.items()}
#: How fast a person is; longer than a contact bounces.
PAUSE_SECONDS = 0.06


class HeldPin(MockPin):  # type: ignore[misc]
    """A pin with a chip or a switch at it: a pull-up does not lift what connects it to ground."""

    is_closed = False

    def hold(self, *, closed: bool) -> None:
        self.is_closed = closed
        self.drive_low() if closed else self.drive_high()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.is_closed:
            self.drive_low()

    def _set_state(self, value: int) -> None:
        super()._set_state(value)
        print(f"{self.info.name} {'on' if value else 'off'}", flush=True)


class Hands:
    """A person's hands at the table."""

    def __init__(self, pins: controller.Pins, hands: dict[str, list[str]], key: Path) -> None:
        self.pins = pins
        self.hands = hands
        self.key = key
        for path in (pins.badge_reader, pins.keypad):
            Path(path).unlink(missing_ok=True)
            os.mkfifo(path)
        self.badge_reader = os.open(pins.badge_reader, os.O_RDWR)
        self.keypad = os.open(pins.keypad, os.O_RDWR)
        if pins.key and key.exists():
            self.level(pins.key, closed=key.read_text() == "jackpot")

    def level(self, number: int, *, closed: bool) -> None:
        Device.pin_factory.pin(number).hold(closed=closed)

    def push(self, number: int) -> None:
        self.level(number, closed=True)
        time.sleep(PAUSE_SECONDS)
        self.level(number, closed=False)

    def type(self, device: int, text: str) -> None:
        for character in f"{text}\n":
            for value in (1, 0):
                os.write(device, EVENT.pack(0, 0, 1, CODES[character], value))
            os.write(device, EVENT.pack(0, 0, 0, 0, 0))
        while struct.unpack("i", fcntl.ioctl(device, termios.FIONREAD, bytes(4)))[0]:
            time.sleep(PAUSE_SECONDS)  # nobody types before the device reads

    def act(self, words: list[str]) -> None:
        pins = self.pins
        match words:
            case ["sign-on", badge, pin]:
                self.type(self.badge_reader, badge)
                time.sleep(PAUSE_SECONDS)
                self.type(self.keypad, pin)
            case ["as", badge, pin, *rest]:
                self.act(["sign-on", badge, pin])
                time.sleep(PAUSE_SECONDS)
                self.act(rest)
            case ["seats", *seats]:
                for seat, number in enumerate(pins.wagers, 1):
                    self.level(number, closed=str(seat) in seats)
            case ["sensor", seat, state]:
                self.level(pins.rows[0].chips[int(seat) - 1], closed=state == "on")
            case ["hand", seat, hand]:
                self.type(self.keypad, f"{seat}*{self.hands[pins.rows[0].link].index(hand) + 1}")
            case ["key", to]:
                self.key.write_text(to)
                self.level(pins.key, closed=to == "jackpot")
            case [("start" | "end" | "misdeal") as button, *_]:
                self.push(getattr(pins, button))
        time.sleep(PAUSE_SECONDS)

    def follow(self) -> None:
        for line in sys.stdin:
            self.act(line.split())
        os._exit(0)  # the bench is gone


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("floor", "pins", "key"):
        parser.add_argument(f"--{name}", type=Path)
    options = parser.parse_args()
    Device.pin_factory = MockFactory(pin_class=HeldPin)
    pins = controller.Pins.read(options.pins)
    floor = read_floor(options.floor.read_text(encoding="utf-8"), where=str(options.floor))
    links = floor.links_of(floor.table_by_id[pins.table])
    hands = {link.id: [row.hand for row in link.paytable.rows] for link in links}
    threading.Thread(target=Hands(pins, hands, options.key).follow, daemon=True).start()
    asyncio.run(controller.control(options.floor, pins, os.environ["FELTWORK_NATS"], None, ""))


if __name__ == "__main__":
    main()
