// One sensor row of a table, on one link: the round, its hands and its claims.
import { type Line, SOFTWARE } from "./line.js";

export type Hand = { hand: string; fixed: number; envy: number; is_claimed: boolean };
export type LinkSettings = {
  link: string; wager: number; version: string; paytable: string; controls: "nexus" | "aquarius";
  hands: Hand[]; envy_from_any_player: boolean; shares_prizes: boolean; folded_hands_qualify: boolean;
};

const PATIENCE_MS = 10_000; // a round that is not booked by then, or a reply as old: the table is cut off
const ANSWER_MS = 2_000;

export class Row {
  number = 0;
  playing = false;
  takesWagers = true;
  bookedTo = 0;
  covered = new Set<number>();
  players = new Set<number>();
  private seats: number[] = [];
  private locked: number[] = []; // the players of the round
  private hands = new Map<number, string>();
  private claims = new Map<number, string>();
  private attempts = new Map<number, number>();
  private confirmed = new Set<number>();
  private key = "run";
  private step = 0;
  private undo = new Map<number, () => void>();
  private welcome: any;
  private snapshot: any;
  private answeredAt = 0;
  private asking = false;
  private plays = false; // it was accepted, and no other controller since
  private waiting: { number: number; at: number }[] = []; // rounds that are not booked yet

  constructor(readonly settings: LinkSettings, private line: Line, private game: string) {}

  // --- life ---

  async open(): Promise<void> {
    const by = this.restore(await this.line.newest());
    if (!this.playing) {
      const told = await this.line.told(`refused.${this.number}`);
      if (told && told.step === this.step && this.step > 0) this.playing = true; // its end was refused
    }
    this.line.listen((told) => this.hear(told));
    await this.catchUp();
    if (this.playing) await this.settleClaims(by); // it crashed between a hand and its claim
    this.hello();
  }

  /** Rebuild the round from the latest message of each kind; return the sign-on of the last hand or start. */
  private restore(newest: Map<string, any>): string {
    const started = newest.get("round");
    if (!started) return "";
    this.number = started.round;
    const same = [...newest.values()].filter((one) => one.round === this.number);
    this.step = Math.max(0, ...same.map((one) => one.step));
    this.playing = started.seats?.length > 0 && !same.some((one) => /^Round(Ended|Voided)$/.test(one.message));
    const named = (kind: string) => same.find((one) => one === newest.get(kind));
    this.seats = (named("seat") ?? started).seats ?? [];
    this.locked = started.players ?? this.seats;
    const latest = same.filter((one) => one.hands).sort((a, b) => b.step - a.step)[0];
    const numbered = (of: object) => Object.entries(of).map(([seat, value]) => [Number(seat), value] as [number, string]);
    this.hands = new Map(numbered(latest?.hands ?? {}));
    this.claims = new Map(numbered(named("claim")?.claims ?? {}));
    for (const [seat, award] of this.claims) this.attempts.set(seat, Number(award.split(":")[3] ?? 1));
    this.key = named("key")?.to ?? "run";
    return (latest ?? started).sign_on;
  }

  /** Every second or so: health, a hello where the books have to answer one, and what was missed about open claims. */
  tick(): void {
    const oldest = this.waiting[0];
    void this.catchUp();
    if (!this.welcome?.accepted || this.isCutOff || (oldest && Date.now() - oldest.at > PATIENCE_MS / 4)) this.hello();
    this.health(this.playing ? "playing" : "idle");
  }

  /** What the pit has decided about open claims: a line that was cut for a moment has not heard it. */
  private async catchUp(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    for (const award of [...this.claims.values()]) {
      const told = await this.line.toldAward(award);
      if (told && told.message !== "ClaimBooked") this.hear(told);
    }
    this.asking = false;
  }

  health(phase: string): void {
    if (!this.plays) return; // it would replace the health of the controller that plays the table
    const { controller } = this.line;
    this.line.mention("health", "Health", { controller, phase, last_round: this.number, cut_off: this.isCutOff });
  }

