// One meter of a sign: it never shows more than the true amount, and goes back only for an announced reset.

import { money } from "/static/live.js";

const CLIMB_MS = 4_000;
const SPOKEN_MS = 1_000;

export class Odometer {
  constructor(element, amount) {
    this.element = element;
    this.meter = element.closest(".meter");
    this.spoken = this.meter.querySelector("[data-spoken]");
    this.shown = this.from = this.goal = amount;
    this.began = 0;
    this.spokenAt = 0;
    this.draw(0);
  }

  climb(amount, now) {
    if (amount === this.goal) return;
    this.from = this.shown;
    this.goal = amount;
    this.began = now;
  }

  reset(amount) {
    this.shown = this.from = this.goal = amount;
    this.draw(0);
  }

  step(now) {
    if (this.shown === this.goal) return;
    const part = Math.min(1, (now - this.began) / CLIMB_MS);
    this.shown = part === 1 ? this.goal : Math.floor(this.from + (this.goal - this.from) * part);
    this.draw(now);
  }

  draw(now) {
    // The last reel turns with the fraction of a cent while it climbs and stops on a whole cent.
    // Each other reel turns only while the one below it goes from nine to zero.
    const cents = Math.min(this.shown / 10_000, Math.floor(this.goal / 10_000));
    const text = money(this.shown);
    if (this.text?.length !== text.length) this.build(text);
    let turned = cents % 1;
    this.reels.forEach((reel, place) => {
      const stands = (Math.floor(cents / 10 ** place) % 10) + turned;
      if (stands !== reel.stands) reel.strip.style.transform = `translateY(${-stands * 1.04}em)`;
      reel.stands = stands;
      turned = Math.max(0, stands - 9);
    });
    this.text = text;
    this.meter.dataset.shown = String(this.shown);
    // A changed text is laid out anew, so it follows once a second and when the climb ends.
    if (this.shown === this.goal || now - this.spokenAt > SPOKEN_MS) {
      this.spoken.textContent = text;
      this.spokenAt = now;
    }
  }

  build(text) {
    // All figures are sized for the longest one, so that a short one is not the largest.
    this.meter.dataset.places = String(text.length);
    const meters = this.meter.parentElement;
    const places = [...meters.children].map((meter) => Number(meter.dataset.places ?? 0));
    meters.style.setProperty("--places", String(Math.max(...places)));
    this.reels = [];
    const point = text.indexOf(".");
    this.element.replaceChildren(
      ...Array.from(text, (character, place) => {
        const part = document.createElement("span");
        if (/\d/.test(character)) {
          part.className = "reel";
          const strip = document.createElement("span");
          for (let digit = 0; digit <= 10; digit += 1) {
            const face = document.createElement("i");
            face.textContent = String(digit % 10);
            strip.append(face);
          }
          part.append(strip);
          this.reels.unshift({ strip, stands: -1 });
        } else {
          part.className = "mark";
          part.textContent = character;
        }
        if (place >= point) part.classList.add("cents");
        return part;
      }),
    );
  }
}
