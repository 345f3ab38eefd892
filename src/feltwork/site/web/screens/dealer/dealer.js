// The dealer's screen: START GAME, CORRECT SEAT before the first hand, one button per seat and hand, END GAME. A claim
// opens the badge dialog at once.

import { checkBadge, newAmount, order, refresh, refuse } from "/static/act.js";
import { ask, before, lacking } from "/static/badge.js";
import { listen, money, twin } from "/static/live.js";
import { askReason } from "/static/reason.js";
import { t } from "/static/text.js";

const felt = () => document.getElementById("live");
const table = (rest) => `/api/v1/tables/${felt().dataset.table}/${rest}`;
const path = (link, rest) => `/api/v1/links/${link}/tables/${felt().dataset.table}/${rest}`;
const awards = (one) => `/api/v1/links/${one.link}/awards/${one.id}`;
const boards = () => [...felt().querySelectorAll(".board")];
const board = (link) => boards().find((one) => one.dataset.link === link);
let busy = false;

// The pressed button is busy until its command is done.
async function press(act, pressed) {
  if (busy) return undefined;
  busy = true;
  pressed?.setAttribute("aria-busy", "true");
  try {
    return await act();
  } catch (problem) {
    refuse(problem, problem.in_the_way && clears(problem.in_the_way));
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
  const shown = felt().querySelector("[data-count]");
  if (shown) shown.textContent = seats(felt(), true).length;
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
  } else if (pressed.classList.contains("disc") && side) {
    markWinner(pressed);
  } else if ("done" in pressed.dataset) {
    pressSide();
  } else if (pressed.classList.contains("disc")) {
    const seat = pressed.closest(".seat");
    light(seat, !seat.classList.contains("lit"));
    count();
  } else if ("start" in pressed.dataset) {
    const players = seats(boards()[0], false);
    const started = await press(() => order(table("start"), { wagers: wagers(), players }), pressed);
    if (!started) return;
    refresh();
    for (const why of Object.values(started.refused)) toast(why);
  } else if ("end" in pressed.dataset) {
    if (await press(() => order(table("end")), pressed)) refresh();
  } else if ("side" in pressed.dataset && !pressed.classList.contains("on")) {
    chooseSide(pressed);
  } else if (pressed.dataset.hand) {
    pressHand(pressed, pressed.classList.contains("on") ? winnersOf(pressed) : []);
  } else if ("fold" in pressed.dataset) {
    const folded = pressed.getAttribute("aria-pressed") !== "true";
    const { link } = pressed.closest(".board").dataset;
    if (await press(() => order(path(link, "fold"), { seat: seatOf(pressed), folded }), pressed)) refresh();
  } else if ("misdeal" in pressed.dataset) {
    askReason("misdeal", t("This voids the round and returns every wager. A supervisor confirms it by badge."), voidRound);
  } else if ("takeover" in pressed.dataset) {
    askOther({
      title: t("Take over"),
      about: t("Take over the round at this screen."),
      send: ([shown]) => order(table("takeover"), { shown }),
      done: refresh,
    });
  } else if (pressed.dataset.claim) claim(pressed.dataset.link, pressed.dataset.claim);
});

// A hand that contradicts the refused one: its button pressed again clears it.
function clears({ link, seat, hand }) {
  const other = board(link)?.querySelector(`[data-seat="${seat}"] [data-hand="${hand}"]:not(:disabled)`);
  return other && { label: t("Clear seat %(seat)s", { seat }), run: () => pressHand(other, winnersOf(other)) };
}

const seatOf = (pressed) => Number(pressed.closest(".seat").dataset.seat);

async function pressHand(pressed, winners) {
  const { link } = pressed.closest(".board").dataset;
  const named = { seat: seatOf(pressed), hand: pressed.dataset.hand, winners };
  const view = await press(() => order(path(link, "hand"), named), pressed);
  if (!view) return;
  await refresh();
  if (view.award) claim(link, view.award);
}

// A prize that the winning side divides: the hand, then the other seats of the side, then one key for all of them.
let side = null;
function chooseSide(pressed) {
  leaveSide();
  side = { pressed: pressed.id, winners: new Set([seatOf(pressed)]) };
  felt().classList.add("marking");
  for (const seat of pressed.closest(".board").querySelectorAll(".seat.lit")) seat.querySelector(".disc").disabled = false;
  drawSide();
  document.querySelector("[data-done]").focus();
  toast(t("Tap the other seats on the winning side."));
}