  hello(): void {
    const { version, paytable, controls } = this.settings;
    const { controller } = this.line;
    this.line.mention("hello", "Hello", {
      controller, ...SOFTWARE, game: this.game, controls, version, paytable, last_round: this.number,
    });
    this.sense();
  }

  sense(): void {
    this.line.mention("sensors", "Sensors", { covered: [...this.covered].sort(), players: [...this.players].sort(), broken: [] });
  }

  private get isCutOff(): boolean {
    const oldest = this.waiting[0];
    return !this.answeredAt || (oldest !== undefined && Date.now() - oldest.at > PATIENCE_MS);
  }

  // --- buttons ---

  /** Whether the books let this row start a round now; throws if not. */
  async verifyStart(): Promise<void> {
    if (this.welcome?.accepted && Date.now() - this.answeredAt > PATIENCE_MS) {
      const before = this.answeredAt;
      this.hello();
      for (let waited = 0; waited < ANSWER_MS && this.answeredAt === before; waited += 50) await new Promise((done) => setTimeout(done, 50));
      if (this.answeredAt === before) throw new Error("the books do not answer");
    }
    if (!this.welcome) throw new Error("the books have not accepted this table yet");
    if (!this.welcome.accepted) throw new Error(this.welcome.why);
    if ((this.snapshot ?? this.welcome).version !== this.settings.version) throw new Error(`its version of link ${this.settings.link} differs from the version in the books`);
    if (this.isCutOff) throw new Error("the books are not keeping up with this table's rounds");
  }

  async start(number: number, by: string, covered: Set<number>): Promise<void> {
    const players = [...this.players].sort((a, b) => a - b);
    const seats = players.filter((seat) => covered.has(seat));
    const { wager, version } = this.settings;
    Object.assign(this, { number, step: 0, playing: this.takesWagers, seats, locked: players, key: "run" });
    for (const old of [this.hands, this.claims, this.attempts, this.confirmed, this.undo]) old.clear();
    this.waiting.push({ number, at: Date.now() });
    await this.line.say("round", "RoundStarted", { round: number, step: 0, sign_on: by, wager, seats, version, players });
  }

  async press(seat: number, hand: string, by: string): Promise<void> {
    const row = this.row(hand);
    if (!this.playing || this.key !== "run") throw new Error("no hand can be entered now");
    if (!row || !this.locked.includes(seat) || this.confirmed.has(seat)) throw new Error("not this hand at this seat");
    if (!this.seats.includes(seat) && !row.envy) throw new Error("its sensor was not covered at the start");
    const before = this.hands.get(seat);
    if (before) await this.name("HandCleared", seat, before, by);
    if (before !== hand) await this.name("HandPressed", seat, hand, by);
  }

  /** Say a changed hand, then the claim that it makes or ends: an order that survives a crash in between. */
  private async name(message: "HandPressed" | "HandCleared", seat: number, hand: string, by: string): Promise<void> {
    const claim = this.claims.get(seat);
    if (message === "HandPressed") this.hands.set(seat, hand);
    else this.hands.delete(seat);
    await this.say("hand", message, by, { seat, hand, hands: Object.fromEntries(this.hands) }, () => {
      if (message === "HandPressed") this.drop(seat);
      else this.hands.set(seat, hand), claim && this.claims.set(seat, claim);
    });
    await this.settleClaims(by);
  }

  async settleClaims(by: string): Promise<void> {
    const about = (seat: number) => ({
      seat, players: this.locked, hands: Object.fromEntries(this.hands), claims: Object.fromEntries(this.claims),
    });
    for (const [seat, award] of [...this.claims].filter(([seat]) => !this.hands.has(seat))) {
      this.claims.delete(seat);
      await this.say("claim", "ClaimCleared", by, { award, ...about(seat) });
    }
    for (const seat of this.claimants.filter((seat) => !this.claims.has(seat))) {
      const attempt = (this.attempts.get(seat) ?? 0) + 1;
      const award = `${this.line.table}:${this.number}:${seat}${attempt > 1 ? `:${attempt}` : ""}`;
      this.attempts.set(seat, attempt);
      this.claims.set(seat, award);
      await this.say("claim", "Claim", by, { award, hand: this.hands.get(seat), ...about(seat) });
    }
  }

