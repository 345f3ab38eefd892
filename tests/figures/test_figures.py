"""The catalogue of figures: every id of the page, chances that sum to one, re-pricing in a keystroke."""

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb, perm
from pathlib import Path

import pytest

from feltwork.odds import count_cache
from feltwork.odds.figures import catalog
from feltwork.odds.figures.figure import decimal
from feltwork.odds.four_card.class_pays import pays_by_class
from feltwork.odds.pricing import Price
from feltwork.odds.sheet import bets, counted_bet, sheet
from feltwork.odds.titles.crazy_4 import solve as crazy_4
from feltwork.odds.titles.crazy_4.counts import cached_counts as crazy_4_counts
from feltwork.odds.titles.holdem_bonus import solve as holdem_bonus
from feltwork.odds.titles.holdem_bonus.counts import cached_counts as holdem_bonus_counts
from feltwork.odds.titles.six_five_four import solve as six_five_four
from feltwork.odds.titles.six_five_four.counts import cached_counts as six_five_four_counts
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Odds, Paytable
from tests.figures.simulated import figure, priced

#: Seconds within which a paytable must be re-priced, and how often a busy machine may try.
KEYSTROKE, TRIES = 0.010, 40


def expanded(pattern: str) -> list[list[str]]:
    """``a/{1,2}/{x,y}?n=3,4`` written out: one list for each of the last braces, the kind of figure."""
    path, _, query = pattern.partition("?")
    parts = [part.strip("{}").split(",") for part in path.split("/")]
    fields = [field.partition("=") for field in query.split("&") if field]
    chosen = [[f"{name}={value}" for value in values.split(",")] for name, _, values in fields]
    *front, kinds = parts
    return [
        [
            "/".join((*place, kind)) + (f"?{'&'.join(terms)}" if terms else "")
            for place in product(*front)
            for terms in product(*chosen)
        ]
        for kind in kinds
    ]


PAGE = (
    "crazy_4/base/{house_edge,element_of_risk,fold_frequency}",
    "crazy_4/super_bonus/hit_frequency",
    "crazy_4/queens_up/{C4P-09,C4P-10,C4P-11,C4P-12}/{house_edge,hit_frequency}",
    "crazy_4/bad_beat/{BBB-01,BBB-02}/{house_edge,hit_frequency}",
    "six_five_four/base/{house_edge,element_of_risk,fold_frequency}",
    "six_five_four/queens_up/{1,2,3}/{house_edge,hit_frequency}",
    "holdem_bonus/base/{flush,straight,three_tens}/{house_edge,element_of_risk}",
    "holdem_bonus/bonus/{1,2}/{house_edge,hit_frequency}",
    "caribbean_stud/cover_all/{house_edge,hit_frequency}?hands=2,3,4,5,6,7,8",
    "caribbean_stud/base/{house_edge,element_of_risk,fold_frequency}",
    "mini_baccarat/{player,banker,tie}/{house_edge,variance}?decks=1,4,6,8",
    "mini_baccarat/dragon_bonus/{1,2,3}/{house_edge,hit_frequency}?decks=4,6,8&side=player,banker",
    "blackjack/house_money/1/house_edge?decks=2,4,6,8",
    "blackjack/house_money/2/house_edge?decks=1",
    "blackjack/house_money/1/house_edge_with_parlay?decks=6&soft_17=stand,hit",
    "four_card/{1,2,3}/{hit_frequency,top_odds,fixed_return}",
    "four_card/{1,2,3}/break_even_meter?envy=0,1,2,3,4,5,6",
    "five_card/{01,ML01,ML03}/{hit_frequency,fixed_return}?game=crazy_4,holdem_bonus",
    "holdem/{THBP-08,QH-11}/{fixed_return,break_even_meter}",
    "dragon/{1,2,3}/{hit_frequency,top_odds}?decks=8&side=player,banker,either",
    "blazing_7s/{1,2,ML03,ML04}/hit_frequency?decks=6,8",
    "trilux/6/{hit_frequency,top_odds,fixed_return,break_even_meter}?decks=6,8",
)
HOLD = [
    f"blazing_7s/{paytable}/hold?decks={decks}&contribution=0.24&seed={seed}"
    for paytable, seed in {"1": "2000", "2": "2000", "ML03": "2000,1000,500", "ML04": "2000,1000"}.items()
    for decks in (6, 8)
]
FAMILIES = [*(family for pattern in PAGE for family in expanded(pattern)), HOLD]


