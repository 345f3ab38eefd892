// The dealer's screen: START GAME, CORRECT SEAT before the first hand, one button for each seat and hand, END GAME; a claim asks for a badge at once.

import { newAmount, order, refresh, refuse } from "/static/act.js";
import { ask } from "/static/badge.js";
import { listen, money, twin } from "/static/live.js";

const felt = () => document.getElementById("live");
const table = (rest) => `/tables/${felt().dataset.table}/${rest}`;
const path = (link, rest) => `/links/${link}/tables/${felt().dataset.table}/${rest}`;
const awards = (one) => `/links/${one.link}/awards/${one.id}`;
const boards = () => [...felt().querySelectorAll(".board")];
const board = (link) => boards().find((one) => one.dataset.link === link);
let busy = false;

// What was pressed shows that it was, until it is answered.
async function press(act, pressed) {
  if (busy) return undefined;
  busy = true;
  pressed?.setAttribute("aria-busy", "true");
  try {
    return await act();
  } catch (problem) {
    refuse(problem);
    return undefined;
  } finally {
    busy = false;
    pressed?.removeAttribute("aria-busy");
  }
}

function seats(of, lit) {
  const all = [...of.querySelectorAll(".seat")];
  return all.filter((seat) => !lit || seat.classList.contains("lit")).map((seat) => Number(seat.dataset.seat));
}

function wagers() {
  return Object.fromEntries(boards().map((one) => [one.dataset.link, seats(one, true)]));
}

function count() {
  const told = felt().querySelector("[data-count]");
  const lit = seats(felt(), true).length;
  if (told) told.textContent = `${lit} jackpot ${lit === 1 ? "chip" : "chips"}`;
}

function light(element, on) {
  element.classList.toggle("lit", on);
  element.querySelector(".disc").setAttribute("aria-pressed", String(on));
}

document.addEventListener("click", async (event) => {
  const pressed = event.target.closest("#live button");
  if (!pressed || pressed.disabled) return;
  if ("correct" in pressed.dataset) {
    arm(pressed.getAttribute("aria-pressed") !== "true");
  } else if (pressed.classList.contains("disc") && felt().classList.contains("correcting")) {
    correct(pressed);
  } else if (pressed.classList.contains("disc")) {
    const seat = pressed.closest(".seat");
    light(seat, !seat.classList.contains("lit"));
    count();
  } else if ("start" in pressed.dataset) {
    const players = seats(boards()[0], false);
    const told = await press(() => order(table("start"), { wagers: wagers(), players }), pressed);
    if (!told) return;
    refresh();
    for (const why of Object.values(told.refused)) toast(why);
  } else if ("end" in pressed.dataset) {
    if (await press(() => order(table("end")), pressed)) refresh();
  } else if (pressed.dataset.hand) {
    const seat = Number(pressed.closest(".seat").dataset.seat);
    const { link } = pressed.closest(".board").dataset;
    const told = await press(() => order(path(link, "hand"), { seat, hand: pressed.dataset.hand }), pressed);
    if (!told) return;
    await refresh();
    if (told.award) claim(link, told.award);
  } else if (pressed.dataset.claim) claim(pressed.dataset.link, pressed.dataset.claim);
});

// CORRECT SEAT, then the seat: a chip that was knocked off its sensor, or one that was never there.
function arm(on) {
  felt().classList.toggle("correcting", on);
  const key = document.getElementById("correct-key");
  key.setAttribute("aria-pressed", String(on));
  for (const seat of felt().querySelectorAll(".seat[data-plays]")) seat.querySelector(".disc").disabled = !on;
  if (on) felt().querySelector(".seat[data-plays] .disc")?.focus();
  else key.focus();
  if (on) toast("Choose the seat to correct");
}

async function correct(pressed) {
  const seat = pressed.closest(".seat");
  const wagered = !seat.classList.contains("lit");
  const number = Number(seat.dataset.seat);
  const { link } = seat.closest(".board").dataset;
  if (!(await press(() => order(path(link, "correct"), { seat: number, wagered }), pressed))) return;
  await refresh();
  toast(`Seat ${number}: ${wagered ? "the wager is locked" : "the wager goes back"}`);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && felt().classList.contains("correcting")) arm(false);
});