function markWinner(pressed) {
  const seat = seatOf(pressed);
  if (!side.winners.delete(seat)) side.winners.add(seat);
  drawSide();
}

function drawSide() {
  const key = document.querySelector("[data-done]");
  const count = side?.winners.size ?? 0;
  key.hidden = !side;
  key.disabled = !count;
  key.textContent = t("Winning side: %(count)s seats", { count });
  const marked = side && document.getElementById(side.pressed).closest(".board");
  for (const seat of felt().querySelectorAll(".seat"))
    seat.classList.toggle("winner", Boolean(marked?.contains(seat) && side.winners.has(Number(seat.dataset.seat))));
}

function leaveSide() {
  if (!side) return;
  side = null;
  felt().classList.remove("marking");
  for (const disc of felt().querySelectorAll(".disc")) disc.disabled = true;
  drawSide();
}

async function pressSide() {
  const winners = [...side.winners].sort((a, b) => a - b);
  const named = document.getElementById(side.pressed);
  const { hand } = named.dataset;
  const pressed = named.closest(".board").querySelector(`[data-seat="${winners[0]}"] [data-hand="${hand}"]`);
  leaveSide();
  await pressHand(pressed, winners);
}

// A second press clears the hand of every seat that shares it.
function winnersOf(pressed) {
  if (!("side" in pressed.dataset)) return [];
  const shared = pressed.closest(".board").querySelectorAll(`[data-hand="${pressed.dataset.hand}"].on`);
  return [...shared].map(seatOf);
}

function voidRound(reason) {
  askOther({
    title: t("Misdeal"),
    about: t("Misdeal: %(reason)s. Return all wagers.", { reason }),
    send: ([shown]) => order(table("misdeal"), { reason, shown }),
    done: async () => {
      await refresh();
      toast(t("The round is void. Return all wagers."));
    },
  });
}

// CORRECT SEAT, then the seat: a chip knocked off its sensor, or a ghost reading.
function arm(on) {
  felt().classList.toggle("correcting", on);
  const key = document.getElementById("correct-key");
  key.setAttribute("aria-pressed", String(on));
  for (const seat of felt().querySelectorAll(".seat[data-plays]")) seat.querySelector(".disc").disabled = !on;
  if (on) felt().querySelector(".seat[data-plays] .disc")?.focus();
  else key.focus();
  if (on) toast(t("Tap the seat to correct."));
}

async function correct(pressed) {
  const seat = pressed.closest(".seat");
  const wagered = !seat.classList.contains("lit");
  const number = Number(seat.dataset.seat);
  const { link } = seat.closest(".board").dataset;
  if (wagered) {
    askOther({
      title: t("Correct seat"),
      about: t("Add seat %(seat)s to this round. A supervisor confirms it by badge.", { seat: number }),
      send: ([shown]) => order(path(link, "correct"), { seat: number, wagered, shown }),
      done: async () => {
        await refresh();
        toast(t("Seat %(seat)s: wager locked.", { seat: number }));
      },
    });
    return;
  }
  if (!(await press(() => order(path(link, "correct"), { seat: number, wagered }), pressed))) return;
  await refresh();
  toast(t("Seat %(seat)s: return the wager.", { seat: number }));
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && felt().classList.contains("correcting")) arm(false);
  if (event.key === "Escape") leaveSide();
});

// The claim that the badge dialog asks about.
let asked = "";

// A badge for something else than a claim.
function askOther(question) {
  asked = "";
  ask(question);
}

