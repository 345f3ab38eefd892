// The pit: confirm and void by badge and PIN, misdeals and takeovers, alarms and incidents, and the tables live.

import { checkBadge, newAmount, order, refresh, refuse, sentences } from "/static/act.js";
import { ask, before, lacking } from "/static/badge.js";
import { layDeck } from "/static/card_picker.js";
import { money, twin } from "/static/live.js";
import { askReason } from "/static/reason.js";
import { t } from "/static/text.js";

const element = (id) => document.getElementById(id);
const live = () => element("live");
const claimOf = (id) => JSON.parse(live().dataset.claims).find((one) => one.id === id);
const path = (claim, what) => `/api/v1/links/${claim.link}/awards/${claim.id}/${what}`;
const sheet = element("table");
const describe = (claim) =>
  t("Table %(table)s, %(seats)s: %(hand)s, %(amount)s.", { table: claim.table, seats: claim.seats_text, hand: claim.says, amount: money(claim.hit_amount) });

document.addEventListener("click", (event) => {
  const pressed = event.target.closest("button");
  if (!pressed) return;
  const { dataset } = pressed;
  if (dataset.confirm) confirm(claimOf(dataset.confirm));
  else if (dataset.void) voidClaim(claimOf(dataset.void));
  else if (dataset.aside) setAside(claimOf(dataset.aside));
  else if (dataset.cards) openCards(claimOf(dataset.cards));
  else if (dataset.table) openTable(dataset.table, dataset.link);
  else if ("misdeal" in dataset) misdeal(sheet.dataset.name);
  else if ("takeover" in dataset) takeOver(sheet.dataset.name);
  else if ("report" in dataset) report();
  else if (dataset.reverse) requestReversal(JSON.parse(dataset.reverse), dataset.about);
  else if (dataset.clear) clearAlarm(JSON.parse(dataset.clear), dataset.about);
  else if ("close" in dataset) pressed.closest("dialog:not(#badge)")?.close();
});

// Ask for the badge of the person who is signed in first.
function askOwn(asked) {
  ask({ own: live().dataset.badge, done: refresh, ...asked });
}

function confirm(claim, kept = []) {
  askOwn({
    about: describe(claim),
    roles: claim.badges,
    kept,
    amount: claim.hit_amount,
    first: before(claim, async (typed) => {
      await refresh();
      const now = claimOf(claim.id);
      if (now) confirm(now, typed);
    }),
    check: (badge) => checkBadge(claim, badge),
    lacking: lacking(JSON.parse(live().dataset.claims), claim),
    send: (badges, cards) => order(path(claim, "confirm"), { badges, amount: claim.hit_amount, cards: cards[claim.link] }),
    renew: () => newAmount(claim),
  });
}

function voidClaim(claim) {
  askReason("void", describe(claim), (reason) =>
    askOwn({
      title: t("Void claim"),
      about: `${describe(claim)} ${reason}.`,
      send: ([shown]) => order(path(claim, "void"), { reason, shown }),
    }),
  );
}

let naming = null;
function openCards(claim) {
  naming = claim;
  layDeck(element("cards"), claim.decks);
  element("cards-about").textContent = describe(claim);
  element("cards-problem").hidden = true;
  element("cards").showModal();
}

document.addEventListener("submit", async (event) => {
  if (!event.target.closest("#cards")) return;
  event.preventDefault();
  try {
    await order(path(naming, "cards"), { cards: event.target.cards.value });
    element("cards").close();
    refresh();
  } catch (problem) {
    element("cards-problem").textContent = event.target.cards.value ? sentences(problem) : t("Tap the cards of the winning hand.");
    element("cards-problem").hidden = false;
  }
});

// What can be done at a table depends on its round now, and on where it is dealt.
async function openTable(name, link) {
  const response = await fetch(`/api/v1/tables/${name}`, { headers: { Accept: "application/json" } }).catch(() => null);
  const rounds = response?.ok ? Object.values((await response.json()).links) : [];
  const open = rounds.filter((one) => one.phase !== "idle");
  const isDriven = open.some((one) => one.driver === "controller");
  sheet.dataset.name = name;
  element("table-title").textContent = t("Table %(table)s", { table: name });
  element("table-about").textContent = !open.length
    ? t("No round is open.")
    : isDriven
      ? t("Round %(round)s is dealt by the controller. If it does not answer, take the round over, and finish it on the table's screen.", open[0])
      : t("Round %(round)s is dealt from the screen.", open[0]);
  element("table-screen").href = `/dealer/${link}/${name}`;
  sheet.querySelector("[data-takeover]").hidden = !isDriven;
  sheet.querySelector("[data-misdeal]").hidden = isDriven || !open.length || !open.every((one) => one.buttons.includes("MISDEAL"));
  if (!sheet.open) sheet.showModal();
}

function misdeal(table) {
  sheet.close();
  askReason("misdeal", t("Table %(table)s: this voids the round and returns every wager.", { table }), (reason) =>
    askOwn({
      title: t("Misdeal"),
      about: t("Table %(table)s: %(reason)s.", { table, reason }),
      send: ([shown]) => order(`/api/v1/tables/${table}/misdeal`, { reason, shown }),
    }),
  );
}

function takeOver(table) {
  sheet.close();
  askOwn({
    title: t("Take over"),
    about: t("Table %(table)s: finish the round of the controller on the table's screen.", { table }),
    send: ([shown]) => order(`/api/v1/tables/${table}/takeover`, { shown }),
  });
}

function report() {
  const form = element("incident").querySelector("form");
  form.reset();
  if (sheet.open) form.table.value = sheet.dataset.name;
  sheet.close();
  element("incident").showModal();
}

// A second person approves it in the pit.
function setAside(claim) {
  const form = element("aside").querySelector("form");
  form.reset();
  form.link.value = claim.link;
  form.award.value = claim.id;
  element("aside-about").textContent = describe(claim);
  element("aside").showModal();
}

// Accounting approves it in the office.
function requestReversal({ link, award }, about) {
  const form = element("reverse").querySelector("form");
  form.reset();
  form.link.value = link;
  form.award.value = award;
  form.adjustment.value = `REV-${award}`;
  element("reverse-about").textContent = about;
  element("reverse").showModal();
}

document.addEventListener("acted", (event) => event.target.closest("#incident, #reverse, #aside")?.close());

function clearAlarm(alarm, about) {
  askReason("clear", about, (reason) => order("/api/v1/alarms/clear", { ...alarm, reason }).then(refresh, refuse));
}

let seen = "";
async function look() {
  if (document.hidden || document.querySelector("dialog[open]") || live().contains(document.activeElement?.closest("form"))) return;
  const now = await twin().catch(() => null);
  if (!now) return;
  for (const link of now.links) {
    for (const level of link.levels) {
      const shown = live().querySelector(`[data-meter="${link.link}/${level.level}"]`);
      if (shown) shown.textContent = money(level.amount);
    }
  }
  for (const one of now.states.flatMap((state) => state.tables)) {
    const shown = live().querySelector(`[data-round="${CSS.escape(one.link)}/${CSS.escape(one.id)}"]`);
    if (shown && one.round) shown.textContent = t("round %(round)s", one);
  }
  const states = now.states.map((state) => [state.phase, state.tables.map((one) => one.id)]);
  const listed = [now.claims, now.to_pay, now.paid, now.decisions, now.alarms, now.incidents, now.proposals];
  const state = JSON.stringify([listed, states, now.links.map((link) => link.takes_wagers)]);
  if (seen && state !== seen && !document.querySelector("dialog[open]")) refresh();
  seen = state;
}

look();
setInterval(look, 1_500);
