// What a sign does on its own: pages that take turns, a slow shift against burn-in, and the sound of a win.

const SHIFT_MS = 60_000;
// Positions of the frame in parts of its largest shift: a slow walk around the middle.
const SHIFTS = [[0, 0], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
// The chime: a major chord upward. Frequency in hertz, start in seconds.
const CHIME = [[523.25, 0], [659.25, 0.16], [783.99, 0.32], [1046.5, 0.5], [1318.51, 0.7]];

// Pages follow each other for as long as each asks; one without content is left out.
export function takeTurns(box) {
  const pages = [...box.children];
  let current = 0;
  const next = () => {
    const order = pages.map((_, step) => (current + 1 + step) % pages.length);
    current = order.find((place) => !pages[place].matches(":has(ol:empty)")) ?? 0;
    pages.forEach((page, place) => (page.hidden = place !== current));
    setTimeout(next, Number(pages[current].dataset.seconds) * 1_000);
  };
  setTimeout(next, Number(pages[0].dataset.seconds) * 1_000);
}

export function shiftAgainstBurnIn(frame) {
  let step = 0;
  setInterval(() => {
    step = (step + 1) % SHIFTS.length;
    frame.style.setProperty("--shift-x", String(SHIFTS[step][0]));
    frame.style.setProperty("--shift-y", String(SHIFTS[step][1]));
  }, SHIFT_MS);
}

let audio;
export function chime() {
  audio ??= new AudioContext();
  for (const [frequency, start] of CHIME) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const at = audio.currentTime + start;
    tone.type = "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.22, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 1.6);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 1.7);
  }
}
