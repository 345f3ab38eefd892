// The sign: odometers that climb to the current amounts, announced hits, resets, and a notice when data is stale.

import { watchConnection } from "/static/connection.js";
import { money, timeOfDay } from "/static/live.js";
import { chime, shiftAgainstBurnIn, takeTurns } from "/static/sign_attract.js";
import { Odometer } from "/static/sign_odometer.js";
import { WinQueue } from "/static/sign_wins.js";
import { t } from "/static/text.js";

const wall = document.querySelector("[data-sign]");
const STALE_MS = 10_000;
const NOTE_MS = 120_000;
// A sign that is opened this soon after a win still announces it.
const FRESH_MICROS = 60_000_000;
const say = (id, text) => {
  const element = document.getElementById(id);
  if (element.textContent !== text) element.textContent = text;
};
const seats = (win) => new Intl.ListFormat(document.documentElement.lang).format(win.seats.map(String));

// The sign's link, and the other jackpots on a table's sign.
const links = [JSON.parse(wall.dataset.first), ...JSON.parse(wall.dataset.also)].map((first) => ({
  last: first,
  heard: performance.now(),
  hits: new Map(),
  notes: new Map(),
}));
const meters = new Map();
let isLost = false;
const queue = new WinQueue(announce);

for (const { last } of links.filter(({ last }) => last.kind === "progressive")) {
  for (const level of last.levels) {
    const name = `${last.link}/${level.level}`;
    const element = wall.querySelector(`[data-meter="${name}"] [data-odometer]`);
    meters.set(name, new Odometer(element, level.amount));
  }
}

function announce(win) {
  const box = document.getElementById("win");
  box.hidden = !win;
  if (!win) return;
  const { last } = links.find((link) => link.last.link === win.link);
  const base = last.levels.find((level) => level.level === win.level);
  box.classList.toggle("claim", win.pending);
  box.style.setProperty("--places", String(money(win.amount).length));
  say("win-flag", win.pending ? t("Hit pending") : t("Winner"));
  say("win-level", last.levels.length > 1 ? t(win.level) : last.title);
  say("win-amount", money(win.amount));
  const where = { hand: t(win.hand), table: win.table, seats: seats(win) };
  say(
    "win-where",
    win.seats.length > 1
      ? t("%(hand)s at table %(table)s, shared by seats %(seats)s", where)
      : t("%(hand)s at table %(table)s, seat %(seats)s", where),
  );
  const each = win.each ? t("%(amount)s each", { amount: money(win.each) }) : "";
  const after = last.kind === "progressive" ? t("%(level)s is now %(amount)s", { level: t(win.level), amount: money(base.amount) }) : "";
  say("win-again", win.pending ? t("The hand is being verified.") : [each, after].filter(Boolean).join(" · "));
}

function hear(link, now) {
  link.heard = performance.now();
  const reason = now.decrease && now.decrease.entry > link.last.entry ? now.decrease.why : "";
  for (const level of now.levels) {
    const meter = meters.get(`${now.link}/${level.level}`);
    if (!meter) continue;
    if (level.amount < meter.shown) {
      meter.reset(level.amount);
      const why = reason || t("corrected");
      note(link, level.level, t("New amount: %(reason)s", { reason: why }));
    } else meter.climb(level.amount, link.heard);
  }
  link.last = now;
  for (const win of now.wins) {
    const was = link.hits.get(win.hit);
    const changed = was?.pending !== win.pending || was?.amount !== win.amount;
    if (changed && (win.pending || now.as_of - win.at < FRESH_MICROS)) {
      queue.add({ ...win, link: now.link });
      if (!win.pending && wall.dataset.sound === "on") chime();
      if (!win.pending) note(link, win.level, t("Won at table %(table)s: %(amount)s", { table: win.table, amount: money(win.amount) }), win.hit);
    }
  }
  link.hits = new Map(now.wins.map((win) => [win.hit, win]));
  queue.keep((win) => win.link !== now.link || link.hits.has(win.hit));
  announce(queue.current);
  if (now.kind === "house") for (const level of now.levels) say(`still-${level.level}`, money(level.amount));
  const notices = links.flatMap(({ last }) => last.notices.map((notice) => t(notice))).join(" ");
  if (wall.querySelector(".notices").textContent.trim() !== notices) wall.querySelector(".notices").textContent = notices;
  drawNotes(link);
  drawLastWins();
}

function note(link, level, text, hit = "") {
  link.notes.set(level, { text, hit, until: performance.now() + NOTE_MS });
}

// Beside each meter: a hit that is being verified, or why it went back a moment ago.
function drawNotes(link) {
  for (const level of link.last.levels) {
    const pending = link.last.wins.filter((win) => win.pending && win.level === level.level);
    const said = link.notes.get(level.level);
    const holds = said && performance.now() < said.until && (!said.hit || link.hits.has(said.hit));
    const text = pending.length
      ? t("Hit pending at table %(tables)s", { tables: pending.map((win) => win.table).join(", ") })
      : holds
        ? said.text
        : "";
    const place = wall.querySelector(`[data-meter="${link.last.link}/${level.level}"] [data-note]`);
    if (place.textContent !== text) place.textContent = text;
  }
}

function drawLastWins() {
  const won = links.flatMap(({ last }) => last.wins.filter((win) => !win.pending));
  won.sort((one, other) => other.at - one.at);
  say("wins", won.length ? t("Last win: %(amount)s, %(hand)s, table %(table)s", { amount: money(won[0].amount), hand: t(won[0].hand), table: won[0].table }) : "");
  const list = document.getElementById("recent");
  if (!list) return;
  const lines = won.slice(0, 4).map((win) => t("%(amount)s, %(hand)s, table %(table)s", { amount: money(win.amount), hand: t(win.hand), table: win.table }));
  if (lines.join() === [...list.children].map((line) => line.textContent).join()) return;
  list.replaceChildren(
    ...lines.map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      return item;
    }),
  );
}

function frame() {
  const now = performance.now();
  for (const meter of meters.values()) meter.step(now);
  requestAnimationFrame(frame);
}

function age() {
  const oldest = [...links].sort((one, other) => one.heard - other.heard)[0];
  const old = isLost || performance.now() - oldest.heard > STALE_MS;
  wall.classList.toggle("stale", old);
  const at = timeOfDay(oldest.last.as_of / 1000);
  say("state", old ? t("Not updated since %(time)s", { time: at }) : links.some(({ last }) => last.open) ? "" : t("Closed"));
  say("as-of", old ? "" : t("As of %(time)s", { time: at }));
  links.forEach(drawNotes);
}

for (const link of links) {
  hear(link, link.last);
  const source = new EventSource(`/signs/${encodeURIComponent(link.last.link)}/live`);
  source.addEventListener("meters", (event) => hear(link, JSON.parse(event.data)));
}
const attract = wall.querySelector("[data-attract]");
if (attract) takeTurns(attract);
shiftAgainstBurnIn(document.getElementById("frame"));
setInterval(age, 1_000);
age();
watchConnection((lost) => {
  isLost = lost;
  age();
});
requestAnimationFrame(frame);
