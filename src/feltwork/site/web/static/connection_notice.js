// The notice of every page that the service does not answer.

import { watchConnection } from "/static/connection.js";
import { timeOfDay } from "/static/live.js";
import { t } from "/static/text.js";

const notice = document.createElement("p");
notice.className = "lost";
notice.setAttribute("role", "alert");
// Above an open dialog as well.
notice.popover = "manual";
document.body.prepend(notice);

watchConnection((isLost) => {
  if (isLost) {
    const time = timeOfDay(Date.now());
    notice.textContent = t("No connection since %(time)s. Buttons do not work, and what you see may be out of date. If it lasts, call IT.", { time });
  }
  notice.togglePopover(isLost);
});
