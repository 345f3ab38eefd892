"""The posting sheet: the notice that must hang at a table, generated from the floor file alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from feltwork import money
from feltwork.money import Micros
from feltwork.site.compliance.floor import Floor, FloorLink, FloorTable, link_from_floor
from feltwork.site.compliance.jurisdiction import Rulings
from feltwork.site.compliance.link_odds import Uncounted, disputed, offer_at, percent, stated_returns
from feltwork.site.progressive.link import DISCLOSURES, NO_CAP, Link
from feltwork.titles import registry
from feltwork.titles.hand_names import hand_name
from feltwork.titles.paytables.paytable import Odds, Paytable, Row
from feltwork.titles.title import Option, OptionValue, never_folded

_WINNERS = {
    "seat_order": "Several winners of one amount are paid from the dealer's right, each on what is left.",
    "split": "Several winners of one amount divide it.",
    "each_in_full": "Several winners of one amount are each paid in full.",
}
_SHARES = {
    "winning_side": "A percentage prize is divided among the jackpot bettors who backed the winning side.",
    "all_bettors": "A percentage prize is divided among all jackpot bettors at this table if one of them "
    "backed the winning side.",
}
_ENVY = {
    "any_player": "Envy is paid for the hand of any other player at the table.",
    "bettors": "Envy is paid only for the hands of other jackpot bettors.",
}
_FIXED = {
    "tray": "Fixed pays come from the tray, not from the meter.",
    "meter": "Fixed pays come out of the meter.",
}
_PAYS = {"tie_pays": "A Tie pays {} to 1.", "blackjack_pays": "A blackjack pays {}."}
#: The letter's three criteria for the Ante of Hold'em Bonus [TH.deal.12.d].
_ANTE = {"flush": "a flush", "straight": "a straight", "three_tens": "three 10s"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PostingSection:
    """One section of a sheet: a table, a list, or the house's text; a jackpot's section names its link."""

    title: str = ""
    link: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    says: tuple[str, ...] = ()
    #: Whether it is the house's text instead of a list.
    text: bool = False


def posting_sheet(floor: Floor, table: FloorTable, rulings: Rulings, *, odds: bool = False) -> str:
    """Return the posting sheet of a table: limits, pays, jackpots and disputes [WA-28, GEN-26]."""
    lines = [f"# {table.known_as or table.game.title}, table {table.id}", "", floor.site]
    for section in sections(floor, table, rulings, odds=odds):
        about = f": {section.link}" if section.link else ""
        lines += ["", f"## {section.title}{about}", ""]
        if section.rows:
            lines += [
                f"| {' | '.join(cells)} |" for cells in (section.columns, ("---",) * len(section.columns))
            ]
            lines += [f"| {' | '.join(row)} |" for row in section.rows]
            lines += [""] if section.says else []
        lines += section.says if section.text else [f"- {line}" for line in section.says]
    return "\n".join(lines) + "\n"


def sections(
    floor: Floor, table: FloorTable, rulings: Rulings, *, odds: bool = False
) -> tuple[PostingSection, ...]:
    """Return the sheet's sections for print; odds are stated on request or if the law requires them."""
    return tuple(_sections(floor, table, rulings, odds=odds or rulings["probability_stated"].flag))


def _sections(floor: Floor, table: FloorTable, rulings: Rulings, *, odds: bool) -> Iterator[PostingSection]:
    yield from _game(table)
    for link in floor.links_of(table):
        yield _jackpot(floor, table, link, rulings, odds=odds)
    if floor.cannot_win:
        yield PostingSection(title="Who cannot win", says=(floor.cannot_win,), text=True)
    yield PostingSection(title="Disputes", says=(floor.disputes or "Ask the supervisor.",), text=True)


def _game(table: FloorTable) -> Iterator[PostingSection]:
    """Yield the bets, pays and options of the game, unless the title on the layout has rules of its own."""
    if table.lacks_rules_of:
        says = f"Its rules are not in Feltwork: post the approved sheet of {table.known_as} beside this one."
        yield PostingSection(title="The game", says=(says,))
        return
    yield PostingSection(
        title="Bets and limits",
        columns=("Bet", "Minimum", "Maximum", "Rule"),
        rows=tuple(
            (
                _plain(limits.bet),
                dollars(limits.minimum) if limits.minimum else "none",
                dollars(limits.maximum),
                f"{limits.rule[0].upper()}{limits.rule[1:]}.",
            )
            for limits in table.bets
        ),
        says=tuple(_aggregates(table)),
    )
    yield from _pays(table)
    yield PostingSection(title="At this table", says=tuple(_house_rules(table)))


