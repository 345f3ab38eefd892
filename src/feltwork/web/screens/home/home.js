// The home page: the meters tick; in a demo one button makes a jackpot happen, and the page tells how far it is.

import { order, refuse } from "/static/act.js";
import { money } from "/static/live.js";

async function seen(path) {
  const answer = await fetch(path, { headers: { Accept: "application/json" } }).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

async function look() {
  if (document.hidden) return;
  for (const one of (await seen("/"))?.meters ?? []) {
    const shown = document.querySelector(`[data-meter="${one.link}"] .figure`);
    if (shown) shown.textContent = money(one.meter);
  }
}

setInterval(look, 2_000);

const told = document.getElementById("told");
let dealing = null;

function line(...parts) {
  const shown = document.createElement("p");
  shown.className = "row";
  shown.append(...parts);
  return shown;
}

function link(to, says, kind = "") {
  const shown = document.createElement("a");
  Object.assign(shown, { href: to, textContent: says, className: kind });
  return shown;
}

function waits(award) {
  const what = `${award.table}, seat ${award.seat}: ${award.says}, ${money(award.amount)}.`;
  if (award.status === "confirmed")
    return line(`${what} Confirmed; the cage pays it.`, link(`/signs/${award.link}`, "See the sign"), link(`/awards/${award.id}/win-page`, "Win page"));
  const badges = award.badges.join(" and an ");
  return line(`${what} It waits for a ${badges}.`, link("/pit", "Confirm it in the pit", "button primary"), link(`/signs/${award.link}`, "Watch the sign"));
}

async function follow() {
  if (document.hidden) return;
  const awards = (await seen("/demo/awards")) ?? [];
  if (awards.some((one) => one.table === dealing?.table && one.level === dealing?.level)) dealing = null;
  const lines = awards.map(waits);
  if (dealing) lines.unshift(line(`${dealing.title}: table ${dealing.table} deals the ${dealing.level} now …`));
  told.replaceChildren(...lines);
}

if (told) {
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