def test_the_listing_has_the_ids_of_the_page_and_no_other() -> None:
    ids = catalog.ids()
    assert len(ids) == len(set(ids)) == 207
    assert sorted(ids) == sorted(identifier for family in FAMILIES for identifier in family)
    for family in FAMILIES:
        assert [identifier for identifier in ids if identifier in family] == family


def test_a_pattern_lists_what_it_fits() -> None:
    assert list(catalog.matching([])) == catalog.ids()
    assert list(catalog.matching(["trilux"])) == [
        identifier for identifier in catalog.ids() if identifier.startswith("tri")
    ]
    assert len(list(catalog.matching(["*hold?*"]))) == len(HOLD)
    assert len(list(catalog.matching(["crazy_4/*", "crazy_4/base"]))) == 16
    own = "blazing_7s/1/hold?decks=6&contribution=0.25&seed=1000"
    assert list(catalog.matching([own])) == [own]


@pytest.mark.parametrize("identifier", catalog.ids())
def test_a_figure_reads_as_json(identifier: str) -> None:
    figure = catalog.figure(identifier)
    data = json.loads(json.dumps(figure.as_json()))
    assert figure.id == identifier
    assert set(data) == {"value", "decimal", "unit", "exact", "method"}
    assert data["exact"] is True, "no figure of the page is an estimate"
    numerator, _, denominator = data["value"].partition("/")
    value = Fraction(int(numerator), int(denominator))
    assert value == figure.value
    assert abs(Fraction(data["decimal"]) - value) <= abs(value) / 10**14
    assert "e" not in data["decimal"].lower(), "written out"
    assert data["unit"]
    assert data["method"]
    is_share = data["unit"].startswith("of ")
    assert 0 < value < (1 if is_share else 10**7)


def test_decimals_are_rounded_to_the_digits_asked_for() -> None:
    assert decimal(Fraction(1, 3), 4) == "0.3333"
    assert decimal(Fraction(2, 3), 4) == "0.6667"
    assert decimal(Fraction(19524993263685, 23005184), 10) == "848721.4562"


FIVES = comb(52, 5)
SHOES = (1, 4, 6, 8)


def prices() -> Iterator[tuple[str, Price, int]]:
    """Every paytable that the figures price, with the number of deals in its space."""
    for game in ("crazy_4", "six_five_four"):
        for paytable in registry.library(game).ids_of("queens_up"):
            yield f"{game} queens_up {paytable}", priced(game, "queens_up", paytable), FIVES
    for paytable in ("BBB-01", "BBB-02"):
        yield f"bad_beat {paytable}", priced("crazy_4", "bad_beat", paytable), FIVES * comb(47, 5)
    for paytable in ("1", "2", "3"):
        yield f"four_card {paytable}", priced("four_card", "jackpot", paytable), FIVES
    for paytable in ("1", "2"):
        yield f"bonus {paytable}", priced("holdem_bonus", "bonus", paytable), comb(52, 2) * comb(50, 2)
    for paytable in ("01", "ML01", "ML03"):
        yield f"five_card {paytable}", priced("five_card", "jackpot", paytable), FIVES
    for paytable in ("THBP-08", "QH-11"):
        # Seven cards, and which two of them are the hole cards.
        yield f"holdem {paytable}", priced("holdem", "jackpot", paytable), comb(52, 7) * comb(7, 2)
    for hands in range(2, 9):
        ways = 1
        for dealt in range(hands):
            ways *= comb(52 - 5 * dealt, 5)
        yield f"cover_all {hands}", priced("caribbean_stud", "cover_all", str(hands), hands=str(hands)), ways
    yield from shoe_prices()


