"""A table that says hello is let in or told why not, and hears which of its rounds was the last."""

import time

import pytest
from msgspec.structs import replace

from feltwork.bookkeeper.controller_handshake import GONE_SECONDS
from feltwork.wire.downlink import Welcome
from feltwork.wire.subjects import subject_of
from feltwork.wire.uplink import Health, Hello, encode
from tests.bookkeeper.house import NOW, House, a_link, say, started, told


def hello(
    table: str = "T1", *, version: str = "", software: str = "a" * 64, controller: str = "first"
) -> Hello:
    link = a_link()
    return Hello(
        link="L1",
        at=NOW,
        table=table,
        controller=controller,
        software="controller 1",
        software_hash=software,
        manufacturer="somebody",
        game="caribbean_stud",
        controls="nexus",
        version=version or link.fingerprint,
        paytable=link.paytable.fingerprint,
        last_round=0,
    )


def welcome(house: House, said: Hello) -> Welcome:
    """Say hello until somebody answers, as tables do."""
    subject, asked_at = f"told.L1.{said.table}.welcome", time.time_ns() // 1_000
    found: list[Welcome] = []

    def answered() -> bool:
        say(house, [(subject_of(said), encode(said))])
        answer = told(house, subject)
        if isinstance(answer, Welcome) and answer.controller == said.controller and answer.at > asked_at:
            found.append(answer)
        return bool(found)

    house.until(answered)
    return found[0]


@pytest.mark.requirement("GEN-07")
def test_a_second_controller_is_refused_until_the_first_is_gone(house: House) -> None:
    house.keeper()
    health = Health(link="L1", at=NOW, table="T1", controller="first", phase="idle", last_round=0)
    assert welcome(house, hello()).accepted
    say(house, [(subject_of(health), encode(health))])
    second = welcome(house, hello(controller="second"))
    assert (second.accepted, second.why) == (False, "another controller plays this table")
    assert welcome(house, hello("T2", controller="second")).accepted, "it is another table"
    assert welcome(house, hello()).accepted, "the first stays"
    time.sleep(GONE_SECONDS)
    say(house, [(subject_of(health), encode(health))])
    assert not welcome(house, hello(controller="second")).accepted, "the first still says how it is"
    closed = replace(health, phase="closed")
    say(house, [(subject_of(closed), encode(closed))])
    assert welcome(house, hello(controller="second")).accepted
    assert not welcome(house, hello()).accepted
    time.sleep(GONE_SECONDS)
    assert welcome(house, hello()).accepted, "the second says nothing any more"


@pytest.mark.requirement("GEN-07", "WA-31", "GL-04")
def test_a_table_is_let_in_or_told_why_not(house: House) -> None:
    approved = house.folder / "approved.toml"
    listed = house.command("components")
    approved.write_text(f'{listed}\n[controllers]\n"controller 1" = "{"a" * 64}"\n', encoding="utf-8")
    house.keeper("--approved", str(approved))
    say(house, [started(number) for number in (1, 2, 7)])
    let_in = welcome(house, hello())
    assert (let_in.accepted, let_in.last_round, let_in.version) == (True, 7, a_link().fingerprint)
    assert welcome(house, hello("T2")).last_round == 0
    old = welcome(house, hello("T3", version="b" * 64))
    assert (old.accepted, old.requirement) == (False, "GEN-06")
    strange = welcome(house, hello("T4", software="c" * 64))
    assert (strange.accepted, strange.requirement) == (False, "WA-31")
    assert "not approved" in strange.why
