/**
 * Reading a covered card: where a mouse rests on it or a finger is held on it, its whole face is shown above the others.
 * A picture only, which catches no pointer; a finger held to read is not a tap.
 * @module
 */

/** @import {Drag} from "./drag.js" */
/** @import {Face} from "./types.js" */
/** @import {Table} from "./table.js" */
import { draw } from "./cards.js";

const WAIT = 450;
const SLACK = 6;

export class Peek {
  /** @type {HTMLElement | null} */ #picture = null;
  /** @type {{x: number, y: number} | null} where a finger or a button is down */ #down = null;
  #timer = 0;
  #table;

  /** @param {Table} table @param {Drag} drag */
  constructor(table, drag) {
    this.#table = table;
    const { element } = table;
    element.addEventListener("pointerover", (event) => !this.#down && event.pointerType === "mouse" && this.#rest(event));
    element.addEventListener("pointerleave", () => this.#hide());
    element.addEventListener("pointerdown", (event) => {
      this.#rest(event);
      this.#down = { x: event.clientX, y: event.clientY };
    });
    element.addEventListener("pointermove", (event) => this.#isAway(event) && this.#hide());
    for (const kind of ["pointerup", "pointercancel"]) {
      // Before the drag hears of it, which would take it for a tap.
      element.addEventListener(kind, () => this.#lift(drag), { capture: true });
    }
    addEventListener("keydown", () => this.#hide());
  }

  /** @param {PointerEvent} event */
  #rest(event) {
    this.#hide();
    const pile = this.#table.pileAt(event.target);
    const card = pile?.fanned && pile.drawn.find(({ element }) => element.contains(/** @type {Node} */ (event.target)));
    if (!card || !card.face || card === pile.top) return;
    this.#timer = setTimeout(() => this.#show(card.element, card.face, event.pointerType !== "mouse"), WAIT);
  }

  /** @param {HTMLElement} card @param {Face} face @param {boolean} above clear of the finger */
  #show(card, face, above) {
    const { left, top, height } = card.getBoundingClientRect();
    const cloth = /** @type {Element} */ (this.#table.element.parentElement).getBoundingClientRect();
    const picture = document.createElement("div");
    picture.className = "peek";
    picture.ariaHidden = "true";
    picture.append(draw(face));
    const y = top - cloth.top - (above ? height : 0);
    picture.style.transform = `translate(${left - cloth.left}px, ${Math.max(0, y)}px) scale(1.1)`;
    this.#table.element.append(picture);
    this.#picture = picture;
  }

  /** @param {PointerEvent} event */
  #isAway({ clientX, clientY }) {
    return this.#down && Math.hypot(clientX - this.#down.x, clientY - this.#down.y) >= SLACK;
  }

  /** @param {Drag} drag */
  #lift(drag) {
    if (this.#picture && this.#down) drag.cancel();
    this.#hide();
  }

  #hide() {
    clearTimeout(this.#timer);
    this.#picture?.remove();
    this.#picture = this.#down = null;
  }
}
