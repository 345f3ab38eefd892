// Arranging the floor plan: tables are dragged to a cell, or moved with the arrow keys, and saved for everyone.

import { order, refuse } from "/static/act.js";
import { t } from "/static/text.js";

const plan = document.querySelector(".placed:has([data-table])");
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

if (plan) {
  const columns = Number(plan.dataset.columns);
  const cells = () => [...plan.children];

  // Put a table into a cell; a table that stands there changes places with it.
  const move = (table, cell) => {
    const from = table.parentElement;
    if (!cell || cell === from) return;
    from.append(...cell.children);
    cell.append(table);
    table.focus();
    const place = cells().indexOf(cell);
    const at = { table: table.dataset.table, row: Math.floor(place / columns) + 1, column: (place % columns) + 1 };
    document.getElementById("moved").textContent = t("Table %(table)s: row %(row)s, column %(column)s", at);
  };

  plan.addEventListener("keydown", (event) => {
    const table = event.target.closest("[data-table]");
    const step = STEPS[event.key];
    if (!table || !step) return;
    event.preventDefault();
    const place = cells().indexOf(table.parentElement);
    const column = (place % columns) + step[0];
    if (column < 0 || column >= columns) return;
    move(table, cells()[place + step[0] + step[1] * columns]);
  });

  plan.addEventListener("pointerdown", (event) => {
    const table = event.target.closest("[data-table]");
    if (!table) return;
    const start = [event.clientX, event.clientY];
    table.setPointerCapture(event.pointerId);
    const drag = (moved) => {
      table.classList.add("dragged");
      table.style.translate = `${moved.clientX - start[0]}px ${moved.clientY - start[1]}px`;
    };
    table.addEventListener("pointermove", drag);
    const drop = (ended) => {
      table.removeEventListener("pointermove", drag);
      table.classList.remove("dragged");
      table.style.translate = "";
      const under = document.elementsFromPoint(ended.clientX, ended.clientY);
      if (ended.type === "pointerup") move(table, under.find((element) => element.matches(".cell")));
    };
    table.addEventListener("pointerup", drop, { once: true });
    table.addEventListener("pointercancel", drop, { once: true });
  });

  document.querySelector("[data-save]").addEventListener("click", async () => {
    const places = cells().flatMap((cell, place) =>
      [...cell.children].map((table) => ({ table: table.dataset.table, column: (place % columns) + 1, row: Math.floor(place / columns) + 1 })),
    );
    try {
      await order("/api/v1/floors/plan", { places });
      location.href = "/floor";
    } catch (problem) {
      refuse(problem);
    }
  });
}
