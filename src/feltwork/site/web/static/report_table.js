// The table of a report: sort by a heading, search its rows, and sum the rows that are shown.

import { money } from "/static/live.js";
import { t } from "/static/text.js";

const table = document.querySelector("table[data-report]");
const search = document.querySelector("[data-search]");
const body = table?.tBodies[0];

function valueOf(row, column) {
  const cell = row.cells[column];
  return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
}

function compare(a, b) {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
}

function sort(button) {
  const column = Number(button.dataset.sort);
  const heading = button.closest("th");
  const down = heading.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = Array.from(body.rows).sort((a, b) => compare(valueOf(a, column), valueOf(b, column)) * (down ? -1 : 1));
  body.append(...rows);
}

function filter() {
  const words = search.value.toLowerCase().split(/\s+/);
  const shown = Array.from(body.rows).filter((row) => {
    row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    return !row.hidden;
  });
  document.querySelector("[data-shown]").textContent = t("%(shown)s of %(all)s rows", { shown: shown.length, all: body.rows.length });
  for (const total of table.tFoot?.querySelectorAll("[data-total]") || []) {
    total.dataset.text ??= total.textContent;
    const sum = shown.reduce((sum, row) => sum + Number(row.cells[total.cellIndex].dataset.value || 0), 0);
    const all = shown.length === body.rows.length;
    total.textContent = all ? total.dataset.text : total.dataset.text.includes("$") ? money(sum) : String(sum);
  }
}

table?.tHead.addEventListener("click", ({ target }) => target.closest("[data-sort]") && sort(target.closest("[data-sort]")));
search?.addEventListener("input", filter);
