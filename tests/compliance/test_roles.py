"""Roles, separation of duties, and the two-person rule: every answer names the rule that decided."""

from itertools import combinations

import pytest

from feltwork.site.compliance.requirements import REQUIREMENTS
from feltwork.site.compliance.roles import (
    APART,
    COMMANDS,
    NEVER_BOTH,
    ROLES,
    SEPARATE,
    Answer,
    Context,
    PriorAction,
    RoleHolder,
    conflicts,
    granting,
    may,
)
from feltwork.site.compliance.two_person import Approval, Command, approve, fingerprint

CHANGES = {name for name in COMMANDS if name not in ("watch", "read_books")}
EVE = RoleHolder("eve", ("executive",))
ANN = RoleHolder("ann", ("accounting",))


def asked(name: str, about: str = "A1", **body: object) -> Command:
    return Command(name=name, about=about, body=body)


def alone(role: str, command: str, *deeds: PriorAction) -> Answer:
    return may(RoleHolder("pat", (role,)), asked(command), Context(deeds=deeds))


def test_every_rule_and_command_cites_a_requirement() -> None:
    cited = {rule.requirement for rule in (*APART, *SEPARATE, *NEVER_BOTH)}
    cited |= {command.requirement for command in COMMANDS.values()}
    assert cited <= REQUIREMENTS.keys()


def test_roles_and_rules_name_commands_that_exist() -> None:
    names = {command for role in ROLES.values() for command in (*role.may, *role.approves)}
    names |= {command for rule in (*SEPARATE, *NEVER_BOTH) for command in (*rule.first, *rule.second)}
    assert names == COMMANDS.keys() & names
    assert COMMANDS.keys() == {command for role in ROLES.values() for command in role.may}
    assert {role for rule in APART for role in (*rule.first, *rule.second)} <= ROLES.keys()


def test_a_command_that_takes_two_can_be_given_and_approved() -> None:
    """No command is dead: two people exist, of different departments where that is asked."""
    for command in COMMANDS.values():
        able = [role for role in ROLES.values() if command.name in role.may]
        second = [role for role in ROLES.values() if command.name in (*role.may, *role.approves)]
        if command.departments:
            assert any(
                proposer.department != approver.department for proposer in able for approver in second
            ), command.name
        assert able, command.name


@pytest.mark.requirement("WA-30")
@pytest.mark.parametrize("role", ["surveillance", "auditor"])
@pytest.mark.parametrize("command", sorted(CHANGES))
def test_those_who_watch_change_nothing(role: str, command: str) -> None:
    answer = alone(role, command)
    assert not answer.allowed
    assert (answer.rule, answer.requirement) == ("read-only", "WA-30")
    assert answer.remedy.startswith("ask ")


@pytest.mark.requirement("WA-30")
def test_no_person_can_confirm_a_win_and_post_its_adjustment_by_roles_alone() -> None:
    for roles in combinations(ROLES, 2):
        granted = {command for role in roles for command in ROLES[role].may}
        if granted & {"confirm", "confirm_executive"} and granted & {"adjust", "reverse", "reconcile"}:
            assert list(conflicts(roles)), roles


@pytest.mark.requirement("WA-30")
@pytest.mark.parametrize("command", ["reverse", "adjust", "reconcile"])
def test_who_confirmed_a_win_does_not_correct_it_in_another_role(command: str) -> None:
    """The roles may have changed since: what was done counts."""
    before = PriorAction("ann", "confirm", "A1")
    answer = may(ANN, asked(command), Context(deeds=[before]))
    assert (answer.allowed, answer.rule, answer.requirement) == (False, "win-and-its-correction", "WA-30")
    other = may(ANN, asked("reconcile", "A2"), Context(deeds=[before]))
    assert other.allowed


@pytest.mark.requirement("LT-03")
def test_who_entered_a_win_does_not_confirm_it() -> None:
    answer = alone("supervisor", "confirm", PriorAction("pat", "press_hand", "A1"))
    assert (answer.allowed, answer.rule, answer.requirement) == (False, "entry-and-confirmation", "LT-03")
    assert alone("supervisor", "confirm", PriorAction("dana", "press_hand", "A1")).allowed
    assert not alone("supervisor", "confirm_executive").allowed
    assert alone("executive", "confirm_executive").allowed