def shoe_prices() -> Iterator[tuple[str, Price, int]]:
    for decks, side, paytable in product((4, 6, 8), ("player", "banker"), ("1", "2", "3")):
        name = f"dragon_bonus {paytable}, {decks} decks, {side}"
        yield (
            name,
            priced("mini_baccarat", "dragon_bonus", paytable, decks=str(decks), side=side),
            perm(52 * decks, 6),
        )
    for side, paytable in product(("player", "banker", "either"), ("1", "1-5", "2", "3")):
        yield (
            f"dragon {paytable} {side}",
            priced("dragon", "jackpot", paytable, decks="8", side=side),
            perm(52 * 8, 6),
        )
    for decks in (1, 2, 4, 6, 8):
        paytable = "2" if decks == 1 else "1"
        yield (
            f"house_money {decks} decks",
            priced("blackjack", "house_money", paytable, decks=str(decks)),
            comb(52 * decks, 2),
        )
    tables = [("trilux", "6"), *(("blazing_7s", paytable) for paytable in ("1", "2", "ML03", "ML04"))]
    for decks, (title, paytable) in product((6, 8), tables):
        triples = comb(52 * decks, 2) * (52 * decks - 2)
        yield (
            f"{title} {paytable}, {decks} decks",
            priced(title, "jackpot", paytable, decks=str(decks)),
            triples,
        )


def test_the_deals_of_every_price_are_all_deals_and_its_chances_sum_to_one() -> None:
    for name, bet, deals in prices():
        assert bet.total == deals, name
        assert min(bet.deals.values()) >= 0, name
        places = [None, *range(len(bet.paytable.rows))]
        assert sum((bet.probability(place) for place in places), Fraction(0)) == 1, name
        assert set(bet.deals) == set(places), name
        assert all(bet.deals[place] > 0 for place in places), f"{name}: a row that never comes up"


def test_the_chances_of_every_solved_game_sum_to_one() -> None:
    crazy = crazy_4.solution()
    assert crazy.deals == sum(crazy.distribution.values()) == FIVES * comb(47, 5) == 3_986_646_103_440
    six = six_five_four.solution()
    assert six.deals == sum(six.distribution.values()) == FIVES * 47 * 46 * comb(45, 4)
    for solved in (crazy, six):
        mean = sum(net * deals for net, deals in solved.distribution.items()) / Fraction(solved.deals)
        assert -mean == solved.house_edge
    for criterion in holdem_bonus.CRITERIA:
        solution = holdem_bonus.solution(criterion)
        assert sum(solution.distribution.values()) == 1
        assert -sum(net * chance for net, chance in solution.distribution.items()) == solution.house_edge


@pytest.mark.parametrize("decks", SHOES)
def test_a_baccarat_round_is_won_by_one_side_or_tied(decks: int) -> None:
    """The three base bets hang together: with the win chances of the edges, all chances sum to one."""
    edges = {
        bet: figure(f"mini_baccarat/{bet}/house_edge?decks={decks}") for bet in ("player", "banker", "tie")
    }
    tie = (1 - edges["tie"]) / 9
    # player edge = banker wins - player wins; banker edge = player wins - 19/20 banker wins.
    banker_wins = 20 * (edges["player"] + edges["banker"])
    player_wins = banker_wins - edges["player"]
    assert player_wins + banker_wins + tie == 1
    assert (tie * perm(52 * decks, 6)).denominator == 1


def raised(paytable: Paytable) -> Paytable:
    """The same table with one unit more on every fixed row: one that nobody has priced before."""
    rows = tuple(
        replace(row, pays=replace(row.pays, wins=row.pays.wins + row.pays.per))
        if isinstance(row.pays, Odds)
        else row
        for row in paytable.rows
    )
    return replace(paytable, rows=rows)


def best_time(work: Callable[[], object]) -> float:
    """The least processor time of several, stopping at the first that is good."""
    best = float("inf")
    for _ in range(TRIES):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
        if best < KEYSTROKE:
            break
        # Another process may share the core's cache and pipelines just now.
        time.sleep(0.1)
    return best


