// The school: settle bets, read the rule, and keep the score in this browser.

import { order, refuse } from "/static/act.js";
import { t } from "/static/text.js";

const KEPT = "feltwork-school";
const at = (id) => document.getElementById(id);
const plain = (name) => t(name.replaceAll("_", " "));

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
  const score = await order("/school/score", { attempts });
  at("score-right").textContent = `${score.right} / ${score.asked}`;
  at("score-of").textContent = t("correct. Player mistakes cost %(cost)s wagers.", score);
  at("weak").hidden = !score.weak_spots.length;
  at("weak").tBodies[0].replaceChildren(
    ...score.weak_spots.slice(0, 8).map((spot) => {
      const row = document.createElement("tr");
      for (const [text, name] of [[plain(spot.subject)], [plain(spot.game)], [spot.wrong, "number"], [spot.asked, "number"]]) {
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
    at("chosen").textContent = chip ? t("Seat %(seat)s, %(bet)s", { seat: chip.dataset.seat, bet: plain(chip.dataset.bet) }) : t("Tap its chips on the table.");
    for (const one of [at("take"), at("push"), field, give]) one.disabled = !chip;
    field.value = "";
  }

  async function answer(returned) {
    const asked = chosen;
    const body = { seed: Number(seed), place, seat: Number(asked.dataset.seat), bet: asked.dataset.bet, returned };
    let correction;
    try {
      correction = await order(`/school/dealer/${game}/check`, body);
    } catch (problem) {
      return refuse(problem);
    }
    keep({ game, subject: correction.in_order ? correction.bet : "order_of_the_bets", right: correction.right });
    if (!correction.right) mistakes += 1;
    show(correction);
    // A bet taken out of order stays open; a wrong amount is corrected, and the dealer goes on.
    if (correction.in_order) {
      asked.classList.add(correction.right ? "settled" : "missed");
      asked.disabled = true;
      place += 1;
    }
    at("done").textContent = `${place} / ${questions}`;
    choose(null);
    if (place === questions) finish();
  }

  function show(correction) {
    at("correction").hidden = false;
    at("correction").className = `panel stack ${correction.right ? "right" : "wrong"}`;
    at("verdict").textContent = correction.told;
    at("paragraphs").replaceChildren(
      ...correction.paragraphs.map((one) => {
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
    at("result").textContent = mistakes ? t("%(mistakes)s of %(answers)s answers were wrong.", { mistakes, answers: questions + mistakes }) : t("Every bet correct, in the right order.");
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
    if (!match) return refuse({ rule: "input", what: t("That isn't a dollar amount."), remedy: t("Enter a dollar amount, such as 250.00.") });
    answer(Number(match[1]) * 1e6 + Number((match[2] || "").padEnd(2, "0")) * 1e4);
  });
}

// Count a decision once, even if its page is opened again.
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
