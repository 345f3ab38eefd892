// The sign: an odometer that climbs between true values, wins, resets that are announced, and a notice when data is old.

const wall = document.querySelector("[data-sign]");
const STALE_MS = 10_000;
const CLIMB_MS = 4_000;
const WIN_MS = 20_000;
const money = (micros) => {
  const cents = Math.floor(micros / 10_000);
  return `$${Math.floor(cents / 100).toLocaleString("en-US")}.${String(cents % 100).padStart(2, "0")}`;
};
const said = (id, text) => (document.getElementById(id).textContent = text);
const plain = (name) => name.replaceAll("_", " ");

// One meter: what is shown never exceeds what is true, and goes back only for a reset that is announced.
class Odometer {
  constructor(element, amount) {
    this.element = element;
    this.meter = element.closest(".meter");
    this.shown = this.from = this.goal = amount;
    this.began = 0;
    this.draw();
  }

  climb(amount, now) {
    if (amount === this.goal) return;
    this.from = this.shown;
    this.goal = amount;
    this.began = now;
  }

  reset(amount, why) {
    this.shown = this.from = this.goal = amount;
    this.meter.querySelector("[data-told]").textContent = why;
    this.draw();
  }

  step(now) {
    if (this.shown === this.goal) return;
    const part = Math.min(1, (now - this.began) / CLIMB_MS);
    this.shown = part === 1 ? this.goal : Math.floor(this.from + (this.goal - this.from) * part);
    this.draw();
  }

  draw() {
    const text = money(this.shown);
    this.element.parentElement.style.setProperty("--places", String(text.length));
    if (this.text?.length !== text.length) this.build(text);
    // The last reel turns with the fraction of a cent while it climbs, and stands on a whole one when it is there.
    // Each other reel turns only while the one below it goes from nine to nought.
    const cents = Math.min(this.shown / 10_000, Math.floor(this.goal / 10_000));
    let turned = cents % 1;
    this.reels.forEach((reel, place) => {
      const stands = (Math.floor(cents / 10 ** place) % 10) + turned;
      reel.style.transform = `translateY(${-stands * 1.04}em)`;
      turned = Math.max(0, stands - 9);
    });
    this.text = text;
    this.meter.dataset.shown = String(this.shown);
    this.meter.querySelector("[data-spoken]").textContent = text;
  }

  build(text) {
    this.reels = [];
    const point = text.indexOf(".");
    this.element.replaceChildren(
      ...Array.from(text, (character, place) => {
        const part = document.createElement("span");
        if (/\d/.test(character)) {
          part.className = "reel";
          const strip = document.createElement("span");
          for (let digit = 0; digit <= 10; digit += 1) {
            const one = document.createElement("i");
            one.textContent = String(digit % 10);
            strip.append(one);
          }
          part.append(strip);
          this.reels.unshift(strip);
        } else {
          part.className = "mark";
          part.textContent = character;
        }
        if (place >= point) part.classList.add("cents");
        return part;
      }),
    );
  }
}

// The link of the sign, and on the sign of a table its other jackpots.
const shown = [JSON.parse(wall.dataset.first), ...JSON.parse(wall.dataset.also)].map((first) => ({
  last: first,
  heard: performance.now(),
  told: new Map(first.wins.map((win) => [win.award, win.status])),
}));
const meters = new Map();
let winTimer = 0;

for (const { last } of shown.filter((one) => one.last.kind === "progressive")) {
  for (const level of last.levels) {
    const name = `${last.link}/${level.level}`;
    const element = wall.querySelector(`[data-meter="${name}"] [data-odometer]`);
    meters.set(name, new Odometer(element, level.amount));
  }
}

function announce(win, confirmed, last) {
  const box = document.getElementById("win");
  const base = last.levels.find((level) => level.level === win.level);
  box.classList.toggle("claim", !confirmed);
  box.style.setProperty("--places", String(money(win.amount).length));
  said("win-flag", confirmed ? "Winner" : "Jackpot hit");
  said("win-amount", money(win.amount));
  said("win-where", `${plain(win.hand)} at table ${win.table}, seat ${win.seat}`);
  said("win-again", confirmed ? (base && last.kind === "progressive" ? `${win.level} plays on from ${money(base.amount)}` : "") : "The hand is being verified");
  box.hidden = false;
  clearTimeout(winTimer);
  winTimer = setTimeout(() => (box.hidden = true), confirmed ? WIN_MS : WIN_MS / 2);
}

function hear(one, now) {
  const { told } = one;
  one.heard = performance.now();
  const dropped = now.drop && now.drop.entry > one.last.entry ? now.drop.why : "";
  for (const level of now.levels) {
    const meter = meters.get(`${now.link}/${level.level}`);
    if (!meter) continue;
    if (level.amount < meter.shown) {
      const win = now.wins.find((one) => one.level === level.level && !told.has(one.award));
      meter.reset(level.amount, win ? `Won at table ${win.table}: ${money(win.amount)}` : `New amount: ${dropped || "corrected"}`);
    } else meter.climb(level.amount, one.heard);
  }
  one.last = now;
  for (const win of [...now.wins].reverse()) {
    const before = told.get(win.award);
    const sure = win.status !== "claimed";
    if (before === undefined || (before === "claimed" && sure)) announce(win, sure, now);
    told.set(win.award, win.status);
  }
  // A claim that was taken back is no longer among the wins: its announcement goes too.
  const open = document.getElementById("win");
  if (!open.hidden && open.classList.contains("claim") && !shown.some(({ last }) => last.wins.some((win) => win.status === "claimed"))) open.hidden = true;
  if (now.kind === "house") for (const level of now.levels) said(`still-${level.level}`, money(level.amount));
  wall.querySelector(".notices").textContent = shown.flatMap(({ last }) => last.notices).join(" ");
  tellWins();
}

function tellWins() {
  const sure = shown.flatMap(({ last }) => last.wins.filter((win) => win.status !== "claimed"));
  sure.sort((one, other) => other.at - one.at);
  said("wins", sure.length ? `Last win: ${money(sure[0].amount)}, ${plain(sure[0].hand)}, table ${sure[0].table}` : "");
}

function frame() {
  const now = performance.now();
  for (const meter of meters.values()) meter.step(now);
  requestAnimationFrame(frame);
}

function age() {
  const oldest = [...shown].sort((one, other) => one.heard - other.heard)[0];
  const old = performance.now() - oldest.heard > STALE_MS;
  wall.classList.toggle("stale", old);
  const at = new Date(oldest.last.as_of / 1000).toLocaleTimeString("en-GB");
  said("state", old ? `Not up to date since ${at}` : shown.some(({ last }) => last.open) ? "" : "Closed");
  said("as-of", old ? "" : `as of ${at}`);
}

for (const one of shown) {
  const source = new EventSource(`/signs/${encodeURIComponent(one.last.link)}/live`);
  source.addEventListener("meters", (event) => hear(one, JSON.parse(event.data)));
}
setInterval(age, 1_000);
age();
tellWins();
requestAnimationFrame(frame);
