// The pit: confirm by badge and PIN, void with a reason, and follow the tables.

import { checkBadge, newAmount, order, refresh } from "/static/act.js";
import { ask } from "/static/badge.js";
import { money, twin } from "/static/live.js";
import { t } from "/static/text.js";

const live = () => document.getElementById("live");
const claims = () => JSON.parse(live().dataset.claims);
const sheet = document.getElementById("void");
const describe = (claim) =>
  t("Table %(table)s, %(seats)s: %(hand)s, %(amount)s.", { table: claim.table, seats: claim.seats_text, hand: claim.says, amount: money(claim.hit_amount) });
let voiding = null;

document.addEventListener("click", (event) => {
  const pressed = event.target.closest("button");
  if (!pressed) return;
  if (pressed.dataset.confirm) {
    const claim = claims().find((one) => one.id === pressed.dataset.confirm);
    ask({
      about: describe(claim),
      roles: claim.badges,
      own: live().dataset.badge,
      check: (badge) => checkBadge(claim, badge),
      send: (badges) => order(`/links/${claim.link}/awards/${claim.id}/confirm`, { badges, amount: claim.hit_amount }),
      renew: () => newAmount(claim),
      done: refresh,
    });
  } else if (pressed.dataset.void) {
    voiding = claims().find((one) => one.id === pressed.dataset.void);
    document.getElementById("void-about").textContent = describe(voiding);
    sheet.querySelector("form").reset();
    sheet.showModal();
  } else if (pressed.dataset.reason) refuseClaim(pressed.dataset.reason);
  else if (pressed.closest("#void") && "close" in pressed.dataset) sheet.close();
});

// A payout that needs documents stays disabled until they are checked; a check survives a redraw.
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

function refuseClaim(reason) {
  const claim = voiding;
  sheet.close();
  ask({
    title: t("Void claim"),
    about: `${describe(claim)} ${reason}.`,
    own: live().dataset.badge,
    send: ([shown]) => order(`/links/${claim.link}/awards/${claim.id}/void`, { reason, shown }),
    done: refresh,
  });
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
    if (shown && one.round) shown.textContent = t("round %(round)s", one);
  }
  const states = now.states.map((state) => [state.phase, state.tables.map((one) => one.id)]);
  const state = JSON.stringify([now.claims, now.to_pay, now.decisions, states, now.links.map((link) => link.takes_wagers)]);
  if (seen && state !== seen && !document.querySelector("dialog[open]")) refresh();
  seen = state;
}

look();
setInterval(look, 1_500);
