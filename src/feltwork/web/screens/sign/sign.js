// The sign: odometers that climb to the current amounts, win announcements, resets, and a notice when data is stale.

import { money } from "/static/live.js";
import { t } from "/static/text.js";

const wall = document.querySelector("[data-sign]");
const STALE_MS = 10_000;
const CLIMB_MS = 4_000;
const WIN_MS = 20_000;
const said = (id, text) => (document.getElementById(id).textContent = text);
const plain = (name) => t(name.replaceAll("_", " "));

// One meter: the display never exceeds the true amount, and drops only for an announced reset.
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
    // The last reel turns with the fraction of a cent while it climbs and stops on a whole cent.
    // Each other reel turns only while the one below it goes from nine to zero.
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

// The sign's link, and the other jackpots on a table's sign.
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
  said("win-flag", confirmed ? t("Winner") : t("Hit pending"));
  said("win-amount", money(win.amount));
  said("win-where", t("%(hand)s at table %(table)s, seat %(seat)s", { ...win, hand: plain(win.hand) }));
  const reset = base && last.kind === "progressive" ? t("%(level)s resets to %(amount)s", { level: plain(win.level), amount: money(base.amount) }) : "";
  said("win-again", confirmed ? reset : t("The hand is being verified."));
  box.hidden = false;
  clearTimeout(winTimer);
  winTimer = setTimeout(() => (box.hidden = true), confirmed ? WIN_MS : WIN_MS / 2);
}

function hear(one, now) {
  const { told } = one;
  one.heard = performance.now();
  const reason = now.decrease && now.decrease.entry > one.last.entry ? now.decrease.why : "";
  for (const level of now.levels) {
    const meter = meters.get(`${now.link}/${level.level}`);
    if (!meter) continue;
    if (level.amount < meter.shown) {
      const win = now.wins.find((one) => one.level === level.level && !told.has(one.award));
      const why = win
        ? t("Won at table %(table)s: %(amount)s", { table: win.table, amount: money(win.amount) })
        : t("New amount: %(reason)s", { reason: reason || t("corrected") });
      meter.reset(level.amount, why);
    } else meter.climb(level.amount, one.heard);
  }
  one.last = now;
  for (const win of [...now.wins].reverse()) {
    const before = told.get(win.award);
    const sure = win.status !== "claimed";
    if (before === undefined || (before === "claimed" && sure)) announce(win, sure, now);
    told.set(win.award, win.status);
  }
  // A voided claim is no longer among the wins: hide its announcement.
  const open = document.getElementById("win");
  if (!open.hidden && open.classList.contains("claim") && !shown.some(({ last }) => last.wins.some((win) => win.status === "claimed"))) open.hidden = true;
  if (now.kind === "house") for (const level of now.levels) said(`still-${level.level}`, money(level.amount));
  wall.querySelector(".notices").textContent = shown.flatMap(({ last }) => last.notices).join(" ");
  tellWins();
}

function tellWins() {
  const sure = shown.flatMap(({ last }) => last.wins.filter((win) => win.status !== "claimed"));
  sure.sort((one, other) => other.at - one.at);
  said("wins", sure.length ? t("Last win: %(amount)s, %(hand)s, table %(table)s", { ...sure[0], amount: money(sure[0].amount), hand: plain(sure[0].hand) }) : "");
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
  const at = new Date(oldest.last.as_of / 1000).toLocaleTimeString(document.documentElement.lang, { timeZoneName: "short" });
  said("state", old ? t("Not updated since %(time)s", { time: at }) : shown.some(({ last }) => last.open) ? "" : t("Closed"));
  said("as-of", old ? "" : t("As of %(time)s", { time: at }));
}

for (const one of shown) {
  const source = new EventSource(`/signs/${encodeURIComponent(one.last.link)}/live`);
  source.addEventListener("meters", (event) => hear(one, JSON.parse(event.data)));
}
setInterval(age, 1_000);
age();
tellWins();
requestAnimationFrame(frame);
