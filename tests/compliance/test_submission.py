"""The package for internal controls: complete, and with the numbers that are stated elsewhere."""

import hashlib

import pytest

from feltwork.site.compliance.link_odds import percent, stated_returns
from feltwork.site.compliance.submission import Submission, SubmissionTable, make_submission
from tests.compliance.floors import DAY, example, text_of


@pytest.fixture(scope="module")
def package() -> Submission:
    return make_submission(example("card_room"), text_of("card_room"), on=DAY)


def table_of(package: Submission, title: str) -> SubmissionTable:
    (table,) = (table for table in package.tables if table.title == title)
    assert all(len(row) == len(table.columns) for row in table.rows)
    return table


@pytest.mark.requirement("LT-17")
def test_the_package_has_every_table_title_approval_limit_role_and_procedure(package: Submission) -> None:
    floor = example("card_room")
    assert [row[0] for row in table_of(package, "Tables").rows] == [table.id for table in floor.tables]
    assert [row[0] for row in table_of(package, "Jackpots").rows] == [link.id for link in floor.links]
    assert {row[4] for row in table_of(package, "Tables").rows} == {"sensors"}
    assert all(" from $" in row[4] and "posted" not in row[4] for row in table_of(package, "Jackpots").rows)
    approvals = table_of(package, "Approvals").rows
    assert ("the Commission's approval of the internal controls", "IC-2025-7", "LT-17") in approvals
    limits = table_of(package, "Wager limits").rows
    assert ("C1, C2, C3", "play", "$5.00", "$300.00", "C4.deal.3") in limits
    assert [row[0].partition(":")[0] for row in table_of(package, "Roles").rows][:3] == [
        "Dealer",
        "Supervisor",
        "Executive",
    ]
    assert len(table_of(package, "People").rows) == len(floor.people)
    titles = {table.game.title for table in floor.tables} | {link.jackpot.title for link in floor.links}
    assert {procedure.title for procedure in package.procedures} == titles
    assert all("WSGC submission 3119 of 2023-06-14" in procedure.letter for procedure in package.procedures)
    assert {notice.game for notice in package.notices} >= {
        "House Money",
        "Blackjack with House Money",
        "Crazy 4 Poker",
    }


def test_a_house_jackpot_is_listed_with_its_posted_amounts() -> None:
    package = make_submission(example("house_jackpot_room"), text_of("house_jackpot_room"), on=DAY)
    assert any(" posted at $" in row[4] for row in table_of(package, "Jackpots").rows)


@pytest.mark.requirement("GEN-17")
def test_the_returns_are_those_of_check_and_posting(package: Submission) -> None:
    floor = example("card_room")
    link = next(link for link in floor.links if link.id == "dragon-1")
    stated = stated_returns(link, floor.tables_of(link)[0])
    assert isinstance(stated, tuple)
    rows = [row for row in table_of(package, "Returns").rows if row[0] == "dragon-1"]
    assert [figure for row in rows for figure in row[3:6]] == [percent(case.returns.total) for case in stated]


@pytest.mark.requirement("WA-31")
def test_the_fingerprint_is_that_of_the_file(package: Submission) -> None:
    digest = hashlib.sha256(text_of("card_room").encode()).hexdigest()
    prints = {row[0]: row[1] for row in table_of(package, "Fingerprints").rows}
    assert prints["floor file"] == digest
    assert {"dragon/jackpot/3", "crazy_4/queens_up/C4P-09", "link dragon-1"} <= set(prints)
