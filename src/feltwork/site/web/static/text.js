// The text of scripts: the English text is the key, and the page holds the translations of its language.

const element = document.getElementById("messages");
const messages = element ? JSON.parse(element.textContent) : {};

// t("Seat %(seat)s", { seat: 3 })
export function t(text, values = {}) {
  return (messages[text] || text).replace(/%\((\w+)\)s/g, (_, name) => values[name]);
}
