"""The registry of reports: the source of HTTP routes, pages, CSV and documentation.

A report is one block of SQL in ``books/reports/queries.sql`` and one `Report` in `_ALL`.
"""

from feltwork.site.books.reports import block
from feltwork.site.books.reports.computed import (
    cash_rows,
    deposits_rows,
    drop_and_hold_rows,
    journal_rows,
    record_retention_rows,
    register_rows,
    submission_rows,
)
from feltwork.site.books.reports.report import Report, of

_ADJUSTMENT = of(
    "link, entry: number, booked_at: moment, adjustment, reason, text, evidence, award, pool, level, "
    "before: amount, after: amount, change: amount total, asked_by, approved_by"
)
_ALL = (
    Report(
        name="funds",
        title="Deposit and liability",
        says="What the bank must hold for each link, and what stops it.",
        columns=of(
            "link, displayed: amount total, not_displayed: amount total, pending: amount total, "
            "payable: amount total, required: amount total, accrued_since_count: amount total, "
            "counted_at: moment, bank_balance: amount, over_at_count: amount, stopped_by"
        ),
        query=block("funds"),
    ),
    Report(
        name="reconciliation",
        title="Reconciliation",
        says="Player funds from opening to closing; differences first.",
        columns=of(
            "link, opening: amount total, opened: amount total, contributed: amount total, "
            "misdealt: amount total, seeds_and_house: amount total, paid: amount total, "
            "reversed: amount total, adjusted: amount total, transferred: amount total, "
            "closing: amount total, unexplained: amount total, difference: amount total, "
            "bank_counted_at: moment, bank_balance: amount, bank_difference: amount"
        ),
        query=block("reconciliation"),
    ),
    Report(
        name="daily_lines",
        title="Master games report",
        says="A line for each table and jackpot of the day.",
        columns=of(
            "table_id, link, jackpot, rounds: number total, wagers: number total, wagered: amount total, "
            "to_meters: amount total, to_reserves: amount total, to_house: amount total, "
            "misdeals: number total, returned: amount total, awards_from_meter: amount total, "
            "awards_from_house: amount total, awards_reversed: amount total, "
            "fixed_from_tray: amount total, envy_from_tray: amount total"
        ),
        query=block("daily_lines"),
    ),
    Report(
        name="drop_and_hold",
        title="Jackpot drop and hold",
        says="Jackpot wagers by day, table and game, and what the operator holds of them.",
        columns=of(
            "day, table, link, rounds: number total, wagers: number total, drop: amount total, "
            "contributed: amount total, paid: amount total, hold: amount total, game"
        ),
        query=drop_and_hold_rows,
        takes=("since", "until"),
    ),
    Report(
        name="meter_history",
        title="Meters over time",
        says="The meters of a link over time, with every hit.",
        columns=of("booked_at: moment, level, meter: amount, hit: amount total, hand: name, award, link"),
        query=block("meter_history"),
        optional=("level",),
    ),
    Report(
        name="adjustments",
        title="Adjustments",
        says="Every change that people made: who, before, after, why.",
        columns=_ADJUSTMENT,
        query=block("adjustments"),
    ),
    Report(
        name="month_end",
        title="Month-end adjustments",
        says="Adjustments above an amount, the largest first.",
        columns=_ADJUSTMENT,
        query=block("month_end"),
    ),
    Report(
        name="deposits",
        title="Weekly deposits",
        says="What each link grew by in a week, what the bank must hold, and what the count found.",
        columns=of(
            "week_begins: moment, week_ends: moment, link, opening: amount, accrued: amount total, "
            "required: amount total, counted_at: moment, bank_balance: amount, over_at_count: amount, "
            "deposit_due: yes_no"
        ),
        query=deposits_rows,
        takes=("since", "until"),
    ),
    Report(
        name="register",
        title="Display register",
        says="What each level displayed when each day ended.",
        columns=of("day_begins: moment, day_ends: moment, link, level, displayed: amount, change: amount"),
        query=register_rows,
        takes=("since", "until"),
    ),
    Report(
        name="day_sheets",
        title="Day sheets",
        says="Each day that was closed: by whom, when, and what was explained.",
        columns=of(
            "number: number, day, closed_at: moment, closed_by, explained: number, explanations: detail, hash"
        ),
        query=block("day_sheets"),
    ),
    Report(
        name="meter_sheet",
        title="Meter sheet",
        says="The opening amount of a level and every change of it, explained.",
        columns=of(
            "first_entry: number, last_entry: number, booked_at: moment, what, change: amount total, "
            "after: amount, explanation, people"
        ),
        query=block("meter_sheet"),
    ),
    Report(
        name="hits",
        title="Last hits",
        says="The last 25 of each link.",
        columns=of(
            "link, entry: number, booked_at: moment, award, level, hand: name, table, round: number, "
            "seat: number, amount: amount total, status, supervisor, executive, place: number"
        ),
        query=block("hits"),
    ),
    Report(
        name="counters",
        title="Counters",
        says="Parameters and counters that nobody can set back.",
        columns=of(
            "link, level, current: amount, reserve: amount, seed: amount, "
            "contribution_basis_points: number, reserve_basis_points: number, cap: amount, "
            "wagers: number total, wagered: amount total, accrued: amount total, reserved: amount total, "
            "overflow: amount total, hits: number total, won: amount total, paid: amount total, "
            "returned: amount total, reversed: amount total"
        ),
        query=block("counters"),
    ),
    Report(
        name="periods",
        title="Versions in force",
        says="Each version of a link with its rates, who put it in force, and what it contributed.",
        columns=of(
            "link, first_entry: number, began_at: moment, ended_at: moment, version, before, "
            "rates: detail, asked_by, approved_by, contributed: amount"
        ),
        query=block("periods"),
    ),
    Report(
        name="payouts",
        title="Payout records",
        says="Each win with its payee, its checklist, its tax record and its payment.",
        columns=of(
            "link, award, table, round: number, seat: number, hand: name, cards, amount: amount total, "
            "status, claimed_by, supervisor, executive, payee, patron, withheld: amount total, "
            "flags: detail, not_deducted: yes_no, steps: detail, done: detail, written_by, "
            "written_at: moment, form, paid_by, paid_at: moment"
        ),
        query=block("payouts"),
    ),
    Report(
        name="confiscations",
        title="Confiscations",
        says="Awards of self-excluded patrons: the transmittal to the state's problem gambling account.",
        columns=of(
            "link, award, confiscated_at: moment, amount: amount total, reason, by, approved_by, "
            "incident: number, notify_by: moment, notified_at: moment"
        ),
        query=block("confiscations"),
    ),
    Report(
        name="win_page",
        title="Win, step by step",
        says="One award: who claimed, confirmed and paid it, and the meter before and after.",
        columns=of(
            "link, award, table, round: number, seat: number, hand: name, level, status, "
            "from_meter: amount, from_house: amount, amount: amount, restart_seed: amount, "
            "restart_reserve: amount, claimed_by, supervisor, executive, entry: number, "
            "booked_at: moment, step, form, person, meter_before: amount, meter_after: amount"
        ),
        query=block("win_page"),
    ),
    Report(
        name="cash",
        title="Cash by person",
        says="Cash paid to each person on a gambling day, and who must be reported.",
        columns=of(
            "day, payee, patron, payments: number total, amount: amount total, reported: yes_no, why, "
            "awards: detail, last_paid_at: moment, paid_by"
        ),
        query=cash_rows,
        takes=("day",),
    ),
    Report(
        name="dispute",
        title="Dispute packet",
        says="Everything the books know about one round, in the order it was booked.",
        columns=of("booked_at: moment, what, about: detail"),
        query=block("dispute"),
    ),
    Report(
        name="events",
        title="Events",
        says="Events by date, table and code.",
        columns=of("booked_at: moment, link, device, code, about: detail"),
        query=block("events"),
        optional=("table", "code"),
    ),
    Report(
        name="gaps",
        title="Gaps",
        says="Round numbers that have not arrived.",
        columns=of("link, table, first: number, last: number, rounds: number total"),
        query=block("gaps"),
    ),
    Report(
        name="journal",
        title="Journal",
        says="The entries of a link's chain, each with its fact and its hash.",
        columns=of("number: number, at: moment, kind, fact: detail, hash"),
        query=journal_rows,
        takes=("link", "after", "limit"),
    ),
    Report(
        name="audit_log",
        title="Log",
        says="What people and devices asked for.",
        columns=of("id: number, booked_at: moment, who, place, what, why, before: detail, after: detail"),
        query=block("audit_log"),
    ),
    Report(
        name="incidents",
        title="Incidents",
        says="Malfunctions, and when the regulator had to be notified and was.",
        columns=of(
            "number: number, link, table, what, learned_at: moment, opened_by, notify_by: moment, "
            "notified_at: moment, notified_by, notice, closed_at: moment, closed_by, cause, late: yes_no"
        ),
        query=block("incidents"),
    ),
    Report(
        name="installations",
        title="Installations",
        says="Installations and live tests, with the notice given for each.",
        columns=of(
            "number: number, what, notified_at: moment, notice, begins_at: moment, "
            "hours_of_notice: number, planned_by, planned_at: moment, outcome, says, ended_by, "
            "ended_at: moment"
        ),
        query=block("installations"),
    ),
    Report(
        name="access_reviews",
        title="Access reviews",
        says="Who reviewed the list of users and their roles, and when.",
        columns=of("number: number, reviewed_at: moment, reviewed_by, says, users: number, people: detail"),
        query=block("access_reviews"),
    ),
    Report(
        name="dealer_training",
        title="Dealer training",
        says="The progress of each trainee of the school, and the courses that they have completed.",
        columns=of(
            "trainee, person, course: name, exercises: number, answers: number total, correct: number total, "
            "in_a_row: number, last_answered_at: moment, completed_at: moment"
        ),
        query=block("dealer_training"),
    ),
    Report(
        name="submission",
        title="Submission",
        says="Devices, exact odds, resets and rates of a link, for the regulator.",
        columns=of(
            "link, version, table, game, location, manufacturer, sensors: number, paytable, "
            "wager: amount, side, hand: name, pays, probability, level, reset: amount, cap: amount, "
            "contribution_basis_points: number, reserve_basis_points: number, house_basis_points: number, "
            "returns"
        ),
        query=submission_rows,
        takes=("link",),
    ),
    Report(
        name="record_retention",
        title="Record retention",
        says="How long each kind of record is kept.",
        columns=of("kind, oldest: moment, years: number, kept_until: moment, then"),
        query=record_retention_rows,
    ),
)
REPORTS: dict[str, Report] = {report.name: report for report in _ALL}
