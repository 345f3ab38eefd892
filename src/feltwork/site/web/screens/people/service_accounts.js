// Show a new token, once.

import { t } from "/static/text.js";

document.addEventListener("acted", ({ target, detail }) => {
  if (!detail.token) return;
  const made = document.getElementById("made");
  made.textContent = t("Token, shown this once: %(token)s", { token: detail.token });
  made.hidden = false;
  target.closest("section").remove();
});
