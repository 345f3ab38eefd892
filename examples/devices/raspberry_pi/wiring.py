"""Draw the wiring from the pins: python wiring.py > wiring.svg."""

import sys
from pathlib import Path

from controller import Pins

#: The 40 contacts of the header, by rows of two: GPIO numbers, or what else a contact is.
HEADER = [
    *("3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15, 17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND"),
    *(9, 25, 11, 8, "GND", 7, "ID", "ID", 5, "GND", 6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21),
]
ROW, LEFT, RIGHT, TOP = 26, 330, 370, 90


def uses(pins: Pins) -> dict[object, tuple[str, str]]:
    """What is connected to a pin: its name and the kind of its circuit."""
    row = pins.rows[0]
    uses_by_pin: dict[object, tuple[str, str]] = {
        pins.start: ("START GAME", "switch"),
        pins.end: ("END GAME", "switch"),
        pins.misdeal: ("MISDEAL", "switch"),
        pins.key: ("key, closed at JPH", "switch"),
        pins.ready: ("ready light", "light"),
    }
    uses_by_pin |= {pin: (f"seat {seat} base wager", "sensor") for seat, pin in enumerate(pins.wagers, 1)}
    uses_by_pin |= {pin: (f"seat {seat} jackpot chip", "sensor") for seat, pin in enumerate(row.chips, 1)}
    return uses_by_pin | {pin: (f"seat {seat} light", "light") for seat, pin in enumerate(row.lights, 1)}


def drawing(pins: Pins) -> str:
    """The drawing as SVG."""
    pin_uses = uses(pins)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 860" font-family="sans-serif">',
        "<title>Wiring of a table with seven seats and one jackpot</title>",
        '<rect width="700" height="860" fill="#fff"/>',
        f'<text x="20" y="36" font-size="20">Table {pins.table}: the header of the Raspberry Pi</text>',
        f'<rect x="{LEFT - 22}" y="{TOP - 22}" width="84" height="{20 * ROW + 18}" rx="6" fill="#1b5e20"/>',
    ]
    for place, contact in enumerate(HEADER):
        on_left = place % 2 == 0
        x, y = (LEFT if on_left else RIGHT), TOP + place // 2 * ROW
        fill = {"3V3": "#f9a825", "5V": "#c62828", "GND": "#212121"}.get(str(contact), "#cfd8dc")
        parts.append(f'<circle cx="{x}" cy="{y}" r="8" fill="{fill}" stroke="#fff"/>')
        name, kind = pin_uses.get(contact, (str(contact) if isinstance(contact, str) else "", "none"))
        label = f"GPIO {contact} · {name}" if kind != "none" else name
        end, at = ("end", x - 60) if on_left else ("start", x + 60)
        end_of_wire = at + (6 if on_left else -6)
        color = {"switch": "#1565c0", "sensor": "#6a1b9a", "light": "#ef6c00"}.get(kind, "#757575")
        parts.append(
            f'<line x1="{x}" y1="{y}" x2="{end_of_wire}" y2="{y}" stroke="{color}" stroke-width="2"/>'
            f'<text x="{at}" y="{y + 4}" text-anchor="{end}" font-size="13" fill="{color}">{label}</text>'
        )
    below = TOP + 20 * ROW + 40
    notes = (
        ("#1565c0", "switch: from its pin to GND; the Pi's own pull-up holds the pin high"),
        (
            "#6a1b9a",
            "sensor: reflective sensor at 3V3, open-collector output to its pin, low while a chip covers it",
        ),
        (
            "#ef6c00",
            "light: from its pin through 330 Ω and an LED to GND; lamps above 10 mA through a ULN2803A",
        ),
        ("#212121", "USB: badge reader (keyboard emulation) and numeric keypad"),
        ("#212121", "Power: 5 V, 3 A supply or PoE+ HAT; wired Ethernet to the pit's switch"),
    )
    for line, (color, text) in enumerate(notes):
        y = below + line * 30
        parts.append(f'<rect x="20" y="{y - 11}" width="14" height="14" fill="{color}"/>')
        parts.append(f'<text x="44" y="{y + 1}" font-size="13">{text}</text>')
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    sys.stdout.write(drawing(Pins.read(Path(__file__).with_name("pins.toml"))))
