"""The figures printed in the letters: their names, and the reasons for their verdicts."""

from urllib.parse import parse_qsl

from feltwork import sources
from feltwork.odds.what_if.figure_labels import label
from feltwork.site.web.rendering.catalog import N_, translated
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.figure_format import percent
from feltwork.site.web.rendering.report_format import plain_name
from feltwork.site.web.rendering.sentences import recognized
from feltwork.titles import registry

#: Templates of the verdicts' reasons; a longer template precedes a shorter one that it contains.
_REASONS = (
    N_("%(reason)s, which gives %(value)s"),
    N_("a match, not a proof"),
    N_("ours is %(value)s"),
    N_("printed also as %(values)s"),
    N_("this one agrees"),
    N_("this one is disputed"),
    N_("a setting of the paytable, kept there as %(value)s"),
    N_("straights and flushes were left out: it is how often three of a kind or better is dealt"),
    N_("%(number)s straight flushes were counted as %(counted)s"),
    N_("the two hands were dealt from separate decks, and equal kinds always beat each other"),
    N_(
        "impossible next to its own edge: every hit returns at least %(units)s units, "
        "so the edge would be below %(edge)s"
    ),
    N_(
        'Play wins %(ours)s under optimal play, and no rule of the form "play this hand or better" '
        "wins as often as printed: the nearest win %(below)s and %(above)s"
    ),
    N_("designed for six and eight decks"),
    N_("the figure is that of eight"),
    N_(
        "it needs a contribution of %(written)s as written and %(naturals)s with naturals, "
        "while the average beside it needs %(average)s"
    ),
    N_('and "to 1" cannot hold as much as "for 1"'),
    N_("naturals were counted, which the row excludes, with six decks"),
    N_("no deck count gives it"),
    N_(
        "the three figures printed for this one event disagree by as much as a simulation "
        "of about a billion rounds would"
    ),
    N_("no contribution gives both this and the advantage printed beside it"),
    N_("the hold follows from the odds printed for the top row, one in %(odds)s"),
    N_(
        "with the odds printed for the top row, one in %(odds)s, it needs the %(share)s row once in "
        "%(needs)s deals, and that row hits once in %(hits)s"
    ),
    N_("odds from a simulation would differ by as much"),
    N_("the digits were truncated instead of rounded"),
    N_(
        "The advantage of a bet on both sides at once, which nobody can make with one wager: "
        "a bettor on one side gets back less, and the house keeps more."
    ),
)
#: The verdicts.
WORDS = (N_("agrees"), N_("disputed"), N_("contradicts itself"), N_("stated"))
_SIDES = {"player": N_("on Player"), "banker": N_("on Banker"), "either": N_("on either side")}


def verdict_reason(why: str) -> str:
    """The reason why a printed figure agrees or does not, in the reader's language."""
    reason = recognized(why, _REASONS, inner=("reason",))
    return translated(reason) if why else ""


def paytable_name(identifier: str) -> str:
    """The paytable of a figure: ``crazy_4/queens_up/C4P-09/house_edge`` is queens up, paytable C4P-09."""
    title, *bet, _figure = identifier.partition("?")[0].split("/")
    parts = [registry.title(title).title]
    if bet == ["base"]:
        parts.append(_("base game"))
    elif len(bet) == 2 or bet[0] in {name for name, _id in registry.library(title)}:
        parts.append(plain_name(bet.pop(0)))
    if bet and bet != ["base"]:
        parts.append(_("paytable %(one)s") % {"one": bet[0]})
    return ", ".join(parts)


def figure_name(identifier: str) -> str:
    """A figure within its paytable: label and parameters instead of an id."""
    path, _query, query = identifier.partition("?")
    return ", ".join([_(label(path.rpartition("/")[2])), *(_parameter(*pair) for pair in parse_qsl(query))])


def _parameter(name: str, value: str) -> str:
    if name == "side":
        return _(_SIDES[value])
    if name == "decks":
        return _("%(decks)s decks") % {"decks": value}
    if name == "contribution":
        return _("contribution %(percent)s") % {"percent": percent(float(value), 0)}
    return _("seed %(amount)s") % {"amount": ", ".join(f"${int(seed):,}" for seed in value.split(","))}


def letter_places(cites: list[str]) -> list[str]:
    """The letters, by title, and sections that print a figure, each once."""
    known = sources.paragraphs()
    paragraphs = (known[citation] for written in cites for citation in sources.citations(written))
    return list(dict.fromkeys(f"{paragraph.letter.name}: {paragraph.section}" for paragraph in paragraphs))
