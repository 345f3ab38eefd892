// The dealer's screen: START GAME, CORRECT SEAT before the first hand, one button for each seat and hand, END GAME; a claim asks for a badge at once.

import { newAmount, order, refresh, refuse } from "/static/act.js";
import { ask } from "/static/badge.js";
import { listen, money, twin } from "/static/live.js";

const felt = () => document.getElementById("live");
const path = (rest) => `/links/${felt().dataset.link}/tables/${felt().dataset.table}/${rest}`;
const awards = (award) => `/links/${felt().dataset.link}/awards/${award}`;
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

function seats(lit) {
  const all = [...felt().querySelectorAll(".seat")];
  return all.filter((seat) => !lit || seat.classList.contains("lit")).map((seat) => Number(seat.dataset.seat));
}

function count() {
  const told = felt().querySelector("[data-count]");
  const lit = seats(true).length;
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
    if (await press(() => order(path("start"), { covered: seats(true), players: seats(false) }), pressed)) refresh();
  } else if ("end" in pressed.dataset) {
    if (await press(() => order(path("end")), pressed)) refresh();
  } else if (pressed.dataset.hand) {
    const seat = Number(pressed.closest(".seat").dataset.seat);
    const told = await press(() => order(path("hand"), { seat, hand: pressed.dataset.hand }), pressed);
    if (!told) return;
    await refresh();
    if (told.award) claim(told.award);
  } else if (pressed.dataset.claim) claim(pressed.dataset.claim);
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
  if (!(await press(() => order(path("correct"), { seat: number, wagered }), pressed))) return;
  await refresh();
  toast(`Seat ${number}: ${wagered ? "the wager is locked" : "the wager goes back"}`);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && felt().classList.contains("correcting")) arm(false);
});

function claim(award) {
  const claims = JSON.parse(felt().dataset.claims);
  const found = claims.find((one) => one.id === award) || claims[0];
  const aquarius = felt().dataset.controls === "aquarius";
  const payNow = document.getElementById("pay-now");
  payNow.hidden = !found?.pay_now;
  payNow.querySelector("input").checked = true;
  ask({
    about: found ? `Seat ${found.seat}: ${found.says}, ${money(found.hit_amount)}${found.rule ? `. ${found.rule}` : ""}` : "Key to RUN",
    roles: found?.badges,
    renew: () => newAmount(found),
    send: (badges) => (aquarius ? turn(found, badges) : confirm(found, badges)),
    done: (pay) => {
      refresh();
      if (found) toast(`Seat ${found.seat}: ${money(found.hit_amount)} ${pay ? "confirmed and paid" : "confirmed"}`);
    },
  });
}

async function confirm(found, badges) {
  const chosen = document.querySelector("#pay-now input:checked");
  const pay = (!document.getElementById("pay-now").hidden && chosen.value) || null;
  await order(`${awards(found.id)}/confirm`, { badges, amount: found.hit_amount, pay });
  return pay;
}

// Aquarius: key to JPH, J-POT, key to RUN; whatever step the table stands at, the rest of them.
async function turn(found, badges) {
  const phase = felt().dataset.phase;
  const shown = badges[0];
  if (phase === "claimed") await order(path("key"), { to: "JPH", shown });
  if (phase !== "logged") await order(`${awards(found.id)}/confirm`, { badges, amount: found.hit_amount });
  await order(path("key"), { to: "RUN", shown });
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
  if (JSON.stringify(now.round) !== JSON.stringify(JSON.parse(felt().dataset.round)) || now.sensors !== felt().dataset.sensors) {
    refresh();
  } else if (now.sensors === "lit" && now.round.phase === "idle") {
    for (const seat of now.seats) light(felt().querySelector(`[data-seat="${seat.seat}"]`), seat.lit);
    count();
  }
}

listen(felt().dataset.link, (told) => {
  for (const one of document.querySelectorAll("[data-meter]")) one.textContent = money(told.meters[one.dataset.meter].meter);
});
setInterval(look, 1_000);
