"""Workbench figures in the reader's language."""

from fractions import Fraction

from babel import Locale
from babel.numbers import format_percent

from feltwork.odds.what_if import figure_labels
from feltwork.odds.what_if.answer import ComputedFigure
from feltwork.site.web.rendering import catalog
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.sentences import recognized

#: Units of figures, as the odds write them.
UNITS = (
    N_("one in %(number)s"),
    N_("%(number)s days"),
    N_("%(number)s hours"),
    N_("%(number)s hits"),
    N_("%(number)s wagers"),
    N_("%(number)s wagers²"),
)


def percent(value: Fraction | float, decimals: int = 4) -> str:
    """A fraction of one as a percentage, in the format of the reader's language."""
    locale = Locale.parse(catalog.locale())
    pattern = locale.percent_formats[None].pattern.replace("#,##0", f"#,##0.{'0' * decimals}")
    return format_percent(float(value), format=pattern, locale=locale)


def in_unit(value: Fraction, unit: str) -> str:
    """A value in its unit."""
    if unit.startswith("of "):
        return percent(value)
    return catalog.translated(recognized(figure_labels.in_unit(value, unit), UNITS))


def written(figure: ComputedFigure) -> str:
    """A figure as text; a sampled figure with its interval."""
    text = in_unit(figure.value, figure.unit)
    return f"{text} ± {in_unit(figure.error, figure.unit)}" if figure.how == "sampled" else text


def returns_text(returns: Fraction | None) -> str:
    """The return of a row."""
    return catalog.gettext("unknown") if returns is None else percent(returns)
