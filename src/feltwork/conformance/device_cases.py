"""Conformance of a device under faults, one fault per case."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from feltwork.conformance.checks import Check, check
from feltwork.conformance.device_bench import (
    PIN,
    SUPERVISOR,
    DeviceBench,
    Window,
    open_round,
    tray_hands,
)
from feltwork.site.wire.uplink import Claim, HandPressed, RoundEnded, RoundStarted, RoundVoided

#: How long a device may take to say hello again.
_HELLO_SECONDS = 20.0
_UNDO_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class _Case:
    """One fault; playing it returns the problems on each link."""

    name: str
    says: str
    requirement: str
    play: Callable[[DeviceBench], Awaitable[list[list[str]]]]


async def check_faults(bench: DeviceBench) -> list[list[Check]]:
    """Play every case; return the checks of each link."""
    checks_by_link: list[list[Check]] = [[] for _ in bench.sites]
    for case in _cases(bench):
        faults = await case.play(bench) if bench.responds else []
        if bench.responds:
            await bench.go_idle()
        for checks, wrong in zip(checks_by_link, faults or [[]] * len(checks_by_link), strict=True):
            passed = not wrong if bench.responds else None
            detail = "; ".join(wrong[:3])
            checks.append(check(case.name, case.says, case.requirement, passed=passed, detail=detail))
    return checks_by_link


def _cases(bench: DeviceBench) -> list[_Case]:
    away = _Case(
        "leaf node",
        "behind its own server, it finds the answer to a claim in the site's domain after a restart",
        "GL-12",
        _confirm_while_off,
    )
    return [
        _Case(
            "misdeal", "MISDEAL by a supervisor voids the round, and the next one follows", "LT-09", _misdeal
        ),
        _Case("refused hand", "a hand that the books refuse is not paid", "GL-12", _refuse_hand),
        _Case("refused start", "a start that the books refuse gives its number back", "GL-12", _refuse_start),
        _Case(
            "crash",
            "after a crash with an open claim it waits for the answer, and claims nothing twice",
            "GL-12",
            _crash,
        ),
        *([away] if bench.tested.domain else []),
        _Case(
            "early hello",
            "started before the books, it starts no round and repeats its hello until they answer",
            "GEN-07",
            _start_early,
        ),
        _Case(
            "lost acknowledgment",
            "a start whose acknowledgment was lost is stored once, and the round goes on",
            "GL-12",
            _lose_acknowledgment,
        ),
    ]


async def _misdeal(bench: DeviceBench) -> list[list[str]]:
    windows = bench.window()
    await bench.start()
    numbers = [open_round(site) for site in bench.sites]
    await bench.operator.press(f"as {SUPERVISOR} {PIN} misdeal conformance")
    await bench.until(lambda: not any(map(open_round, bench.sites)))
    await bench.start()
    await bench.end()
    return [_of_misdeal(window, number) for window, number in zip(windows, numbers, strict=True)]


def _of_misdeal(window: Window, number: int) -> list[str]:
    voided = window.of(RoundVoided, number=number)
    signed = window.site.sign_ons
    supervised = [
        message
        for message in voided
        if message.sign_on in signed and signed[message.sign_on].badge == SUPERVISOR
    ]
    return [
        *window.problems,
        *([] if voided else ["the round was not voided"]),
        *([] if len(supervised) == len(voided) else ["not by the supervisor"]),
        *(["the round was ended"] if window.of(RoundEnded, number=number) else []),
        *([] if window.of(RoundStarted, number=number + 1) else ["the next round did not follow"]),
    ]


async def _refuse_hand(bench: DeviceBench) -> list[list[str]]:
    windows = bench.window()
    await bench.start()
    for site, link in bench.pairs():
        hands = tray_hands(link, bench.tested.table).hands
        site.refuses = lambda message: isinstance(message, HandPressed)
        refused = len(site.refused) + len(hands)
        for seat, hand in hands.items():
            await bench.operator.press(bench.line(link, "hand", seat, hand))
        await bench.until(lambda site=site, refused=refused: len(site.refused) >= refused)  # type: ignore[misc]
    await bench.until(lambda: False, _UNDO_SECONDS)
    for site in bench.sites:
        site.refuses = lambda message: False
    await bench.end()
    return [_of_refused_hand(window) for window in windows]


def _of_refused_hand(window: Window) -> list[str]:
    ended = [message for message in window.said if isinstance(message, RoundEnded)]
    paid = [end.fixed + end.envy for end in ended if end.fixed + end.envy]
    return [
        *window.problems,
        *([] if ended else ["the round did not end"]),
        *(f"{amount} millionths paid for refused hands" for amount in paid),
    ]


async def _refuse_start(bench: DeviceBench) -> list[list[str]]:
    windows, before = bench.window(), [len(site.refused) for site in bench.sites]
    for site in bench.sites:
        site.refuses = lambda message: isinstance(message, RoundStarted)

    def all_refused() -> bool:
        return all(len(site.refused) > count for site, count in zip(bench.sites, before, strict=True))

    await bench.press_until("start", all_refused)
    await bench.until(lambda: False, _UNDO_SECONDS)
    for site in bench.sites:
        site.refuses = lambda message: False
    again = await bench.start()
    if not again:  # it may be playing the refused round
        await bench.watch("end")
        await bench.power_cycle()
        await bench.start()
    await bench.end()
    return [
        [
            *window.problems,
            *([] if again else ["no round started afterwards"]),
            *_other_number(window),
        ]
        for window in windows
    ]


def _other_number(window: Window) -> list[str]:
    refused = [
        message.round
        for message in window.said
        if isinstance(message, RoundStarted) and any(message is no for no in window.site.refused)
    ]
    accepted = [message.round for message in window.of(RoundStarted)]
    if refused and accepted and refused[-1] != accepted[0]:
        return [f"round {accepted[0]} after round {refused[-1]} was refused"]
    return [] if refused else ["no round was started, so none could be refused"]


async def _crash(bench: DeviceBench) -> list[list[str]]:
    """Crash twice: the claim is confirmed after the device is back, then while it is off."""
    windows = bench.window()
    if not await bench.start() or not await bench.claim():
        return [["nothing was claimed"] for _ in windows]
    await bench.power_cycle()
    await bench.watch("end")
    early = [bool(window.of(RoundEnded)) for window in windows]
    await bench.key("jackpot")
    await bench.confirm()
    await bench.key("run")
    await bench.end()
    problems = [
        [*(["it ended with an open claim"] if soon else []), *_of_crash(window)]
        for window, soon in zip(windows, early, strict=True)
    ]
    await bench.go_idle()
    away = [] if bench.tested.domain else await _confirm_while_off(bench)
    return [[*some, *more] for some, more in zip(problems, away or [[]] * len(problems), strict=True)]


async def _confirm_while_off(bench: DeviceBench) -> list[list[str]]:
    windows = bench.window()
    if not await bench.start() or not await bench.claim():
        return [["nothing was claimed"] for _ in windows]
    await bench.key("jackpot")
    await bench.operator.power_off()
    await bench.confirm()
    await bench.power_on()
    await bench.seat_people()
    await bench.key("run")
    await bench.end()
    return [_of_crash(window) for window in windows]


def _of_crash(window: Window) -> list[str]:
    claims, ended = window.of(Claim), window.of(RoundEnded)
    return [
        *window.problems,
        *(["it claimed again"] if len(claims) > 1 else []),
        *([] if ended else ["the round did not end"]),
    ]


async def _start_early(bench: DeviceBench) -> list[list[str]]:
    windows = bench.window()
    await bench.operator.power_off()
    for site in bench.sites:
        site.welcomes = False
    hellos = [len(site.hellos) for site in bench.sites]
    await bench.operator.power_on()
    signed_on = await bench.seat_people()
    await bench.watch("start")
    early = [window.of(RoundStarted) for window in windows]
    for site in bench.sites:
        site.welcomes = True

    def all_greeted() -> bool:
        return all(len(site.hellos) > count for site, count in zip(bench.sites, hellos, strict=True))

    greeted = await bench.until(all_greeted, _HELLO_SECONDS)
    if not greeted:
        await bench.power_cycle()
    began = await bench.start()
    await bench.end()
    return [
        [
            *window.problems,
            *([] if signed_on else ["nobody could sign on"]),
            *(["it started a round before it was let in"] if soon else []),
            *([] if greeted else ["it did not say hello again"]),
            *([] if began else ["no round started afterwards"]),
        ]
        for window, soon in zip(windows, early, strict=True)
    ]


async def _lose_acknowledgment(bench: DeviceBench) -> list[list[str]]:
    await bench.power_cycle()  # for a fresh welcome; with an old one it would first send a hello
    windows = bench.window()
    await bench.start()
    await bench.end()
    bench.relay.loses_answers = True
    began = await bench.press_until("start", lambda: any(map(open_round, bench.sites)))
    await bench.relay.cut()
    bench.relay.loses_answers = False
    await bench.relay.heal()
    await bench.until(lambda: all(map(open_round, bench.sites)))
    ended = await bench.end()
    followed = await bench.start() and await bench.end()
    return [
        [
            *window.problems,
            *([] if began else ["no round was started"]),
            *([] if ended else ["the round did not end"]),
            *([] if followed else ["the next round did not follow"]),
        ]
        for window in windows
    ]
