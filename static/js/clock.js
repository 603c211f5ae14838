/**
 * The player's own clock, hidden unless asked for. It goes on from the time on record, and stops when nobody looks
 * at the table or nothing was moved for a minute. It decides nothing.
 * @module
 */

/** @import {View} from "./types.js" */
import { choose, look, onLook } from "./look.js";

const PAUSE = 60;

export class Clock {
  #seconds = 0;
  #idle = PAUSE;
  #version = -1;
  #running = false;
  #display;

  /**
   * @param {HTMLElement} button shows and hides it
   * @param {HTMLElement} display
   */
  constructor(button, display) {
    this.#display = display;
    button.addEventListener("click", () => choose("clock", look("clock") === "shown" ? "hidden" : "shown"));
    onLook(() => button.setAttribute("aria-pressed", String(look("clock") === "shown")));
    setInterval(() => this.#tick(), 1000);
  }

  /** @param {View} view */
  show(view) {
    if (view.version !== this.#version) {
      this.#seconds = Math.max(view.seconds, this.#version < 0 ? 0 : this.#seconds);
      this.#idle = this.#version < 0 ? PAUSE : 0;
      this.#version = view.version;
    }
    this.#running = view.outcome === "playing";
    if (!this.#running) this.#seconds = view.seconds;
    this.#draw();
  }

  #tick() {
    if (document.hidden || !this.#running || ++this.#idle > PAUSE) return;
    this.#seconds++;
    this.#draw();
  }

  #draw() {
    for (const element of this.#display.querySelectorAll("time")) element.textContent = digits(this.#seconds);
  }
}

/** `125` → 2:05. @param {number} seconds */
export function digits(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (!parts[0]) parts.shift();
  return parts.map((part, place) => (place ? String(part).padStart(2, "0") : String(part))).join(":");
}
