// The hits that a sign announces: one after the other, the highest level first, each for 20 seconds.

const SHOWN_MS = 20_250; // more than 20 s, since a slow display draws late
const before = (one, other) => one.rank - other.rank || one.pending - other.pending || one.at - other.at;

export class WinQueue {
  // `show` draws a hit, or hides the announcement if there is none.
  constructor(show) {
    this.show = show;
    this.waiting = [];
    this.current = null;
    this.timer = 0;
  }

  // A new hit, or one whose amount has changed or that is now confirmed. A higher level comes first at once;
  // what it interrupts is shown again in full.
  add(win) {
    const same = (other) => other.link === win.link && other.hit === win.hit;
    if (this.current && same(this.current) && this.current.pending === win.pending) {
      this.current = win;
      this.show(win);
      return;
    }
    this.waiting = [...this.waiting.filter((other) => !same(other)), win];
    if (this.current && same(this.current)) this.next();
    else if (!this.current || win.rank < this.current.rank) {
      if (this.current) this.waiting.push(this.current);
      this.next();
    }
  }

  // Drop what is no longer a hit: its claim was withdrawn or its award reversed.
  keep(isHit) {
    this.waiting = this.waiting.filter(isHit);
    if (this.current && !isHit(this.current)) this.next();
  }

  next() {
    clearTimeout(this.timer);
    this.waiting.sort(before);
    this.current = this.waiting.shift() ?? null;
    this.show(this.current);
    if (this.current) this.timer = setTimeout(() => this.next(), SHOWN_MS);
  }
}