  async turnKey(to: string, by: string): Promise<void> {
    const allowed = to === "jackpot" ? this.key === "run" && this.claimants.length > 0 : this.key === "jackpot";
    if (this.settings.controls !== "aquarius" || !allowed) throw new Error("the key does not turn now");
    const before = this.key;
    this.key = to;
    await this.say("key", "KeyTurned", by, { to }, () => (this.key = before));
  }

  verifyEnd(): void {
    if (!this.playing) throw new Error("no round is open");
    if (this.claimants.length || this.key !== "run") throw new Error("END GAME waits for the claim or the key");
  }

  async end(by: string): Promise<void> {
    let [fixed, envy] = [0, 0];
    for (const [seat, hand] of this.hands) {
      const row = this.row(hand)!;
      const wagered = this.seats.includes(seat);
      if (wagered) fixed += row.fixed;
      if (wagered || this.settings.envy_from_any_player) envy += row.envy * this.seats.filter((one) => one !== seat).length;
    }
    this.playing = false;
    await this.say("ended", "RoundEnded", by, { fixed, envy }, () => (this.playing = true));
  }

  async misdeal(reason: string, by: string): Promise<void> {
    if (this.confirmed.size) throw new Error("an award of the round is confirmed");
    this.playing = false;
    await this.say("voided", "RoundVoided", by, { reason }, () => (this.playing = true));
  }

  private async say(kind: string, message: string, by: string, fields: object, undo: () => void = () => {}): Promise<void> {
    this.undo.set(++this.step, undo);
    await this.line.say(kind, message, { round: this.number, step: this.step, sign_on: by, ...fields });
  }

  private row(hand: string): Hand | undefined {
    return this.settings.hands.find((one) => one.hand === hand);
  }

  /** Seats with a hand that a meter pays and nobody has confirmed. */
  private get claimants(): number[] {
    const claimed = (seat: number, hand: string) => this.seats.includes(seat) && !this.confirmed.has(seat) && this.row(hand)?.is_claimed;
    return [...this.hands].filter(([seat, hand]) => claimed(seat, hand)).map(([seat]) => seat);
  }

  private drop(seat: number): void {
    this.hands.delete(seat);
    if (this.claims.delete(seat)) this.attempts.set(seat, this.attempts.get(seat)! - 1);
  }

  // --- what the books tell ---

  private hear(told: any): void {
    const mine = told.round === this.number && this.playing;
    switch (told.message) {
      case "MeterSnapshot":
        this.snapshot = told;
        this.takesWagers = told.takes_wagers;
        break;
      case "Welcome":
        if (told.controller !== this.line.controller) return;
        this.welcome = told;
        this.plays = told.accepted || (this.plays && told.requirement !== "GEN-07");
        this.answeredAt = Date.now();
        this.bookedTo = told.last_round;
        this.waiting = this.waiting.filter((one) => one.number > told.booked);
        if (told.is_over && told.last_round >= this.number) this.playing = false; // ended on a screen meanwhile
        break;
      case "AwardConfirmed":
      case "AwardPaid":
        if (mine) this.confirmed.add(told.seat), this.claims.delete(told.seat);
        break;
      case "AwardVoided":
        if (mine && this.claims.get(told.seat) === told.award) this.claims.delete(told.seat), this.hands.delete(told.seat);
        break;
      case "Refused":
        if (told.round !== this.number) return;
        if (told.step > 0) this.undo.get(told.step)?.();
        else if (this.step === 0) {
          this.waiting = this.waiting.filter((one) => one.number !== this.number);
          this.number -= 1; // the number is used again
          this.bookedTo = Math.min(this.bookedTo, this.number);
          this.playing = false;
        }
        this.undo.delete(told.step);
    }
    if (told.message !== "MeterSnapshot" && told.message) console.log(`told ${told.message} ${told.why || told.what || ""}`);
  }
}