// One visit of a supervisor settles a hand: the claims of its seat on all jackpots.
function claim(link, award) {
  const claims = JSON.parse(felt().dataset.claims).filter((one) => one.status === "claimed");
  const mine = claims.filter((one) => one.link === link);
  const found = mine.find((one) => one.id === award) || mine[0];
  const aquarius = board(link).dataset.controls === "aquarius";
  const also = (one) => one.seat === found?.seat && one.link !== link && board(one.link).dataset.controls === "nexus";
  const hit = found ? [found, ...(aquarius ? [] : claims.filter(also))] : [];
  const won = [...hit];
  const payNow = document.getElementById("pay-now");
  payNow.hidden = !hit.length || !hit.every((one) => one.pay_now);
  payNow.querySelector("input").checked = true;
  const says = (one) => `Seat ${one.seat}: ${one.says}, ${money(one.hit_amount)}${one.rule ? `. ${one.rule}` : ""}`;
  ask({
    about: hit.map(says).join(". ") || "Key to RUN",
    roles: hit.map((one) => one.badges).sort((a, b) => b.length - a.length)[0],
    renew: () => newAmounts(hit),
    send: (badges) => (aquarius ? turn(link, found, badges) : confirm(hit, badges)),
    done: (pay) => {
      refresh();
      if (found) toast(`Seat ${found.seat}: ${money(total(won))} ${pay ? "confirmed and paid" : "confirmed"}`);
    },
  });
}

const total = (hit) => hit.reduce((sum, one) => sum + one.hit_amount, 0);

async function newAmounts(hit) {
  const before = total(hit);
  for (const one of hit) await newAmount(one);
  return total(hit) === before ? "" : `Confirm ${money(total(hit))}`;
}

async function confirm(hit, badges) {
  const chosen = document.querySelector("#pay-now input:checked");
  const pay = (!document.getElementById("pay-now").hidden && chosen.value) || null;
  // What is confirmed is not asked for again, should the next one be refused.
  for (const left = [...hit]; left.length; hit.splice(hit.indexOf(left.shift()), 1)) {
    const shown = badges.slice(0, left[0].badges.length);
    await order(`${awards(left[0])}/confirm`, { badges: shown, amount: left[0].hit_amount, pay });
  }
  return pay;
}

// Aquarius: key to JPH, J-POT, key to RUN; whatever step the table stands at, the rest of them.
async function turn(link, found, badges) {
  const { phase } = board(link).dataset;
  const shown = badges[0];
  if (phase === "claimed") await order(path(link, "key"), { to: "JPH", shown });
  if (phase !== "logged") await order(`${awards(found)}/confirm`, { badges, amount: found.hit_amount });
  await order(path(link, "key"), { to: "RUN", shown });
  return null;
}

let toastTimer = 0;
function toast(text) {
  const box = document.getElementById("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (box.hidden = true), 5_000);
}

// What happens elsewhere: meters of other tables, a claim that the pit has answered, chips on the sensors.
async function look() {
  if (document.hidden || busy) return;
  const now = await twin().catch(() => null);
  if (!now || busy) return;
  const rounds = JSON.stringify(now.jackpots.map((one) => one.round));
  const sensors = now.jackpots.map((one) => one.sensors).join(",");
  if (rounds !== JSON.stringify(JSON.parse(felt().dataset.rounds)) || sensors !== felt().dataset.sensors) {
    refresh();
    return;
  }
  for (const one of now.jackpots.filter((one) => one.sensors === "lit" && one.round.phase === "idle")) {
    for (const seat of one.seats) light(board(one.link).querySelector(`[data-seat="${seat.seat}"]`), seat.lit);
    count();
  }
}

for (const { dataset } of boards())
  listen(dataset.link, (told) => {
    for (const [level, pools] of Object.entries(told.meters))
      document.querySelector(`[data-meter="${dataset.link}/${level}"]`).textContent = money(pools.meter);
  });
setInterval(look, 1_000);