def _jackpot(
    floor: Floor, table: FloorTable, link: FloorLink, rulings: Rulings, *, odds: bool
) -> PostingSection:
    runs = link_from_floor(floor, link)
    rows = [_prize(runs, row) for row in link.paytable.rows]
    columns: tuple[str, ...] = ("Hand", "Pays", "Envy")
    if not any(row.envy for row in link.paytable.rows):
        columns, rows = columns[:2], [row[:2] for row in rows]
    offered, folds = offer_at(link, table), table.game.folded is not never_folded
    if odds and not isinstance(offered, Uncounted):
        for side, price in offered.prices.items():
            columns = (*columns, f"Odds, {side}" if side else "Odds")
            chances = [price.probability(place) for place in range(len(rows))]
            rows = [(*row, _odds(chance)) for row, chance in zip(rows, chances, strict=True)]
    return PostingSection(
        title=link.jackpot.title,
        link=link.id,
        columns=columns,
        rows=tuple(rows),
        says=(
            *_policies(runs, link, rulings, folds=folds),
            *_returns(link, table),
            *disputed(link.paytable, "hold", *(["top_odds"] if odds else [])),
        ),
    )


def dollars(amount: Micros) -> str:
    """Format an amount for players: ``$1,234.50``."""
    whole, _, cents = money.text(amount).partition(".")
    return f"${int(whole):,}.{cents}"


def _odds(chance: Fraction) -> str:
    if not chance:
        return "never"
    whole, tenth = divmod(round(Fraction(10 * chance.denominator, chance.numerator)), 10)
    return f"1 in {whole:,}.{tenth}".removesuffix(".0")


def _plain(name: str) -> str:
    text = name.replace("_", " ").replace("cover all", "Cover All")
    return f"{text[0].upper()}{text[1:]}"


def _aggregates(table: FloorTable) -> Iterator[str]:
    if table.table_aggregate is not None:
        yield f"All wins of a round together come to at most {dollars(table.table_aggregate)}."
    if table.player_aggregate is not None:
        yield f"One player's wins of a round come to at most {dollars(table.player_aggregate)}."
    if table.table_aggregate is not None or table.player_aggregate is not None:
        yield "If wins exceed this limit, they are paid in proportion; jackpots are paid in addition."


def _pays(table: FloorTable) -> Iterator[PostingSection]:
    """Yield the pays of every bet with a paytable, in columns if they depend on the number of hands."""
    for bet in table.game.paytable_bets:
        if bet in table.game.chosen_by_deal:
            if bet in table.limits.side_bets:
                yield _by_hands(table, bet)
        elif bet in table.paytables:
            paytable = table.paytables[bet]
            rows = tuple((_plain(row.hand), str(row.pays)) for row in paytable.rows)
            yield PostingSection(title=f"{_plain(bet)} pays", columns=("Hand", "Pays"), rows=rows)


def _by_hands(table: FloorTable, bet: str) -> PostingSection:
    library = registry.library(table.game.name)
    columns: dict[str, Paytable] = {number: library[bet, number] for number in library.ids_of(bet)}
    hands = list(dict.fromkeys(row.hand for paytable in columns.values() for row in paytable.rows))
    pays = {
        number: {row.hand: str(row.pays) for row in paytable.rows} for number, paytable in columns.items()
    }
    return PostingSection(
        title=f"{_plain(bet)} pays, by the number of hands dealt",
        columns=("Hand", *(f"{number} hands" for number in columns)),
        rows=tuple((_plain(hand), *(pays[number].get(hand, "") for number in columns)) for hand in hands),
        says=("The number of hands includes the dealer's.",),
    )


def _house_rules(table: FloorTable) -> Iterator[str]:
    """Yield the house options in effect at the table, and the bets not offered."""
    for option in table.game.options:
        yield _house_rule(option, table.options.get(option.name, option.default))
    yield "A bet whose pays are not on this sheet wins even money (1 to 1)."
    offered = {limits.bet for limits in table.bets}
    missing = [wager.name for wager in table.game.wagers if wager.name not in offered]
    if missing:
        yield f"Not offered at this table: {', '.join(map(_plain, missing))}."


