"""A table that says hello is let in or told why not, and hears which of its rounds was the last."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from feltwork import __version__
from feltwork.site.bookkeeper.controller_handshake import GONE_SECONDS
from feltwork.site.wire.downlink import Welcome
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import Health, Hello, encode
from tests.bookkeeper.house import NOW, House, a_link, say, started, told
from tests.floor_text import TABLES


def hello(
    table: str = "T1",
    *,
    version: str = "",
    software: str = "a" * 64,
    controller: str = "first",
    name: str = "controller 1",
) -> Hello:
    link = a_link()
    return Hello(
        link="L1",
        at=NOW,
        table=table,
        controller=controller,
        software=name,
        software_hash=software,
        manufacturer="somebody",
        game="caribbean_stud",
        controls="nexus",
        version=version or link.fingerprint,
        paytable=link.paytable.fingerprint,
        last_round=0,
    )


def welcome(house: House, hello: Hello) -> Welcome:
    """Say hello until somebody answers, as tables do."""
    subject, asked_at = f"told.L1.{hello.table}.welcome", time.time_ns() // 1_000
    welcomes: list[Welcome] = []

    def answered() -> bool:
        say(house, [(subject_of(hello), encode(hello))])
        answer = told(house, subject)
        if isinstance(answer, Welcome) and answer.controller == hello.controller and answer.at > asked_at:
            welcomes.append(answer)
        return bool(welcomes)

    house.until(answered)
    return welcomes[0]


@pytest.mark.whole
@pytest.mark.requirement("GEN-07")
def test_a_second_controller_is_refused_until_the_first_is_gone(house: House) -> None:
    house.keeper()
    health = Health(link="L1", at=NOW, table="T1", controller="first", phase="idle", last_round=0)
    assert welcome(house, hello()).accepted
    say(house, [(subject_of(health), encode(health))])
    second = welcome(house, hello(controller="second"))
    assert (second.accepted, second.why) == (False, "another controller is active at this table")
    assert welcome(house, hello("T2", controller="second")).accepted, "it is another table"
    assert welcome(house, hello()).accepted, "the first stays"
    time.sleep(GONE_SECONDS)
    with alive(house, health):
        assert not welcome(house, hello(controller="second")).accepted, "the first still says how it is"
    closed = replace(health, phase="closed")
    say(house, [(subject_of(closed), encode(closed))])
    assert welcome(house, hello(controller="second")).accepted
    with alive(house, replace(health, controller="second")):
        assert not welcome(house, hello()).accepted
    time.sleep(GONE_SECONDS)
    assert welcome(house, hello()).accepted, "the second says nothing any more"


@contextmanager
def alive(house: House, health: Health) -> Iterator[None]:
    """A controller that says how it is, again and again."""
    over = threading.Event()

    def repeat() -> None:
        while not over.wait(0.3):
            say(house, [(subject_of(health), encode(health))])

    say(house, [(subject_of(health), encode(health))])
    saying = threading.Thread(target=repeat)
    saying.start()
    try:
        yield
    finally:
        over.set()
        saying.join()


@pytest.mark.requirement("GEN-07", "WA-31", "GL-04")
def test_a_table_is_let_in_or_told_why_not(house: House) -> None:
    approved = house.folder / "approved.toml"
    components = house.command("dev", "components")
    approved.write_text(f'{components}\n[controllers]\n"controller 1" = "{"a" * 64}"\n', encoding="utf-8")
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


@pytest.mark.requirement("WA-31", "GEN-07")
def test_software_that_the_floor_file_does_not_name_is_refused_with_an_alarm(house: House) -> None:
    house.keeper()
    assert welcome(house, hello("T1")).accepted, "the floor file names it"
    assert welcome(house, hello("T2", name=f"feltwork {__version__}")).accepted, "this release is known"
    assert alarms(house) == []
    refused = welcome(house, hello("T3", name="Acme 2.3"))
    assert (refused.accepted, refused.requirement) == (False, "WA-31")
    assert "Acme 2.3" in refused.why
    assert "device_software" in refused.remedy
    assert not welcome(house, hello("T3", name="Acme 2.4")).accepted
    assert not welcome(house, hello("T4", name="feltwork 0.0.1")).accepted, "another release"
    assert alarms(house) == ["table T3", "table T4"], "one for each table, however it calls itself"
    house.lay({"L1": TABLES}, software=["any"])
    assert welcome(house, hello("T3", name="Acme 2.3")).accepted


def alarms(house: House) -> list[str]:
    query = "SELECT array_agg(place ORDER BY place) FROM books.alarm WHERE kind = 'device software'"
    return house.ask(query) or []
