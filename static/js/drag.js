/**
 * Mouse, finger and pen: tells a tap from a drag, lets cards follow the pointer, and drops them once.
 * Whatever interrupts a drag, the cards fly home.
 * @module
 */

/** @import {Face, Grip} from "./types.js" */
/** @import {Hand} from "./hand.js" */
/** @import {Table} from "./table.js" */
import { targets } from "./moves.js";
import { near, touched } from "./reach.js";

const TAP_SLACK = 6;
const DOUBLE_TAP = 350;
const DOUBLE_TAP_SLACK = 12;

/**
 * @typedef {object} Touch
 * @property {number} id
 * @property {number} x where it began
 * @property {number} y
 * @property {Grip} grip
 * @property {HTMLElement[]} cards that follow the pointer; none until it has moved
 * @property {Face[]} faces
 */

export class Drag {
  /** @type {Touch | null} */ #touch = null;
  /** @type {HTMLElement[]} dropped cards that lie where they fell until it is decided */ #dropped = [];
  #lastTap = { time: -Infinity, x: 0, y: 0 };
  #handled = -Infinity;
  #clicks = 1;
  #table;
  #hand;

  /**
   * @param {Table} table
   * @param {Hand} hand
   */
  constructor(table, hand) {
    this.#table = table;
    this.#hand = hand;
    const { element } = table;
    element.addEventListener("pointerdown", (event) => this.#down(event));
    element.addEventListener("mousedown", ({ detail }) => (this.#clicks = detail));
    element.addEventListener("pointermove", (event) => this.#move(event));
    element.addEventListener("pointerup", (event) => this.#up(event));
    element.addEventListener("pointercancel", (event) => this.#ours(event) && this.cancel());
    element.addEventListener("lostpointercapture", (event) => this.#ours(event) && this.cancel());
    element.addEventListener("dragstart", (event) => event.preventDefault());
    element.addEventListener("contextmenu", (event) => this.#touch && event.preventDefault());
    element.addEventListener("click", (event) => this.#click(event));
    addEventListener("resize", () => this.cancel());
    addEventListener("blur", () => this.cancel());
    addEventListener("keydown", ({ key }) => key === "Escape" && this.cancel());
  }

  /** Give up a drag under way. */
  cancel() {
    const touch = this.#touch;
    this.#touch = null;
    if (touch) this.#lay(touch.cards);
  }

  /** It is decided what becomes of the dropped cards, or nobody will decide any more. */
  settle() {
    const cards = this.#dropped;
    this.#dropped = [];
    if (cards.length) this.#lay(cards);
  }

  /** A new view was drawn under the cards in the air. */
  refresh() {
    const touch = this.#touch;
    if (!touch?.cards.length) return;
    if (touch.cards.some((card) => !card.isConnected)) this.cancel();
    else this.#light(touch.grip);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (this.#touch || !event.isPrimary || event.button !== 0) return;
    const grip = touched(this.#table, event);
    if (!grip) return this.#hand.letGo();
    const faces = this.#table.pile(grip.pile).faces.slice(-grip.count);
    this.#touch = { id: event.pointerId, x: event.clientX, y: event.clientY, grip, cards: [], faces };
    // Captured by the table, which stays, and not by a card, which a new view may take away.
    this.#table.element.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const touch = this.#touch;
    if (!touch || !this.#ours(event)) return;
    const x = event.clientX - touch.x;
    const y = event.clientY - touch.y;
    if (!touch.cards.length && (Math.hypot(x, y) < TAP_SLACK || !this.#lift(touch))) return;
    for (const card of touch.cards) card.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** @param {PointerEvent} event */
  #up(event) {
    this.#handled = event.timeStamp;
    const touch = this.#touch;
    if (!touch || !this.#ours(event)) return;
    this.#touch = null;
    if (touch.cards.length) this.#drop(touch);
    else if (Math.hypot(event.clientX - touch.x, event.clientY - touch.y) < TAP_SLACK && !this.#isSecondOfTwo(event)) {
      this.#hand.tap(touch.grip);
    }
  }

  /** Only the top card can be carried about, or cards that may move together. @param {Touch} touch */
  #lift(touch) {
    const pile = this.#table.pile(touch.grip.pile);
    const cards = pile.cards(touch.grip.count);
    const movable = cards[0]?.classList.contains("live") || touch.grip.count === 1;
    if (!movable || touch.faces.includes(null) || cards.length !== touch.grip.count) return false;
    this.#hand.letGo();
    touch.cards = cards;
    for (const card of cards) card.classList.add("lifted");
    this.#table.element.classList.add("dragging");
    this.#light(touch.grip);
    return true;
  }

  /** @param {Grip} grip */
  #light(grip) {
    const { view } = this.#table;
    if (view) this.#table.light(null, targets(view, grip));
  }

  /** @param {Touch} touch */
  #drop({ grip, cards, faces }) {
    if (!cards[0].isConnected) return this.#lay(cards);
    const close = near(this.#table, cards[0].getBoundingClientRect(), grip.pile);
    this.#dropped.push(...cards);
    this.#hand.drop({ ...grip, faces }, close, () => this.settle());
  }

  /** @param {HTMLElement[]} cards */
  #lay(cards) {
    for (const card of cards) card.classList.remove("lifted");
    this.#table.element.classList.remove("dragging");
    this.#table.settle(cards);
    if (cards.length) this.#hand.letGo();
  }

  /** A screen reader or a key presses a button without any pointer. @param {MouseEvent} event */
  #click(event) {
    if (event.detail !== 0 && event.timeStamp - this.#handled < 1000) return;
    const pile = this.#table.pileAt(event.target);
    if (!pile || !(event.target instanceof Element)) return;
    const grip = { pile: pile.name, count: pile.countFrom(event.target.closest(".card")) };
    if (event.shiftKey) this.#hand.playObvious(grip);
    else this.#hand.press(grip);
  }

  /**
   * The second tap of two came too fast to be meant for what lies there now. A mouse says itself what is a double click.
   * @param {PointerEvent} event
   */
  #isSecondOfTwo({ timeStamp, clientX, clientY, pointerType }) {
    const { time, x, y } = this.#lastTap;
    this.#lastTap = { time: timeStamp, x: clientX, y: clientY };
    const fast = timeStamp - time < DOUBLE_TAP && Math.hypot(clientX - x, clientY - y) < DOUBLE_TAP_SLACK;
    return fast && (pointerType !== "mouse" || this.#clicks > 1);
  }

  /** @param {PointerEvent} event */
  #ours(event) {
    return event.pointerId === this.#touch?.id;
  }
}
