"""The configuration of a link: kind, paytable, wager, levels and operator policies."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from feltwork import money
from feltwork.money import CENT, WHOLE_BASIS_POINTS, Micros
from feltwork.problem import Problem, ProblemsError
from feltwork.site.progressive.accounts import verify_name
from feltwork.titles import meter_pays, registry
from feltwork.titles.paytables.paytable import Odds, Paytable, Row, Share
from feltwork.titles.title import Jackpot, OptionValue

#: When an award leaves the meter; ``run`` means when the Aquarius key returns to RUN.
LockAt: TypeAlias = Literal["claim", "confirm", "run"]
Controls: TypeAlias = Literal["nexus", "aquarius"]
#: Whether meters grow with wagers, or the operator posts its own prizes.
LinkKind: TypeAlias = Literal["progressive", "house"]
NO_CAP: Micros = -1
#: Options of every house jackpot: the posted prize to each winner, fixed pays from the tray [WA-03].
HOUSE_OPTIONS: Mapping[str, OptionValue] = {"several_winners": "each_in_full", "fixed_pays_from": "tray"}
#: Notices that every table with a house jackpot must show [WA-02].
DISCLOSURES = (
    "This is a house jackpot: no player money funds it.",
    "It may be removed without notice.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One meter's parameters [GEN-01]: rates are basis points of the wager."""

    name: str
    seed: Micros
    contribution: int
    reserve: int
    #: A single round that would add more than this to the level is refused and alarmed.
    unreasonable: Micros
    #: The cap when the link opens; a separate command changes it later.
    cap: Micros = NO_CAP
    #: The amount that a house jackpot posts when it opens; it has no seed and no rates.
    amount: Micros = 0


@dataclass(frozen=True, kw_only=True)
class Link:
    """A progressive link or a house jackpot: one jackpot, one paytable, one wager, one to three levels."""

    id: str
    jackpot: str
    paytable: Paytable
    wager: Micros
    levels: tuple[Level, ...]
    controls: Controls
    lock_at: LockAt
    #: An award above this amount needs an executive's badge [LT-03].
    executive_above: Micros
    #: The option values of the jackpot: several winners, fixed pays, folded hands, envy.
    options: Mapping[str, OptionValue]
    #: Levels whose awards always need an executive's badge.
    executive_levels: tuple[str, ...] = ()
    variant: str = ""
    #: Whether an executive may sign alone above the executive level; otherwise two people sign.
    executive_alone: bool = False
    kind: LinkKind = "progressive"

    @property
    def is_house(self) -> bool:
        """Whether two people post its prizes and the operator pays them [WA-01]."""
        return self.kind == "house"

    @property
    def house_share(self) -> int:
        """The retention rate, in basis points [WA-05]."""
        return WHOLE_BASIS_POINTS - sum(level.contribution + level.reserve for level in self.levels)

    @cached_property
    def title(self) -> Jackpot:
        """The jackpot's own rules."""
        return registry.jackpot(self.jackpot)

    @property
    def shares_prizes(self) -> bool:
        """Whether several winners of a round share one prize, divided or paid to each in full [LT-08].

        Every winner of a house jackpot has a separate prize [WA-03].
        """
        if self.is_house:
            return False
        return self.title.divides_shares or self.options["several_winners"] != "seat_order"

    @cached_property
    def level_names(self) -> tuple[str, ...]:
        """The level names, highest first."""
        return tuple(level.name for level in self.levels)

    def level(self, name: str) -> Level:
        """Return the level with this name."""
        return next(level for level in self.levels if level.name == name)

    def row(self, hand: str) -> Row | None:
        """Return the row of a hand button, if any."""
        return self._rows.get(hand)

    @cached_property
    def _rows(self) -> dict[str, Row]:
        # The first row with a name is the one that pays.
        return {row.hand: row for row in reversed(self.paytable.rows)}

    def takes_from_meter(self, row: Row) -> bool:
        """Whether a row's award comes off a meter and therefore needs a claim [LT-05]."""
        return isinstance(row.pays, Share) or (
            isinstance(row.pays, Odds) and self.options["fixed_pays_from"] == "meter"
        )

    def level_paying(self, hand: str) -> str:
        """Return the level that pays a hand's award: a share's own level, the lowest for a fixed pay."""
        row = self.row(hand)
        return row.pays.level if row and isinstance(row.pays, Share) else self.paytable.levels[-1]

    def divides(self, hand: str) -> bool:
        """Whether the winners of a round divide the prize for this hand [LT-08]."""
        row = self.row(hand)
        divided = self.title.divides_shares or self.options["several_winners"] == "split"
        return divided and not self.is_house and row is not None and isinstance(row.pays, Share)

    def covers_table(self, hand: str) -> bool:
        """Whether one press enters the hand for every seat with a jackpot wager, as all share the prize."""
        return self.options.get("share_with") == "all_bettors" and self.divides(hand)

    @property
    def folded_hands_qualify(self) -> bool:
        """Whether a folded hand can win; otherwise the dealer marks the seats that fold."""
        return self.options.get("folded_hands_qualify") is not False

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over everything that decides money: the version recorded in rounds and entries."""
        body = {
            "id": self.id,
            "kind": self.kind,
            "jackpot": self.jackpot,
            "variant": self.variant,
            "paytable": self.paytable.fingerprint,
            "wager": self.wager,
            "levels": [
                [
                    level.name,
                    level.seed,
                    level.contribution,
                    level.reserve,
                    level.unreasonable,
                    level.cap,
                    level.amount,
                ]
                for level in self.levels
            ],
            "controls": self.controls,
            "lock_at": self.lock_at,
            "executive_above": self.executive_above,
            "executive_levels": list(self.executive_levels),
            "executive_alone": self.executive_alone,
            "options": dict(self.options),
        }
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()


def options_of(jackpot: Jackpot, **chosen: OptionValue) -> dict[str, OptionValue]:
    """Return a jackpot's options with the house's choices, and the rules' defaults for the rest."""
    known = {option.name: option for option in (*meter_pays.OPTIONS, *jackpot.options)}
    return {name: chosen.get(name, option.default) for name, option in known.items()}


