// The pit: confirm by badge and PIN, void with a reason; the page follows what happens at the tables.

import { newAmount, order, refresh, refuse } from "/static/act.js";
import { ask } from "/static/badge.js";
import { money, twin } from "/static/live.js";

const live = () => document.getElementById("live");
const claims = () => JSON.parse(live().dataset.claims);
const sheet = document.getElementById("void");
let voiding = null;

document.addEventListener("click", (event) => {
  const pressed = event.target.closest("button");
  if (!pressed) return;
  if (pressed.dataset.confirm) {
    const claim = claims().find((one) => one.id === pressed.dataset.confirm);
    ask({
      about: `Table ${claim.table}, seat ${claim.seat}: ${claim.says}, ${money(claim.hit_amount)}`,
      roles: claim.badges,
      own: live().dataset.badge,
      send: (badges) => order(`/links/${claim.link}/awards/${claim.id}/confirm`, { badges, amount: claim.hit_amount }),
      renew: () => newAmount(claim),
      done: refresh,
    });
  } else if (pressed.dataset.void) {
    voiding = claims().find((one) => one.id === pressed.dataset.void);
    document.getElementById("void-about").textContent =
      `Table ${voiding.table}, seat ${voiding.seat}: ${voiding.says}, ${money(voiding.amount)}`;
    sheet.querySelector("form").reset();
    sheet.showModal();
  } else if (pressed.dataset.reason) refuseClaim(pressed.dataset.reason);
  else if (pressed.closest("#void") && "close" in pressed.dataset) sheet.close();
});

// A payout that waits for documents waits here too; what was ticked stays ticked when the page is drawn anew.
const ticked = new Set();
function allow(box) {
  for (const one of box.closest(".owe").querySelectorAll("button[data-act]")) one.disabled = !box.checked;
}
document.addEventListener("change", (event) => {
  if (!("seen" in event.target.dataset)) return;
  if (event.target.checked) ticked.add(event.target.id);
  else ticked.delete(event.target.id);
  allow(event.target);
});
document.addEventListener("htmx:afterSettle", () => {
  for (const id of ticked) {
    const box = document.getElementById(id);
    if (box) allow(Object.assign(box, { checked: true }));
    else ticked.delete(id);
  }
});

document.getElementById("void-form").addEventListener("submit", (event) => {
  event.preventDefault();
  refuseClaim(event.target.reason.value);
});

async function refuseClaim(reason) {
  try {
    await order(`/links/${voiding.link}/awards/${voiding.id}/void`, { reason });
    sheet.close();
    refresh();
  } catch (problem) {
    refuse(problem);
  }
}

let seen = "";
async function look() {
  if (document.hidden || document.querySelector("dialog[open]")) return;
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
    if (shown && one.round) shown.textContent = `round ${one.round}`;
  }
  const states = now.states.map((state) => [state.phase, state.tables.map((one) => one.id)]);
  const told = JSON.stringify([now.claims, now.to_pay, now.corrections, states, now.links.map((link) => link.takes_wagers)]);
  if (seen && told !== seen && !document.querySelector("dialog[open]")) refresh();
  seen = told;
}

look();
setInterval(look, 1_500);