@pytest.mark.requirement("TR-04")
@pytest.mark.parametrize("command", ["pay", "adjust", "reverse", "reconcile", "buy_merchandise"])
def test_it_signs_no_payouts_and_posts_no_entries(command: str) -> None:
    assert not alone("it", command).allowed
    for other in ("supervisor", "executive", "accounting", "cage"):
        answer = may(RoleHolder("ivo", ("it", other)), asked(command), Context())
        assert (answer.allowed, answer.requirement) == (False, "TR-04")


@pytest.mark.requirement("GEN-22", "TR-03")
@pytest.mark.parametrize("requirement", ["GEN-22", "TR-03"])
def test_who_can_reset_a_meter_cannot_open_its_store_nor_who_gives_access_review_it(requirement: str) -> None:
    (rule,) = [rule for rule in NEVER_BOTH if rule.requirement == requirement]
    for role in ROLES.values():
        assert not (set(rule.first) & set(role.may) and set(rule.second) & set(role.may)), role.id
    for first, other in combinations(ROLES, 2):
        granted = {*ROLES[first].may, *ROLES[other].may}
        if granted & set(rule.first) and granted & set(rule.second):
            assert list(conflicts((first, other))), (first, other)


@pytest.mark.requirement("GEN-19")
def test_configuration_takes_two_people_of_different_departments() -> None:
    command = asked("reconfigure", "L1", seed=10_000)
    for approval, why in (
        ([], "it takes two people"),
        ([approve(command, "eve", ("accounting",))], "it takes two people"),
        ([approve(command, "ed", ("executive",))], "both people are in the same department"),
        ([approve(command, "sam", ("supervisor",))], "sam may not"),
    ):
        answer = may(EVE, command, Context(approvals=approval))
        assert not answer.allowed
        assert (answer.rule, answer.requirement) == ("two-people", "GEN-19")
        assert why in answer.why
        assert answer.remedy
    allowed = may(EVE, command, Context(approvals=[approve(command, "ann", ("accounting",))]))
    assert allowed.allowed
    assert (allowed.rule, allowed.requirement) == ("two-people", "GEN-19")


@pytest.mark.requirement("GEN-19", "LT-04")
def test_an_approval_is_of_one_exact_command() -> None:
    approved = asked("reverse", "A1", amount=25_000, reason="wrong hand")
    bob = approve(approved, "bob", ("accounting",))
    assert may(ANN, approved, Context(approvals=[bob])).allowed
    for other in (
        asked("reverse", "A2", amount=25_000, reason="wrong hand"),
        asked("reverse", "A1", amount=25_001, reason="wrong hand"),
        asked("reverse", "A1", amount=25_000, reason="wrong hand."),
        asked("adjust", "A1", amount=25_000, reason="wrong hand"),
    ):
        answer = may(ANN, other, Context(approvals=[bob]))
        assert not answer.allowed
        assert answer.why == "the approval is for a different command"


def test_a_fingerprint_does_not_depend_on_the_order_of_keys_and_takes_plain_values_only() -> None:
    command = Command(name="adjust", about="L1", body={"a": 1, "b": [2, {"c": "x"}]})
    same_command = Command(name="adjust", about="L1", body={"b": [2, {"c": "x"}], "a": 1})
    assert fingerprint(command) == fingerprint(same_command)
    assert len(fingerprint(command)) == 64
    with pytest.raises(TypeError, match="plain values"):
        fingerprint(asked("adjust", amount=object()))
    assert Approval("x", (), fingerprint(command)) == approve(same_command, "x", ())


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_answer_says_which_rule_decided(command: str) -> None:
    for role in ROLES:
        answer = alone(role, command)
        assert answer.rule
        assert answer.why
        assert answer.requirement in REQUIREMENTS
        assert answer.allowed or answer.remedy


def test_a_command_is_granted_by_the_roles_that_have_it() -> None:
    assert granting(("dealer", "nobody", "supervisor", "cage"), "pay") == ("supervisor", "cage")
    assert granting(("dealer",), "pay") == ()


def test_an_unknown_command_or_role_is_refused() -> None:
    assert may(EVE, asked("print_money"), Context()).rule == "known-commands"
    assert not may(RoleHolder("x", ("king",)), asked("watch"), Context()).allowed
