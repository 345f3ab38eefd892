"""Table checks: their number, their jackpots and their wager limits."""

from collections.abc import Iterator

from feltwork import money
from feltwork.money import Micros
from feltwork.site.compliance.approvals_register import GAMES, PAYTABLES
from feltwork.site.compliance.finding import Finding, FloorCase
from feltwork.site.compliance.floor import FloorTable
from feltwork.site.compliance.funds import top_award_at_lowest
from feltwork.toml_locations import Place


def check_tables(case: FloorCase) -> Iterator[Finding]:
    """Check every table, and the number of tables."""
    most = case.rulings["tables_per_site"]
    by_site: dict[str, list[FloorTable]] = {}
    for table in case.floor.tables:
        by_site.setdefault(table.location, []).append(table)
    for location, tables in by_site.items():
        if most.number is not None and len(tables) > most.number:
            what = f"{location} has {len(tables)} tables; {most.cited} allows {most.number}"
            yield case.refused(tables[most.number].place, most.requirement, what, "take tables away")
    for table in case.floor.tables:
        yield from _sensors(case, table)
        yield from _types(case, table)
        yield from _alone(case, table)
        yield from _made_for(case, table)
        yield from _possible(case, table)
        yield from _wagers(case, table)
        yield from _games_per_hand(case, table)
        yield from _aggregate(case, table)


def _sensors(case: FloorCase, table: FloorTable) -> Iterator[Finding]:
    """Limit the sensors of a table, with one jackpot on each [WA-04]."""
    most = case.rulings["sensors_per_table"]
    jackpots = len(case.floor.links_of(table))
    place = (*table.place, "sensors")
    bound = most.number
    if bound is not None and max(table.sensors, jackpots) > bound:
        what = f"{table.id} has {table.sensors} sensors and {jackpots} jackpots; a layout carries {bound}"
        yield case.not_allowed(table, place, most.requirement, what, "take a jackpot off the table")
    elif table.entry == "sensors" and jackpots > table.sensors:
        what = f"{table.id} has {jackpots} jackpots on {table.sensors} sensors; a sensor serves one jackpot"
        yield case.not_allowed(table, place, "WA-04", what, "give each jackpot its sensor")
    if table.entry == "dealer" and jackpots:
        what = f"{table.id} has no sensors: the dealer enters the seats before START GAME"
        yield case.note((*table.place, "entry"), "LT-01", what, "see that the approval of the game covers it")


def _types(case: FloorCase, table: FloorTable) -> Iterator[Finding]:
    """Refuse a table with both house and progressive jackpots [WA-04]."""
    ruling = case.rulings["jackpot_types_mix"]
    links = case.floor.links_of(table)
    houses = [link.id for link in links if link.is_house]
    progressives = [link.id for link in links if not link.is_house]
    if houses and progressives and not ruling.flag:
        carries = f"{table.id} carries the house jackpot {houses[0]} and the progressive {progressives[0]}"
        what, remedy = (
            f"{carries}; one table's jackpots are all of one type",
            "move one of them to other tables",
        )
        yield case.not_allowed(table, table.place, ruling.requirement, what, remedy)


def _alone(case: FloorCase, table: FloorTable) -> Iterator[Finding]:
    """Limit the jackpots at tables with bets such as House Money [HM.house_money.one-jackpot]."""
    rule, links = GAMES.get(table.game.name), case.floor.links_of(table)
    if rule and rule.one_jackpot_with in table.limits.side_bets and len(links) > 1:
        offers = f"{table.id} offers {rule.one_jackpot_with} with {' and '.join(link.id for link in links)}"
        what = f"{offers}; only one jackpot is allowed with that bet [{rule.one_jackpot_cites}]"
        yield case.not_allowed(table, table.place, "WA-13", what, "take one of them off the table")


def _made_for(case: FloorCase, table: FloorTable) -> Iterator[Finding]:
    """Refuse a paytable approved for another number of decks than the table's [LT-16]."""
    for bet, paytable in table.paytables.items():
        approval = PAYTABLES.get(paytable.name)
        if approval is not None and approval.decks and table.decks not in approval.decks:
            fits = " or ".join(map(str, approval.decks))
            what = f"{table.id}: {paytable.name} is made for {fits} deck(s) [{approval.cites}]"
            yield case.not_allowed(table, "paytables", "LT-16", what, f"choose another paytable for {bet}")


