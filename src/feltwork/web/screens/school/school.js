// The school in a browser: choose a bet, say what it gets, read the rule; the answers are kept here alone.

import { order, refuse } from "./act.js";

const KEPT = "feltwork-school";
const at = (id) => document.getElementById(id);

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) || [];
  } catch {
    return [];
  }
}

function keep(attempt) {
  localStorage.setItem(KEPT, JSON.stringify([...kept(), attempt].slice(-5000)));
}

async function showScore() {
  const attempts = kept().map(({ game, subject, right, cost }) => ({ game, subject, right, cost: cost || "0" }));
  at("score").hidden = !attempts.length;
  if (!attempts.length) return;
  const told = await order("/school/score", { attempts });
  at("score-right").textContent = `${told.right} / ${told.asked}`;
  at("score-of").textContent = `right; mistakes as a player gave away ${told.cost} wagers`;
  at("weak").hidden = !told.weak_spots.length;
  at("weak").tBodies[0].replaceChildren(
    ...told.weak_spots.slice(0, 8).map((spot) => {
      const row = document.createElement("tr");
      for (const [text, name] of [[spot.subject.replaceAll("_", " ")], [spot.game.replaceAll("_", " ")], [spot.wrong, "number"], [spot.asked, "number"]]) {
        const cell = row.insertCell();
        cell.textContent = text;
        if (name) cell.className = name;
      }
      return row;
    }),
  );
}

function dealer(exercise) {
  const { game, seed } = exercise.dataset;
  const questions = Number(exercise.dataset.questions);
  const field = at("pay").elements.returned;
  const give = at("pay").querySelector("button");
  let place = 0;
  let mistakes = 0;
  let chosen = null;

  function choose(chip) {
    for (const one of exercise.querySelectorAll(".chip")) one.setAttribute("aria-pressed", String(one === chip));
    chosen = chip;
    at("chosen").textContent = chip ? `Seat ${chip.dataset.seat}, ${chip.dataset.bet.replaceAll("_", " ")}` : "Tap its chips on the table.";
    for (const one of [at("take"), at("push"), field, give]) one.disabled = !chip;
    field.value = "";
  }

  async function answer(returned) {
    const asked = chosen;
    const body = { seed: Number(seed), place, seat: Number(asked.dataset.seat), bet: asked.dataset.bet, returned };
    let told;
    try {
      told = await order(`/school/dealer/${game}/check`, body);
    } catch (problem) {
      return refuse(problem);
    }
    keep({ game, subject: told.in_order ? told.bet : "order of the bets", right: told.right });
    if (!told.right) mistakes += 1;
    show(told);
    // A bet out of order stays open; one with the wrong amount is corrected, and the dealer goes on.
    if (told.in_order) {
      asked.classList.add(told.right ? "settled" : "missed");
      asked.disabled = true;
      place += 1;
    }
    at("done").textContent = `${place} / ${questions}`;
    choose(null);
    if (place === questions) finish();
  }

  function show(told) {
    at("correction").hidden = false;
    at("correction").className = `panel stack ${told.right ? "right" : "wrong"}`;
    at("verdict").textContent = told.told;
    at("paragraphs").replaceChildren(
      ...told.paragraphs.map((one) => {
        const item = document.createElement("li");
        const where = document.createElement("small");
        where.textContent = one.where;
        item.append(one.says, where);
        return item;
      }),
    );
  }

  function finish() {
    at("over").hidden = false;
    at("result").textContent = mistakes ? `${mistakes} of ${questions + mistakes} answers were wrong.` : "Every bet was right, in the right order.";
    at("over").querySelector("a").focus();
  }

  exercise.addEventListener("click", (event) => {
    const chip = event.target.closest(".chip");
    if (!chip) return;
    choose(chip);
    field.focus();
  });
  at("take").addEventListener("click", () => answer(0));
  at("push").addEventListener("click", () => answer(Number(chosen.dataset.staked)));
  at("pay").addEventListener("submit", (event) => {
    event.preventDefault();
    const match = /^\s*\$?([0-9]+)(?:\.([0-9]{1,2}))?\s*$/.exec(field.value);
    if (!match) return refuse({ rule: "input", what: "that is no amount", remedy: "write it like 20 or 17.50" });
    answer(Number(match[1]) * 1e6 + Number((match[2] || "").padEnd(2, "0")) * 1e4);
  });
}

// A decision is counted once, however often its page is looked at.
function player(decisions) {
  const seen = new Set(kept().map((one) => one.id));
  for (const one of decisions) {
    const { game, subject, right, cost, id } = one.dataset;
    if (!seen.has(`${game} ${id}`)) keep({ id: `${game} ${id}`, game, subject, right: right === "true", cost });
  }
}

if (at("score")) {
  showScore();
  at("forget").addEventListener("click", () => {
    localStorage.removeItem(KEPT);
    showScore();
  });
}
if (at("exercise")) dealer(at("exercise"));
player(document.querySelectorAll(".decided"));