#: A paytable of every bet and jackpot, with options for its counts.
BETS: dict[str, tuple[str, str, str, dict[str, str]]] = {
    "queens_up": ("crazy_4", "queens_up", "C4P-09", {}),
    "queens_up of 6-5-4": ("six_five_four", "queens_up", "1", {}),
    "bad_beat": ("crazy_4", "bad_beat", "BBB-01", {}),
    "four_card": ("four_card", "jackpot", "1", {}),
    "bonus": ("holdem_bonus", "bonus", "2", {}),
    "five_card": ("five_card", "jackpot", "ML03", {}),
    "holdem": ("holdem", "jackpot", "THBP-08", {}),
    "cover_all": ("caribbean_stud", "cover_all", "8", {"hands": "8"}),
    "dragon_bonus": ("mini_baccarat", "dragon_bonus", "3", {"decks": "8", "side": "banker"}),
    "dragon": ("dragon", "jackpot", "3", {"decks": "8", "side": "either"}),
    "house_money": ("blackjack", "house_money", "1", {"decks": "6"}),
    "blazing_7s": ("blazing_7s", "jackpot", "ML03", {"decks": "6"}),
    "trilux": ("trilux", "jackpot", "6", {"decks": "8"}),
}


def test_every_independent_bet_is_repriced_below() -> None:
    assert {(title, bet) for title, bet, _, _ in BETS.values()} == {
        pair for pair in bets() if counted_bet(*pair).solve is None
    }


@pytest.mark.parametrize("bet", BETS)
def test_any_paytable_is_repriced_within_a_keystroke(bet: str) -> None:
    title, name, identifier, options = BETS[bet]
    before = priced(title, name, identifier, **options)
    changed = raised(before.paytable)

    def reprice() -> Price:
        # The counts are loaded again, as the workbench does.
        after = sheet(changed, options).price
        assert after.hit_frequency == before.hit_frequency
        assert after.fixed_return > before.fixed_return
        return after

    assert best_time(reprice) < KEYSTROKE


def test_base_games_are_solved_anew_within_a_keystroke() -> None:
    bonus = pays_by_class(raised(registry.paytable("crazy_4", "super_bonus", "C4P-09")))
    bases = crazy_4.cached_bases()
    assert crazy_4.solve(bases, bonus).house_edge < crazy_4.solution().house_edge
    assert best_time(lambda: crazy_4.solve(bases, bonus)) < KEYSTROKE

    bonus = pays_by_class(raised(registry.paytable("six_five_four", "ante_bonus", "1")))
    totals = six_five_four.class_totals(six_five_four_counts())
    edge = six_five_four.solution().house_edge
    assert six_five_four.solve(totals, bonus).house_edge < edge
    assert best_time(lambda: six_five_four.solve(totals, bonus)) < KEYSTROKE

    counts = holdem_bonus_counts()
    assert best_time(lambda: holdem_bonus.solve(counts, "straight")) < KEYSTROKE


@pytest.mark.parametrize(
    ("identifier", "remedy"),
    [
        ("nothing", "feltwork figures"),
        ("crazy_4/base/house_edge/more", "feltwork figures"),
        ("five_card/ML01/break_even_meter?game=crazy_4", "feltwork figures"),
        ("crazy_4/base/house_edge?decks=1", "write it like crazy_4/base/house_edge"),
        ("mini_baccarat/player/house_edge", "write it like mini_baccarat/player/house_edge?decks=1"),
        ("mini_baccarat/player/house_edge?decks=8&side=player", "write it like"),
        ("mini_baccarat/player/house_edge?decks=many", "write it like"),
        ("mini_baccarat/player/house_edge?decks=0", "write it like"),
        ("mini_baccarat/player/house_edge?decks", "write it like"),
        ("mini_baccarat/nobody/house_edge?decks=8", "choose from: player, banker, tie"),
        ("mini_baccarat/dragon_bonus/1/house_edge?decks=8&side=left", "choose from: player, banker"),
        ("mini_baccarat/dragon_bonus/4/house_edge?decks=8&side=player", "choose from: 1, 2, 3"),
        ("caribbean_stud/cover_all/house_edge?hands=9", "choose from: 2, 3, 4, 5, 6, 7, 8"),
        ("blackjack/house_money/1/house_edge_with_parlay?decks=6&soft_17=maybe", "choose from: stand, hit"),
        ("holdem_bonus/base/pair/house_edge", "choose from: flush, straight, three_tens"),
        ("four_card/1/break_even_meter?envy=-1", "write it like"),
        ("five_card/01/hit_frequency?game=mini_baccarat", "crazy_4"),
        ("five_card/01/hit_frequency?game=nothing", "choose from"),
        ("blazing_7s/1/hold?decks=6&contribution=much&seed=2000", "write it like"),
        ("blazing_7s/1/hold?decks=6&contribution=0.24&seed=2000,1000", "one seed for each"),
    ],
)
def test_a_figure_that_does_not_exist_is_answered_with_a_remedy(identifier: str, remedy: str) -> None:
    with pytest.raises(ProblemsError) as excinfo:
        catalog.figure(identifier)
    assert any(remedy in problem.remedy for problem in excinfo.value.problems)