def _wagers(case: FloorCase, table: FloorTable) -> Iterator[Finding]:
    """Refuse single wagers above the day's limit; note those that rely on an uncertain limit [WA-26]."""
    ruling = case.rulings["single_wager"]
    if ruling.amount is None:
        return
    before = money.parse(str(ruling.before)) if ruling.before else None
    for place, name, amount in _single_wagers(case, table):
        if amount > ruling.amount:
            what = f"{name} is {money.dollars(amount)}; {ruling.cited} allows {money.dollars(ruling.amount)}"
            since = f" since {ruling.since}" if ruling.before else ""
            approval = GAMES.get(table.game.name) if case.rulings["approval_letters"].flag else None
            cites = f" [{approval.limits}]" if approval else ""
            yield case.refused(place, ruling.requirement, what + since + cites, "lower it")
        elif ruling.uncertain and (before is None or amount > before):
            only = f"allowed only under an unconfirmed limit: {ruling.uncertain}"
            what = f"{name} is {money.dollars(amount)}, {only}"
            remedy = 'settle it with [[confirmed]] rule = "single_wager"'
            yield case.note(place, ruling.requirement, what, remedy)
    grown = max(
        (limits for limits in table.bets if limits.kind == "added"),
        key=lambda limits: limits.maximum,
        default=None,
    )
    if grown and grown.maximum > ruling.amount:
        name, most = grown.bet.replace("_", " "), money.dollars(grown.maximum)
        allowed = f"{ruling.cited} allows {money.dollars(ruling.amount)} for a wager"
        what = f"{table.id}'s {name} may come to {most} with winnings left on it; {allowed}"
        remedy = "ask the regulator whether the limit applies to winnings, or allow less of them to stay"
        yield case.note((*table.place, "side_bets"), ruling.requirement, what, remedy)


def _single_wagers(case: FloorCase, table: FloorTable) -> Iterator[tuple[Place, str, Micros]]:
    """Yield the largest wager of the game, of each side bet, and of each jackpot at its first table."""
    largest = max(
        (limits for limits in table.bets if limits.kind == "game"), key=lambda limits: limits.maximum
    )
    yield (*table.place, "highest_wager"), f"{table.id}'s highest {largest.bet}", largest.maximum
    for bet, highest in table.limits.side_bets.items():
        yield (*table.place, "side_bets"), f"{table.id}'s {bet}", highest
    for link in case.floor.links_of(table):
        if table.id == link.tables[0]:
            yield (*link.place, "wager"), f"the wager of {link.id}", link.wager


def _possible(case: FloorCase, table: FloorTable) -> Iterator[Finding]:
    """Refuse a bet whose minimum is above its maximum [WA-28]."""
    for limits in table.bets:
        if limits.minimum is not None and limits.minimum > limits.maximum:
            least, most = money.dollars(limits.minimum), money.dollars(limits.maximum)
            what = (
                f"{table.id}'s {limits.bet} is at least {least} and at most {most}: "
                f"{limits.rule} [{limits.cites}]"
            )
            key = "side_bets" if limits.kind == "side_bet" else "lowest_wager"
            yield case.refused((*table.place, key), "WA-28", what, "raise the highest, or lower the lowest")


def _games_per_hand(case: FloorCase, table: FloorTable) -> Iterator[Finding]:
    """Limit the games on one hand, and those with more than a small wager [WA-26]."""
    most, above, small = (
        case.rulings[name] for name in ("games_per_hand", "games_above_small", "small_wager")
    )
    jackpots = {link.id: link.wager for link in case.floor.links_of(table)}
    games = {table.game.name: table.limits.highest, **table.limits.side_bets, **jackpots}
    if most.number is not None and len(games) > most.number:
        what = f"{table.id} plays {len(games)} games on one hand: {', '.join(games)}"
        yield case.refused(table.place, most.requirement, what, f"{most.cited} allows {most.number}")
    if above.number is None or small.amount is None:
        return
    high = [name for name, wager in games.items() if wager > small.amount]
    if len(high) > above.number:
        least = money.dollars(small.amount)
        what = f"{table.id} takes more than {least} on {len(high)} games: {', '.join(high)}"
        remedy = f"{above.cited} allows {above.number}: lower the others"
        yield case.refused(table.place, above.requirement, what, remedy)


def _aggregate(case: FloorCase, table: FloorTable) -> Iterator[Finding]:
    """Refuse an aggregate limit below the law's amount or the top award at the minimum bet [GEN-23]."""
    ruling, limit = case.rulings["aggregate_from"], table.table_aggregate
    if ruling.amount is None or limit is None:
        return
    place = (*table.place, "table_aggregate")
    if table.limits.lowest is None:
        what = f"{table.id} has an aggregate limit but no lowest wager to check it against"
        yield case.refused(place, ruling.requirement, what, "add lowest_wager")
        return
    least = max(ruling.amount, top_award_at_lowest(table))
    if limit < least:
        limited = f"{table.id} limits the wins of a round to {money.dollars(limit)}"
        what = f"{limited}; {ruling.cited} requires at least {money.dollars(least)}"
        yield case.refused(place, ruling.requirement, what, "raise the limit")
