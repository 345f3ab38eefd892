"""Cuts the Chinese font of the screens down to the characters that the catalog uses.

Needs Debian's package fonts-noto-cjk, and is run again when a translation brings new characters.
"""

import sys
from pathlib import Path

from fontTools.subset import (
    Options,
    Subsetter,
    load_font,
    save_font,
)

from feltwork.site.web.rendering.catalog import LOCALE

FONTS = LOCALE.parent / "static" / "vendor"
SOURCE = Path("/usr/share/fonts/opentype/noto")
WEIGHTS = ("Regular", "Bold")
#: The simplified Chinese font in the collection.
_SIMPLIFIED = 2
_FIRST_CJK = 0x2E80


def characters() -> set[str]:
    """The Chinese characters and punctuation of the catalog."""
    text = (LOCALE / "zh" / "LC_MESSAGES" / "feltwork.po").read_text(encoding="utf-8")
    return {character for character in text if ord(character) >= _FIRST_CJK} | set("“”‘’…—·")


def file_of(weight: str) -> Path:
    """The font that the screens load."""
    return FONTS / f"noto-sans-sc-{weight.lower()}.woff2"


def main() -> int:
    for weight in WEIGHTS:
        options = Options(flavor="woff2", layout_features=["*"], hinting=False, font_number=_SIMPLIFIED)
        font = load_font(str(SOURCE / f"NotoSansCJK-{weight}.ttc"), options)
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=map(ord, characters()))
        subsetter.subset(font)
        save_font(font, str(file_of(weight)), options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
