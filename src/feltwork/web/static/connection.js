// A service that does not answer is shown within three seconds, and the notice goes once it answers again.

import { t } from "/static/text.js";

const EVERY = 1_000;
const PATIENCE = 1_500;
const notice = document.createElement("p");
notice.className = "lost";
notice.setAttribute("role", "alert");
notice.hidden = true;
document.body.prepend(notice);

async function answers() {
  const response = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
  return Boolean(response?.ok);
}

async function look() {
  const lost = !document.hidden && !(await answers());
  if (lost && notice.hidden) {
    const time = new Date().toLocaleTimeString(document.documentElement.lang, { hour12: false });
    notice.textContent = t("No connection since %(time)s. Buttons do not work, and what you see may be out of date. If it lasts, call IT.", { time });
  }
  if (!document.hidden) notice.hidden = !lost;
  setTimeout(look, EVERY);
}

look();