def verify_link(link: Link) -> None:
    """Raise all problems that keep a link from going live."""
    problems = [
        *_plan_problems(link),
        *_level_problems(link),
        *(_house_problems(link) if link.is_house else ()),
        *_policy_problems(link),
    ]
    if problems:
        raise ProblemsError(problems)


def _plan_problems(link: Link) -> list[Problem]:
    problems = []
    for name in (link.id, *link.level_names):
        try:
            verify_name(name)
        except ValueError as error:
            problems.append(Problem(f"link {link.id}", str(error), "choose another name", "GEN-03"))
    if link.wager <= 0 or link.wager % CENT:
        problems.append(
            Problem(
                f"link {link.id}, wager",
                f"{money.text(link.wager)} is not a wager in whole cents",
                "use whole cents, so that contributions are exact",
                "WA-05",
            )
        )
    if link.house_share < 0:
        problems.append(
            Problem(
                f"link {link.id}, levels",
                f"contributions and reserves take {WHOLE_BASIS_POINTS - link.house_share} basis points",
                f"the parts sum to the wager: lower them to {WHOLE_BASIS_POINTS} at most",
                "WA-05",
            )
        )
    if set(link.level_names) != set(link.paytable.levels) or len(set(link.level_names)) != len(link.levels):
        problems.append(
            Problem(
                f"link {link.id}, levels",
                f"{', '.join(link.level_names) or 'none'} are not the meters of {link.paytable.name}",
                f"give exactly: {', '.join(link.paytable.levels)}",
                "GEN-03",
            )
        )
    return problems


def _level_problems(link: Link) -> list[Problem]:
    """Problems with rates and amounts [GEN-01, GEN-03]."""
    problems = []
    for level in link.levels:
        where = f"link {link.id}, level {level.name}"
        if level.contribution < 0 or level.reserve < 0 or level.seed < 0:
            problems.append(Problem(where, "a rate or the seed is negative", "choose 0 or more", "GEN-01"))
        if level.seed % CENT or (level.cap != NO_CAP and level.cap % CENT):
            problems.append(Problem(where, "seed or cap is not in whole cents", "use whole cents", "GEN-01"))
        if level.cap not in (NO_CAP, max(level.cap, level.seed)):
            what = f"the cap {money.dollars(level.cap)} is below the seed {money.dollars(level.seed)}"
            problems.append(Problem(where, what, "raise the cap or remove it", "WA-09"))
        if level.unreasonable < money.part(link.wager, level.contribution):
            problems.append(
                Problem(
                    where,
                    "the limit for unreasonable contributions is below one wager",
                    "set it to what a full table adds per round",
                    "GEN-01",
                )
            )
    return problems


def _house_problems(link: Link) -> list[Problem]:
    """Check that a house jackpot posts a prize per level, takes no player money and pays winners in full."""
    problems = []
    for level in link.levels:
        where = f"link {link.id}, level {level.name}"
        if level.contribution or level.reserve or level.seed or level.cap != NO_CAP:
            what = "no player money may feed a house jackpot: it has no seed, no rates and no cap"
            problems.append(Problem(where, what, "give only its level and amount", "WA-01"))
        if level.amount <= 0 or level.amount % CENT:
            what = f"{money.text(level.amount)} is not a prize in whole cents"
            problems.append(Problem(where, what, "enter the amount that every winner gets", "WA-03"))
    if link.title.divides_shares:
        what = f"{link.jackpot} divides its prize, and a house jackpot pays every winner in full"
        problems.append(Problem(f"link {link.id}, jackpot", what, "make it a progressive", "WA-03"))
    for option, value in HOUSE_OPTIONS.items():
        if link.options.get(option) != value:
            what = f"a house jackpot pays with {option} = {value}"
            problems.append(Problem(f"link {link.id}, {option}", what, "leave the option out", "WA-03"))
    return problems


def _policy_problems(link: Link) -> list[Problem]:
    problems = []
    if (link.controls == "aquarius") != (link.lock_at == "run"):
        problems.append(
            Problem(
                f"link {link.id}, lock_at",
                f"{link.controls} controls do not move the meter at {link.lock_at}",
                "use run for aquarius controls, and claim or confirm for nexus controls",
                "LT-03",
            )
        )
    known = {option.name: option for option in (*meter_pays.OPTIONS, *link.title.options)}
    for name, option in known.items():
        if link.options.get(name) not in option.values:
            problems.append(
                Problem(
                    f"link {link.id}, {name}",
                    f"is {link.options.get(name, 'not chosen')}",
                    f"choose from: {', '.join(map(str, option.values))}",
                    "LT-10",
                )
            )
    problems += [
        Problem(
            f"link {link.id}, {name}",
            "is not an option of this jackpot",
            f"choose from: {', '.join(known)}",
            "LT-10",
        )
        for name in link.options
        if name not in known
    ]
    if link.variant not in link.title.variants:
        remedy = f"choose from: {', '.join(link.title.variants)}"
        problems.append(Problem(f"link {link.id}, variant", f"{link.variant!r} is unknown", remedy, "GEN-03"))
    return problems
