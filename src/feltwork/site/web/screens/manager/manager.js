// The manager's page: figures in place every five seconds, and everything else when it changes.

import { refresh } from "/static/act.js";
import { money, twin } from "/static/live.js";

const live = () => document.getElementById("live");
const PAUSE = 5_000;

let seen = "";
async function look() {
  if (document.hidden || document.querySelector("dialog[open]")) return;
  const now = await twin().catch(() => null);
  if (!now) return;
  for (const level of now.links.flatMap((link) => link.levels)) {
    const shown = live().querySelector(`[data-meter="${CSS.escape(level.link)}/${CSS.escape(level.level)}"]`);
    if (shown) shown.textContent = money(level.amount);
  }
  const drop = live().querySelector("[data-drop]");
  if (drop) drop.textContent = money(now.drop);
  const stops = now.links.map((link) => [link.link, link.life, link.stops]);
  const claims = now.claims.map((claim) => claim.id);
  const people = now.on_duty.map((one) => [one.place, one.person]);
  const state = JSON.stringify([
    now.unanswered, now.answered, claims, now.alarms, now.failed_tasks, now.failed_channels, now.cannot_book, now.hits, stops, people,
  ]);
  if (seen && state !== seen && !live().querySelector("[aria-busy]")) refresh();
  seen = state;
}

look();
setInterval(look, PAUSE);
document.addEventListener("visibilitychange", look);