def test_a_hold_with_other_parameters() -> None:
    def hold(contribution: str, seed: str) -> Fraction:
        identifier = f"blazing_7s/ML04/hold?decks=6&contribution={contribution}&seed={seed}"
        value = catalog.figure(identifier).value
        assert isinstance(value, Fraction)
        return value

    assert hold("0.24", "2000,1000") == Fraction(701527, 3133325)
    assert hold("0.24", "2000,1000") - hold("0.25", "2000,1000") == Fraction(1, 100)
    # 120 of 30,079,920 ordered triples are diamond sevens, the others suited 360.
    triples = 312 * 311 * 310
    assert hold("0.24", "2000,1000") - hold("0.24", "2001,1000") == Fraction(120, triples)
    assert hold("0.24", "2000,1000") - hold("0.24", "2000,1001") == Fraction(360, triples)
    assert hold("0", "0,0") == 1 - priced("blazing_7s", "jackpot", "ML04", decks="6").fixed_return


QUICK = (
    "mini_baccarat/banker/house_edge?decks=8",
    "mini_baccarat/dragon_bonus/2/house_edge?decks=6&side=banker",
    "dragon/3/top_odds?decks=8&side=either",
    "blackjack/house_money/1/house_edge?decks=6",
    "blazing_7s/ML03/hit_frequency?decks=8",
    "holdem_bonus/bonus/2/house_edge",
)


def test_counts_are_kept_in_the_folder_and_give_the_same_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [catalog.figure(identifier).value for identifier in QUICK]
    monkeypatch.setenv("FELTWORK_CACHE", str(tmp_path))
    monkeypatch.setattr(count_cache, "SHIPPED", tmp_path / "none")
    for _ in range(2):
        assert [catalog.figure(identifier).value for identifier in QUICK] == before
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert len(files) == len(QUICK)

    # What is kept is what is read: doubled counts are taken as they stand, and change no chance.
    (bonus,) = (path for path in files if path.name.startswith("hole_cards-"))
    rows = json.loads(bonus.read_text(encoding="utf-8"))
    bonus.write_text(json.dumps([[names, 2 * deals] for names, deals in rows]), encoding="utf-8")
    assert priced("holdem_bonus", "bonus", "2").total == 2 * comb(52, 2) * comb(50, 2)
    assert catalog.figure("holdem_bonus/bonus/2/house_edge").value == before[-1]


def test_a_folder_that_cannot_be_written_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    identifier = "blackjack/house_money/1/house_edge?decks=8"
    before = catalog.figure(identifier).value
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    # Whoever runs as root writes anywhere, so a file stands where the folder should be as well.
    blocked = tmp_path / "file"
    blocked.write_text("no folder", encoding="utf-8")
    for place in (locked, blocked):
        monkeypatch.setenv("FELTWORK_CACHE", str(place))
        assert catalog.figure(identifier).value == before
    locked.chmod(0o700)
    assert os.geteuid() == 0 or list(locked.iterdir()) == []


def test_arrays_are_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts, own = crazy_4_counts().arrays(), ("feltwork.money",)
    monkeypatch.setenv("FELTWORK_CACHE", str(tmp_path))
    assert count_cache.kept_arrays("some", lambda: counts, of=own) is counts
    again = count_cache.kept_arrays("some", lambda: pytest.fail("they were kept"), of=own)
    assert set(again) == set(counts)
    assert all((again[name] == counts[name]).all() for name in counts)
