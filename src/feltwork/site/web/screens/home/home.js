// The home page: live meters; in a demo, the jackpot button and the progress of its claims.

import { order, refuse } from "/static/act.js";
import { money } from "/static/live.js";
import { t } from "/static/text.js";

async function load(path) {
  const response = await fetch(path, { headers: { Accept: "application/json" } }).catch(() => null);
  return response?.ok ? response.json() : null;
}

async function look() {
  if (document.hidden) return;
  for (const one of (await load("/"))?.meters ?? []) {
    const shown = document.querySelector(`[data-meter="${one.link}"] .figure`);
    if (shown) shown.textContent = money(one.meter);
  }
}

setInterval(look, 2_000);

const story = document.getElementById("told");
let dealing = null;
let shown = "";

function line(says, ...links) {
  const element = document.createElement("p");
  element.classList.add("row", "spread");
  const actions = document.createElement("span");
  actions.className = "row";
  actions.append(...links);
  element.append(says, actions);
  return element;
}

function link(to, says, kind = "") {
  const element = document.createElement("a");
  Object.assign(element, { href: to, textContent: says, className: kind });
  return element;
}

function waits(award) {
  const what = t("Table %(table)s, seat %(seat)s: %(hand)s, %(amount)s.", { table: award.table, seat: award.seat, hand: award.says, amount: money(award.amount) });
  const paid = t("Confirmed. The cage pays it.");
  if (award.status === "confirmed")
    return line(`${what} ${paid}`, link(`/signs/${award.link}`, t("See the sign")), link(`/awards/${award.id}/win-page?link=${award.link}`, t("Win page")));
  const badges = award.badges.map((role) => t(role)).join(" + ");
  const needed = t("Badges needed: %(badges)s.", { badges });
  return line(`${what} ${needed}`, link(`/signs/${award.link}`, t("Watch the sign")), link("/pit", t("Confirm it in the pit"), "button primary"));
}

async function follow() {
  if (document.hidden) return;
  const awards = (await load("/demo/awards")) ?? [];
  if (awards.some((one) => one.table === dealing?.table && one.level === dealing?.level)) dealing = null;
  // A link that is replaced while someone presses it does nothing.
  const now = JSON.stringify([dealing, awards]);
  if (now === shown) return;
  shown = now;
  const lines = awards.map(waits);
  if (dealing) lines.unshift(line(t("%(title)s: table %(table)s is dealing the %(level)s…", dealing)));
  story.replaceChildren(...lines);
}

if (story) {
  document.getElementById("make-jackpot").addEventListener("click", async () => {
    try {
      dealing = await order("/demo/jackpot");
      follow();
    } catch (problem) {
      refuse(problem);
    }
  });
  follow();
  setInterval(follow, 1_000);
}
