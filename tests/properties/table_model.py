"""What a link does with each step of a history. Amounts are in millionths.

An open claim never touches the pools here: whoever looks computes it anew, in the order of the queue. So a
claim that is cleared leaves no trace, and there is nothing to undo.
"""

from copy import deepcopy

from feltwork.rehearsal.step import Step
from tests.properties.link_rules import CENT, MAY, PIT, ROLES, Claim, LinkRules, Place, Pools, Round

OWED = ("confirmed", "paid")


def refuse(rule: str, when: object) -> None:
    if when:
        raise PermissionError(rule)


class LinkModel:
    def __init__(self, rules: LinkRules) -> None:
        self.rules, self.rounds = rules, {table: Round() for table in rules.tables}
        self.pools = {name: (level.seed, 0) for name, level in rules.levels.items()}
        self.came, self.stopped = dict.fromkeys(rules.levels, (0, 0)), False
        self.claims, self.turns, self.tray, self.cards = dict[str, Claim](), 0, 0, dict[str, str]()

    def take(self, step: Step, award: str = "") -> str:
        """Take a step; return the rule that refuses it, or nothing."""
        before = deepcopy(vars(self)) | {"cards": self.cards}
        try:
            refuse("WA-30", ROLES[step.by[0]] not in MAY[step.do])
            getattr(self, step.do)(step, *([self.claims[award]] if award else []))
        except PermissionError as refused:
            vars(self).update(before)
            return str(refused)
        return ""

    def at(self, place: Place, *statuses: str) -> list[Claim]:
        return [claim for claim in self.claims.values() if claim.place == place and claim.status in statuses]

    def first(self, claim: Claim) -> Claim:
        """The claim that gave its round the turn on the level."""
        beside = [o for o in self.at(claim.place, "claimed", *OWED) if o.level == claim.level]
        return min(beside, key=lambda o: o.turn)

    def queue(self, level: str) -> list[Claim]:
        """Open claims on a level by the turn of their round, from the dealer's right."""
        queue = [claim for claim in self.claims.values() if (claim.status, claim.level) == ("claimed", level)]
        return sorted(queue, key=lambda o: (self.first(o).turn, -o.seat))

    def hit(self, claim: Claim) -> list[Claim]:
        """All that one prize pays."""
        shared = [o for o in self.queue(claim.level) if (o.place, o.hand) == (claim.place, claim.hand)]
        return shared if self.rules.divides else [claim]

    def look(self, level: str) -> tuple[Pools, dict[str, int]]:
        """Meter and reserve without what is set aside for open claims, and the amount of each."""
        pools, due, queue = self.pools[level], dict[str, int](), self.queue(level)
        for place in dict.fromkeys(claim.place for claim in queue):
            claims = [claim for claim in queue if claim.place == place]
            after, amounts = self.paid(pools, claims)
            pools, due = after, due | amounts
        return pools, due

    def shown(self, level: str) -> int:
        """The meter on signs and screens: it moves with the press, or with the confirmation."""
        return self.look(level)[0][0] if self.rules.lock_at == "claim" else self.pools[level][0]

    def paid(self, pools: Pools, claims: list[Claim]) -> tuple[Pools, dict[str, int]]:
        """Pay claims of one round on one level from what it held at their turn."""
        level, first, due = claims[0].level, self.first(claims[0]), dict[str, int]()
        since = [a - b for a, b in zip(self.came[level], first.came, strict=True)]
        meter, reserve = was = max(0, pools[0] - since[0]), max(0, min(pools[1], pools[1] - since[1]))
        for hit in [claims] if self.rules.divides else [[claim] for claim in claims]:
            percent = self.rules.rows[hit[0].hand].percent
            cents, odd = divmod(meter * percent // 100 // CENT, len(hit))
            due |= {claim.id: (cents + (number < odd)) * CENT for number, claim in enumerate(hit)}
            meter -= sum(due[claim.id] for claim in hit)
            if percent == 100:
                meter, reserve = meter + self.rules.levels[level].seed + reserve, 0
        return (pools[0] + meter - was[0], pools[1] + reserve - was[1]), due

    def flow(self, level: str, meter: int, reserve: int) -> None:
        for pools in (self.pools, self.came):
            pools[level] = (pools[level][0] + meter, pools[level][1] + reserve)

    def lock(self, claim: Claim) -> None:
        self.turns += 1
        claim.turn, claim.came = self.turns, self.came[claim.level]

    def start(self, step: Step) -> None:
        last, covered, players = self.rounds[step.table], step.wagers[self.rules.id], step.players or ()
        refuse("GEN-06", not {*covered, *players} <= set(range(1, self.rules.seats + 1)))
        refuse("LT-02", last.is_open)
        refuse("GEN-07", self.stopped)
        seats = tuple(seat for seat in covered if seat in players)
        self.rounds[step.table] = Round(last.number + 1, True, seats, players)
        for name in self.pools:
            self.flow(name, *self.rules.contribution(name, len(seats)))

    def hand(self, step: Step) -> None:
        round_ = self.rounds[step.table]
        place, before = (step.table, round_.number), round_.hands.get(step.seat, "")
        seats = {*round_.seats} if self.rules.covers(step.hand) and step.seat in round_.seats else {step.seat}
        new, corrects = "" if before == step.hand else step.hand, self.rules.corrects(before, step.hand)
        wrong = {seat for seat, hand in round_.hands.items() if corrects and hand == before} - seats
        others = {seat: hand for seat, hand in round_.hands.items() if seat not in seats | wrong}
        for seat in seats | wrong:
            self.verify_press(round_, place, seat, step.hand, {*others.values()})
        changed = {seat for seat in seats if round_.hands.get(seat, "") != new}
        for claim in self.at(place, "claimed"):
            claim.status = "voided" if claim.seat in changed | wrong else "claimed"
        round_.hands = others | (dict.fromkeys(seats, new) if new else {})
        for seat in sorted(changed & {*round_.seats}) if self.rules.shares(new) else ():
            number = 1 + sum((claim.place, claim.seat) == (place, seat) for claim in self.claims.values())
            name = f"{step.table}:{round_.number}:{seat}" + (f":{number}" if number > 1 else "")
            self.claims[name] = Claim(name, place, seat, new, self.rules.rows[new].level, step.by[0])
            self.lock(self.claims[name])

    def verify_press(self, round_: Round, place: Place, seat: int, hand: str, others: set[str]) -> None:
        refuse("LT-02", not round_.is_open)
        refuse("LT-01", seat not in round_.players)
        refuse("LT-04", seat in [claim.seat for claim in self.at(place, *OWED)])
        refuse("LT-08", self.rules.divides and hand in [claim.hand for claim in self.at(place, *OWED)])
        refuse("LT-02", hand not in self.rules.rows or (self.rules.divides and others - {hand}))
        refuse("LT-01", seat not in round_.seats and not self.rules.rows[hand].envy)

    def confirm(self, step: Step, claim: Claim) -> None:
        refuse("WA-30", not PIT.keys() >= set(step.by))
        refuse("LT-02", self.rounds[step.table].is_open and not self.at(claim.place, "claimed"))
        refuse("LT-03", claim.status != "claimed")
        hit, (_, due) = self.hit(claim), self.look(claim.level)
        queue = [o for o in self.queue(claim.level) if o not in hit or o is claim]
        ahead, behind = queue[: queue.index(claim)], queue[queue.index(claim) + 1 :]
        beside = [other for other in behind if other.place == claim.place and other.turn < claim.turn]
        passed = any(other.place != claim.place and other.turn < claim.turn for other in behind)
        refuse("GEN-10", ahead or (beside and (passed or any(other.came != claim.came for other in beside))))
        refuse("GEN-10", step.amount != (amount := sum(due[hit_claim.id] for hit_claim in hit)))
        large = amount > self.rules.executive_above or claim.level in self.rules.executive_levels
        refuse("LT-03", len({*step.by}) < max(len(step.by), 1 + large) or {*step.by} >= {"sam", "sue"})
        refuse("LT-02", large and not step.cards)
        self.cards |= {winner.id: step.cards for winner in hit if step.cards}
        self.pools[claim.level] = self.paid(self.pools[claim.level], hit)[0]
        for winner in hit:
            winner.status, winner.amount = "confirmed", due[winner.id]
            winner.signed = step.by

    def void(self, _step: Step, claim: Claim) -> None:
        refuse("LT-04", claim.status != "claimed")
        for hit_claim in self.hit(claim):
            hit_claim.status = "voided"
            self.rounds[hit_claim.place[0]].hands.pop(hit_claim.seat)

    def pay(self, step: Step, claim: Claim) -> None:
        """Write the payout record, which stays, then pay."""
        refuse("LT-03" if claim.status == "paid" else "WA-24", claim.status != "confirmed")
        self.cards.setdefault(claim.id, step.cards)
        refuse("WA-30", step.by[0] in claim.signed)
        claim.status = "paid"

    def end(self, step: Step) -> None:
        round_ = self.rounds[step.table]
        refuse("LT-02", not round_.is_open)
        refuse("LT-03", self.at((step.table, round_.number), "claimed"))
        for seat in round_.seats:
            envy = sum(self.rules.rows[hand].envy for other, hand in round_.hands.items() if other != seat)
            self.tray += self.rules.wager * (envy + self.rules.fixed_pay(round_.hands.get(seat, "")))
        round_.is_open = False

    def misdeal(self, step: Step) -> None:
        round_, place = self.rounds[step.table], (step.table, self.rounds[step.table].number)
        refuse("LT-02", not round_.is_open or self.at(place, "claimed"))
        refuse("LT-04", self.at(place, *OWED))
        for name in self.pools:
            meter, reserve = self.rules.contribution(name, len(round_.seats))
            held = min(reserve, self.look(name)[0][1])
            self.flow(name, held - meter - reserve, -held)
        round_.is_open, round_.hands = False, {}

    def stop(self, _step: Step) -> None:
        refuse("WA-20", self.stopped)
        self.stopped = True

    def resume(self, step: Step) -> None:
        refuse("WA-30", ROLES[step.by[-1]] not in MAY["resume"])
        refuse("GEN-19", step.by[0] == step.by[-1])
        refuse("WA-08", not self.stopped)
        self.stopped = False
