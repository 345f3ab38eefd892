"""The page models of the school's exercises, and the wording of their questions."""

from feltwork.site.school.course import Assignment
from feltwork.site.school.drills import MISDEAL, ChoiceQuestion, Drill
from feltwork.site.school.lessons import cited_paragraphs, procedure
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.catalog import gettext as _
from feltwork.site.web.rendering.templating import Model
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.round import Round

TITLES = {"two_jackpots": N_("Two jackpots on one table"), "misdeal": N_("Misdeals")}
#: The question about each subject of a drill, and the rule behind its answer.
QUESTIONS = {
    "start": (
        N_("The chips are on the sensors of both jackpots. How many times do you press START GAME?"),
        N_("One START GAME locks the wagers of every jackpot on the layout."),
    ),
    "pressed": (
        N_("Seat %(seat)s: on which jackpot do you press a hand button?"),
        N_(
            "Each jackpot has its own sensor and its own paytable. Without a chip, a hand wins nothing there."
        ),
    ),
    "claimed": (
        N_("Seat %(seat)s: on which jackpot does the win become a claim?"),
        N_(
            "A share of a meter is a claim of that jackpot, and a supervisor confirms it. "
            "You pay fixed prizes from the tray."
        ),
    ),
    "end_waits": (
        N_("What must END GAME wait for?"),
        N_("END GAME waits until the claims of every jackpot are confirmed or voided."),
    ),
    "end": (
        N_("How many times do you press END GAME?"),
        N_("One END GAME ends the round on every jackpot of the layout."),
    ),
    "called": (
        N_("Count the cards. Is this a misdeal?"),
        N_("A wrong number of cards at any seat or at the dealer voids the round for everyone."),
    ),
    "returned": (
        N_("Seat %(seat)s: how much do you return?"),
        N_("Every wager goes back, the jackpot wager as well."),
    ),
    "meter": (
        N_("What does the jackpot meter show after the misdeal?"),
        N_("The wagers go back, and with them what they had added to the meter."),
    ),
    "badge": (
        N_("Whose badge does a misdeal take?"),
        N_("The dealer calls a supervisor, who voids the round with a badge."),
    ),
}
#: Choices of drills that are not data names.
CHOICES = (
    N_("once"),
    N_("once for each jackpot"),
    N_("once for each seat"),
    N_("both"),
    N_("neither"),
    N_("for the badges of every claim"),
    N_("for one badge in any case"),
    N_("for no badge"),
    N_("it is a misdeal"),
    N_("the deal is right"),
    N_("as before START GAME"),
    N_("with the wagers of the round"),
)
#: A player's choices; in lower case, "hit" is a jackpot hit and "check" is a bank check.
DECISIONS = (
    *(N_("Hit"), N_("Stand"), N_("Double"), N_("Split"), N_("Surrender"), N_("Take"), N_("Leave")),
    *(N_("Fold"), N_("Check"), N_("Bet"), N_("Raise"), N_("Play"), N_("house money left")),
)


def course_title(course: str) -> str:
    """The title of a game or a drill."""
    return _(TITLES[course]) if course in TITLES else registry.game(course).title


def course_of(course: str) -> dict[str, str]:
    """The name and title of a course, for a page."""
    return {"name": course, "title": course_title(course)}


def template_of(dealt: Assignment) -> str:
    """The page of an exercise: a table with chips, or questions with choices."""
    return "school_drill.html" if isinstance(dealt, Drill) else "school_dealer.html"


def model_of(course: str, dealt: Assignment, *, seed: int = 0, number: int = 0, place: int = 0) -> Model:
    """The round and its questions without their answers; a recorded exercise has a number and no seed."""
    common: dict[str, object] = {
        "game": course_of(course),
        "deals": deals_of(dealt),
        "seed": seed,
        "number": number,
        "place": place,
        "questions": len(dealt.questions),
        "table": dealt.round.table_cards,
    }
    if isinstance(dealt, Drill):
        questions = [asked_question(dealt, question) for question in dealt.questions]
        return {
            **common,
            "asked": questions,
            "seats": drill_seats(dealt),
            "paytables": jackpot_paytables(dealt),
        }
    settled = {(question.seat, question.bet) for question in dealt.questions[:place]}
    return {
        **common,
        "paytables": paytables_of(dealt.round),
        "order": cited_paragraphs(procedure(course).order),
        "seats": [
            {
                "seat": seat.number,
                "cards": seat.cards,
                "said": seat.said,
                "folded": dealt.round.game.folded(dealt.round, seat),
                # In layout order, not in settlement order.
                "bets": sorted(
                    (
                        {
                            "bet": question.bet,
                            "staked": question.staked,
                            "settled": (question.seat, question.bet) in settled,
                        }
                        for question in dealt.questions
                        if question.seat == seat.number
                    ),
                    key=lambda bet: str(bet["bet"]),
                ),
            }
            for seat in dealt.round.seats
        ],
    }


def deals_of(dealt: Assignment) -> str:
    """A note on the deal of a drill, if its title does not say enough."""
    if not isinstance(dealt, Drill):
        return ""
    if dealt.course == MISDEAL:
        return dealt.round.game.title
    return _("The dealer's first card is the up card.")


def jackpot_paytables(dealt: Drill) -> list[Paytable]:
    """The paytables of the jackpots, if a drill asks about their hands."""
    return [] if dealt.course == MISDEAL else [table.paytable for table in dealt.round.jackpots]


def asked_question(dealt: Drill, question: ChoiceQuestion) -> Model:
    """The text of a drill question, with its choices and the rule behind it."""
    ask, why = QUESTIONS[question.subject]
    titles = {table.jackpot.name: table.jackpot.title for table in dealt.round.jackpots}
    return {
        "ask": _(ask) % {"seat": question.seat},
        "why": _(why),
        "choices": [{"choice": choice, "says": choice_text(choice, titles)} for choice in question.choices],
    }


def choice_text(choice: str, titles: dict[str, str]) -> str:
    """The text of a choice: the title of a jackpot, an amount, or words."""
    return titles[choice] if choice in titles else f"${choice}" if choice[0].isdigit() else _(choice)


def drill_seats(dealt: Drill) -> list[Model]:
    """The seats of a drill with their wagers."""
    jackpots = {table.jackpot.name: table for table in dealt.round.jackpots}
    return [
        {
            "seat": seat.number,
            "cards": seat.cards,
            "wagers": seat.wagers,
            "jackpots": [
                {"title": jackpots[name].jackpot.title, "wager": jackpots[name].wager}
                for name in sorted(seat.jackpots)
            ],
        }
        for seat in dealt.round.seats
    ]


def paytables_of(round_: Round) -> list[Paytable]:
    """The paytables of the bets on the layout; if the deal selects one, only that one."""
    on_layout = {wager for seat in round_.seats for wager in seat.wagers} | set(round_.game.riding)
    names = {wager.name: wager.paytable for wager in round_.game.wagers if wager.paytable}
    bets = {names.get(wager, wager) for wager in on_layout}
    hands = len(round_.seats) + 1
    chosen = {
        f"{bet}-{hands}" if bet in round_.game.chosen_by_deal else bet
        for bet in bets
        if bet in round_.game.paytable_bets
    }
    return [round_.paytables[name] for name in sorted(chosen)]