def _house_rule(option: Option, value: OptionValue) -> str:
    if option.name == "decks":
        return f"Dealt from {value} deck{'' if value == 1 else 's'}."
    if option.name == "ante_wins_with":
        hand = _ANTE[str(value)]
        return f"A winning Ante is paid even money with {hand} or better. With less, it is returned."
    if option.name in _PAYS:
        return _PAYS[option.name].format(value)
    answer = ("yes" if value else "no") if isinstance(value, bool) else str(value).replace("_", " ")
    return f"{option.says[0].upper()}{option.says[1:]}: {answer}."


def _policies(runs: Link, link: FloorLink, rulings: Rulings, *, folds: bool) -> Iterator[str]:
    """Yield the wager, amounts, caps, and every policy that affects money [LT-10, GEN-10, WA-09]."""
    yield f"The wager is {dollars(link.wager)}."
    counts = "count" if runs.options["folded_hands_qualify"] else "do not count"
    if link.is_house:
        for meter in link.meters:
            opens = f"{_plain(meter.level)} opens at {dollars(meter.amount)}"
            yield f"{opens}; every player who wins it gets what is posted then."
        if folds:
            yield f"Folded hands {counts}."
        yield _FIXED["tray"]
        yield from DISCLOSURES
        return
    for meter in link.meters:
        rate, reserve = money.rate_text(meter.contribution), money.rate_text(meter.reserve)
        fed = f"{rate} of each wager feeds it, and {reserve} its reserve"
        yield f"{_plain(meter.level)} starts at {dollars(meter.seed)}; {fed}."
        if meter.cap != NO_CAP:
            cap = f"{_plain(meter.level)} is capped at {dollars(meter.cap)}"
            yield f"{cap}; what exceeds it feeds the {link.overflow}."
    if folds:
        yield f"Folded hands {counts}."
    yield _winners(link, runs)
    if len(link.tables) > 1:
        yield "Tables that win at the same time are paid in the order in which their hands were entered."
    if any(isinstance(row.pays, Odds) for row in link.paytable.rows):
        yield _FIXED[str(runs.options["fixed_pays_from"])]
    if any(row.envy for row in link.paytable.rows):
        yield _ENVY[str(runs.options["envy_from"])]
    days = link.notice_days if link.notice_days is not None else rulings["notice_days"].number
    yield f"It is removed only after {days} days of notice."


def _returns(link: FloorLink, table: FloorTable) -> Iterator[str]:
    """Yield the return to player, if the odds are known [GEN-26]."""
    stated = stated_returns(link, table)
    if isinstance(stated, Uncounted):
        yield f"What it returns is not stated: {stated.why}."
        return
    for side in dict.fromkeys(stated_return.side for stated_return in stated):
        alone, *company = (stated_return for stated_return in stated if stated_return.side == side)
        bettor = f"a player who bets on the {side}" if side else "the player"
        sentence = f"In the long run {percent(alone.returns.total)} of each wager comes back to {bettor}"
        if all(stated_return.returns.total == alone.returns.total for stated_return in company):
            yield f"{sentence}."
            continue
        others = (
            f"{percent(stated_return.returns.total)} {stated_return.crowd}" for stated_return in company
        )
        yield f"{sentence} {alone.crowd}; {'; '.join(others)}."


def _winners(link: FloorLink, runs: Link) -> str:
    if link.jackpot.divides_shares:
        return _SHARES[str(runs.options["share_with"])]
    return _WINNERS[str(runs.options["several_winners"])]


def _prize(runs: Link, row: Row) -> tuple[str, ...]:
    """Return a hand, its pay and its envy, scaled to the wager [LT-13]."""
    pays = dollars(row.pays.pay(runs.wager)) if isinstance(row.pays, Odds) else str(row.pays)
    back = ", and the wager back" if isinstance(row.pays, Odds) and row.pays.stake_returned else ""
    envy = row.envy_for(runs.wager)
    return hand_name(runs.paytable, row.hand), f"{pays}{back}", dollars(envy) if envy else ""
