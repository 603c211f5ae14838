/**
 * Sound cues, made by the browser's own oscillators. What there is to hear is also said and shown.
 * @module
 */

import { look } from "./look.js";

const VOLUME = 0.12;

/** @typedef {[hertz: number, seconds: number]} Tone */

/** @type {Record<string, {wave: OscillatorType, tones: Tone[]}>} */
const CUES = {
  lay: { wave: "triangle", tones: [[220, 0.05]] },
  right: { wave: "sine", tones: [[660, 0.06], [880, 0.09]] },
  wrong: { wave: "square", tones: [[150, 0.16]] },
  rival: { wave: "triangle", tones: [[330, 0.05]] },
  beat: { wave: "sine", tones: [[520, 0.12]] },
  go: { wave: "sine", tones: [[1040, 0.3]] },
  warning: { wave: "triangle", tones: [[740, 0.12], [0, 0.06], [740, 0.12]] },
  won: { wave: "sine", tones: [[523, 0.12], [659, 0.12], [784, 0.12], [1047, 0.3]] },
  lost: { wave: "sine", tones: [[440, 0.18], [370, 0.18], [294, 0.35]] },
};

export class Sounds {
  /** @type {AudioContext | null} */ #context = null;
  #wanted;

  /** @param {string[]} wanted the choices of the player that mean to hear something here */
  constructor(wanted) {
    this.#wanted = wanted;
    // Browsers keep a page silent until somebody has touched it.
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => this.#wake());
  }

  get on() {
    return this.#wanted.includes(look("sound"));
  }

  /** @param {keyof typeof CUES} name */
  play(name) {
    if (!this.on || this.#context?.state !== "running") return;
    const { wave, tones } = CUES[name];
    let at = this.#context.currentTime;
    for (const [hertz, seconds] of tones) {
      if (hertz) this.#tone(this.#context, wave, hertz, at, seconds);
      at += seconds;
    }
  }

  /**
   * @param {AudioContext} context
   * @param {OscillatorType} wave
   * @param {number} hertz
   * @param {number} at
   * @param {number} seconds
   */
  #tone(context, wave, hertz, at, seconds) {
    const oscillator = new OscillatorNode(context, { type: wave, frequency: hertz });
    const gain = new GainNode(context, { gain: VOLUME });
    gain.gain.setValueAtTime(VOLUME, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds); // a tone cut off clicks
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(at);
    oscillator.stop(at + seconds);
  }

  #wake() {
    if (!this.on) return;
    this.#context ??= new AudioContext();
    if (this.#context.state === "suspended") this.#context.resume();
  }
}
