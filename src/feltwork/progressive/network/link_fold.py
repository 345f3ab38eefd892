"""Changes that the facts of a network link make to the state that every link has."""

from collections.abc import Callable, Mapping
from typing import Any

from feltwork.money import Micros
from feltwork.progressive.copies import changed
from feltwork.progressive.facts import Fact
from feltwork.progressive.network import aggregator_facts, facts
from feltwork.progressive.state import LinkState

_Fed = Mapping[str, Micros]


def _passed_on(state: LinkState, fact: facts.PassedOn) -> LinkState:
    wagers = sum(fact.wagers.values())
    return _fed(state, wagers, wagers * fact.wager, fact.to_meter, fact.to_reserve)


def _seat_passed_on(state: LinkState, fact: facts.SeatPassedOn) -> LinkState:
    return _fed(state, 1, fact.wager, fact.to_meter, fact.to_reserve)


def _fed(state: LinkState, wagers: int, wagered: Micros, to_meter: _Fed, to_reserve: _Fed) -> LinkState:
    counters = {
        level: changed(
            counter,
            wagers=counter.wagers + wagers,
            wagered=counter.wagered + wagered,
            accrued=counter.accrued + to_meter.get(level, 0),
            reserved=counter.reserved + to_reserve.get(level, 0),
        )
        for level, counter in state.counters.items()
    }
    return changed(state, counters=counters)


def _passed_back(state: LinkState, fact: facts.PassedBack) -> LinkState:
    state = _returned(state, fact.from_meter, fact.from_reserve)
    return changed(state, misdealt=state.misdealt | {(fact.table, fact.round)}) if fact.misdeal else state


def _returned(state: LinkState, *pools: _Fed) -> LinkState:
    counters = {
        level: changed(counter, returned=counter.returned + sum(pool.get(level, 0) for pool in pools))
        for level, counter in state.counters.items()
    }
    return changed(state, counters=counters)


def _summed(state: LinkState, fact: facts.Summed) -> LinkState:
    state = _fed(state, fact.wagers, fact.wagered, fact.to_meter, fact.to_reserve)
    if fact.from_meter or fact.from_reserve:
        state = _returned(state, fact.from_meter, fact.from_reserve)
    if not fact.overflow and not state.overflow:
        return state
    counters = {
        level: changed(
            counter,
            reserved=counter.reserved + fact.overflow.get(level, 0),
            overflow=counter.overflow + fact.overflow.get(level, 0),
        )
        for level, counter in state.counters.items()
    }
    overflow = {
        level: state.overflow.get(level, 0) + fact.overflow.get(level, 0) - fact.from_overflow.get(level, 0)
        for level in {**state.overflow, **fact.overflow}
    }
    return changed(state, counters=counters, overflow=overflow)


def _sums_relayed(state: LinkState, fact: aggregator_facts.SumsRelayed) -> LinkState:
    state = _fed(state, fact.wagers, fact.wagered, fact.accrued, fact.reserved)
    return _returned(state, fact.returned) if fact.returned else state


def _aggregator_opened(state: LinkState, _fact: aggregator_facts.AggregatorOpened) -> LinkState:
    """Open the link without meters; the seeds are the hub's."""
    return changed(state, life="open")


def _least_amount(state: LinkState, fact: facts.LeastAmount) -> LinkState:
    award = changed(state.awards[fact.award], least=fact.amount)
    return changed(state, awards={**state.awards, fact.award: award})


def _granted(state: LinkState, fact: facts.Granted) -> LinkState:
    """Fix the amount at a site, as the hub has locked it."""
    claim = state.awards[fact.award]
    award = changed(claim, level=fact.level, from_meter=fact.amount, locked=True)
    return changed(state, awards={**state.awards, fact.award: award})


def _withdrawn(state: LinkState, fact: facts.Withdrawn) -> LinkState:
    award = changed(state.awards[fact.award], from_meter=0, locked=False, supervisor="", executive="")
    return changed(state, awards={**state.awards, fact.award: award})


def _signed_off(state: LinkState, fact: facts.SignedOff) -> LinkState:
    """Record the signatures; the award stays a claim until the hub has confirmed it too."""
    award = changed(state.awards[fact.award], supervisor=fact.supervisor, executive=fact.executive)
    return changed(state, awards={**state.awards, fact.award: award})


def _handed_over(state: LinkState, fact: facts.HandedOver) -> LinkState:
    award = changed(state.awards[fact.award], status="paid", paid_by=fact.site)
    counter = state.counters[award.level]
    return changed(
        state,
        awards={**state.awards, fact.award: award},
        counters={**state.counters, award.level: changed(counter, paid=counter.paid + fact.amount)},
    )


def _reversal_received(state: LinkState, fact: facts.ReversalReceived) -> LinkState:
    award = changed(state.awards[fact.award], status="reversed")
    counter = state.counters[fact.level]
    back = counter.reversed + fact.to_meter + fact.to_house
    return changed(
        state,
        awards={**state.awards, fact.award: award},
        counters={**state.counters, fact.level: changed(counter, reversed=back)},
    )


def _halted(state: LinkState, fact: facts.Halted) -> LinkState:
    return changed(state, stops={fact.cause: fact.at, **state.stops})


def _continued(state: LinkState, fact: facts.Continued) -> LinkState:
    return changed(state, stops={cause: at for cause, at in state.stops.items() if cause != fact.cause})


def _version_adopted(state: LinkState, fact: facts.VersionAdopted) -> LinkState:
    return changed(state, link=state.versions[fact.version])


def _network_alone(state: LinkState, _fact: Fact) -> LinkState:
    return state


def _joined(state: LinkState, _fact: facts.Joined) -> LinkState:
    """Open the link at a site, with the seeds at the hub; a site that rejoins may play again."""
    stops = {cause: at for cause, at in state.stops.items() if cause != "leave"}
    return changed(state, life="open" if state.life == "planned" else state.life, stops=stops)


NETWORK_STEPS: Mapping[type[Fact], Callable[[LinkState, Any], LinkState]] = {
    facts.Joined: _joined,
    facts.Left: _network_alone,
    facts.PassedOn: _passed_on,
    facts.SeatPassedOn: _seat_passed_on,
    facts.PassedBack: _passed_back,
    facts.SignAtClaim: _network_alone,
    facts.Granted: _granted,
    facts.Withdrawn: _withdrawn,
    facts.SignedOff: _signed_off,
    facts.ReversalPassedOn: _network_alone,
    facts.Acknowledged: _network_alone,
    facts.Halted: _halted,
    facts.Continued: _continued,
    facts.ContactLost: _network_alone,
    facts.Rejoined: _network_alone,
    facts.VersionAdopted: _version_adopted,
    facts.Settled: _network_alone,
    facts.Summed: _summed,
    facts.LeastAmount: _least_amount,
    facts.Barred: _network_alone,
    facts.Countersigned: _network_alone,
    facts.HandedOver: _handed_over,
    facts.ReversalReceived: _reversal_received,
    facts.ChangeProposed: _network_alone,
    facts.ChangeDropped: _network_alone,
    facts.SiteReady: _network_alone,
    facts.ProceededWithout: _network_alone,
    facts.SiteStopped: _network_alone,
    facts.SiteCured: _network_alone,
    facts.LimitChanged: _network_alone,
    facts.SettlementReceived: _network_alone,
    aggregator_facts.AggregatorOpened: _aggregator_opened,
    aggregator_facts.SumsRelayed: _sums_relayed,
    aggregator_facts.CreditRelayed: _network_alone,
}
