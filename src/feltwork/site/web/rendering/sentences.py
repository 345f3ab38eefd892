"""Plain-text sentences of other packages, recognized so screens can translate them."""

import re
from collections.abc import Iterable
from functools import cache

from feltwork.problem import Sentence, all_of
from feltwork.site.web.rendering import catalog
from feltwork.site.web.rendering.catalog import N_

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")
_ODDS = re.compile(r"([0-9,]+) (to|for) ([0-9]+)")
_SHARE = re.compile(r"([0-9.]+)% of (\w+)")
_PAYTABLE = re.compile(r"\w+/(\w+)/(.+)")
#: A hand name, and the ranks that play, if known: ``pair Q-8-5``.
_HAND = re.compile(r"([a-z][a-z0-9_ ]*?)((?: [AKQJT2-9](?:-[AKQJT2-9])*)?)")


def recognized(text: str, templates: tuple[str, ...], *, inner: tuple[str, ...] = ()) -> str:
    """The sentences of a text with their values; text that matches no template is unchanged.

    The values named in `inner` are sentences themselves.
    """

    def sentence_of(sentence: str, templates: Iterable[str] = templates) -> str:
        for template in templates:
            match = _pattern(template).fullmatch(sentence)
            if match:
                values = match.groupdict().items()
                return Sentence(
                    template,
                    **{name: sentence_of(value) if name in inner else part(value) for name, value in values},
                )
        return sentence

    whole = sentence_of(text, [template for template in templates if "; " in template])
    return whole if whole is not text else all_of([sentence_of(sentence) for sentence in text.split("; ")])


def kept(text: str, others: tuple[str, ...] = ()) -> str:
    """A sentence stored as English text, such as an alarm's, with its values.

    The templates are those of other packages and `others`.
    """
    is_english = catalog.language() == catalog.SOURCE_LANGUAGE
    if is_english or isinstance(text, Sentence) or catalog.gettext(text) != text:
        return text
    sentence = recognized(text, (*others, *catalog.kept_templates()))
    return sentence if isinstance(sentence, Sentence) and sentence.values else text


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = _PLACEHOLDER.split(template.replace("%%", "%"))
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if place % 2 else re.escape(part) for place, part in enumerate(parts))
    )


def part(text: str) -> str:
    """A value of a sentence: odds, a share of a meter, a paytable, or a hand; a number is unchanged."""
    if odds := _ODDS.fullmatch(text):
        template = N_("%(wins)s to %(per)s") if odds[2] == "to" else N_("%(wins)s for %(per)s")
        return Sentence(template, wins=odds[1], per=odds[3])
    if share := _SHARE.fullmatch(text):
        return Sentence(N_("%(percent)s%% of %(level)s"), percent=share[1], level=Sentence(share[2]))
    if paytable := _PAYTABLE.fullmatch(text):
        return Sentence(N_("%(bet)s, paytable %(id)s"), bet=Sentence(paytable[1]), id=paytable[2])
    if not (hand := _HAND.fullmatch(text)):
        return text
    name = Sentence(hand[1])
    return Sentence(N_("%(hand)s %(ranks)s"), hand=name, ranks=hand[2].strip()) if hand[2] else name