// One supervisor visit confirms a hand: the claims of its seat on every jackpot.
function claim(link, award, kept = []) {
  const claims = JSON.parse(felt().dataset.claims).filter((one) => one.status === "claimed");
  const mine = claims.filter((one) => one.link === link);
  const found = mine.find((one) => one.id === award) || mine[0];
  const aquarius = board(link).dataset.controls === "aquarius";
  const also = (one) => one.seat === found?.seat && one.link !== link && board(one.link).dataset.controls === "nexus";
  const hit = found ? [found, ...(aquarius ? [] : claims.filter(also))] : [];
  const won = [...hit];
  asked = found?.id || "";
  const payNow = document.getElementById("pay-now");
  payNow.querySelector("input").checked = true;
  const says = (one) => {
    const values = { title: one.title, seats: one.seats_text, hand: one.says, amount: money(one.hit_amount), rule: one.rule };
    return t("%(title)s, %(seats)s: %(hand)s, %(amount)s. %(rule)s", values);
  };
  const later = hit.find((one) => one.first);
  const back = async (typed) => {
    await refresh();
    claim(link, award, typed);
  };
  ask({
    about: hit.map(says).join(" ") || t("Turn the key to RUN."),
    kept,
    amount: total(hit),
    first: later && before(later, back),
    payNow: hit.length > 0 && hit.every((one) => one.pay_now),
    roles: hit.map((one) => one.badges).sort((a, b) => b.length - a.length)[0],
    lacking: hit.flatMap((one) => lacking(claims, one)),
    check: (badge) => checkBadge(found, badge),
    renew: () => newAmounts(hit),
    send: (badges, cards) => (aquarius ? turn(link, found, badges, cards) : confirm(hit, badges, cards)),
    done: (pay) => {
      refresh();
      const values = { seats: found?.seats_text, amount: money(total(won)) };
      if (found) toast(pay ? t("%(amount)s confirmed and paid, %(seats)s.", values) : t("%(amount)s confirmed, %(seats)s.", values));
    },
  });
}

const total = (hit) => hit.reduce((sum, one) => sum + one.hit_amount, 0);

async function newAmounts(hit) {
  const before = total(hit);
  for (const one of hit) await newAmount(one);
  return total(hit) === before ? "" : t("Confirm %(amount)s", { amount: money(total(hit)) });
}

async function confirm(hit, badges, cards) {
  const chosen = document.querySelector("#pay-now input:checked");
  const pay = (!document.getElementById("pay-now").hidden && chosen.value) || null;
  // A confirmed claim leaves the list, in case the next one is refused.
  for (const left = [...hit]; left.length; hit.splice(hit.indexOf(left.shift()), 1)) {
    const shown = badges.slice(0, left[0].badges.length);
    await order(`${awards(left[0])}/confirm`, { badges: shown, amount: left[0].hit_amount, pay, cards: cards[left[0].link] });
  }
  return pay;
}

// Aquarius: key to JPH, J-POT, key to RUN; finish the sequence from the current step.
async function turn(link, found, badges, cards) {
  const { phase } = board(link).dataset;
  const shown = badges[0];
  if (phase === "claimed") await order(path(link, "key"), { to: "JPH", shown });
  if (phase !== "logged") await order(`${awards(found)}/confirm`, { badges, amount: found.hit_amount, cards: cards[link] });
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

// Poll for changes made elsewhere: claims confirmed or voided in the pit, chips on the sensors.
async function look() {
  if (document.hidden || busy || side) return;
  const now = await twin().catch(() => null);
  if (!now || busy || side) return;
  const rounds = JSON.stringify(now.jackpots.map((one) => one.round));
  const sensors = now.jackpots.map((one) => one.sensors).join(",");
  if (rounds !== JSON.stringify(JSON.parse(felt().dataset.rounds)) || sensors !== felt().dataset.sensors) {
    await refresh();
    leaveSettled();
    return;
  }
  for (const one of now.jackpots.filter((one) => one.sensors === "lit" && one.round.phase === "idle")) {
    for (const seat of one.seats) light(board(one.link).querySelector(`[data-seat="${seat.seat}"]`), seat.lit);
    count();
  }
}

// A claim that was confirmed or voided elsewhere asks for no badge here.
function leaveSettled() {
  const dialog = document.getElementById("badge");
  const waits = JSON.parse(felt().dataset.claims).some((one) => one.id === asked && one.status === "claimed");
  if (asked && !waits && dialog.open && !dialog.getAttribute("aria-busy")) dialog.close();
  if (!waits) asked = "";
}

for (const { dataset } of boards())
  listen(dataset.link, (state) => {
    for (const [level, pools] of Object.entries(state.meters))
      document.querySelector(`[data-meter="${dataset.link}/${level}"]`).textContent = money(pools.meter);
  });
setInterval(look, 1_000);
