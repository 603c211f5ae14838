/**
 * The table: draws a view, flies what changed from the view before, and shows what is held and where it may go.
 * After `show` the elements always stand as the view says; only their flights lag behind.
 * @module
 */

/** @import {Face, Grip, Position} from "./types.js" */
/** @import {Spot} from "./motion.js" */
import { draw } from "./cards.js";
import { fly, land, spot } from "./motion.js";
import { counts, parse, turning } from "./moves.js";
import { Pile, sameBelow } from "./pile.js";

// Pixels: a card less wide shows no pips.
const NARROW = 54;

/** @typedef {{pile: string, face: Face, from: Spot}} Lost a card that left its pile, and where it was drawn */

export class Table {
  /** @type {Map<string, Pile>} in reading order */ piles = new Map();
  /** @type {Position | null} */ view = null;
  sure = false;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    for (const place of element.querySelectorAll(".pile")) {
      const pile = new Pile(/** @type {HTMLElement} */ (place));
      this.piles.set(pile.name, pile);
    }
    const first = /** @type {Pile} */ (this.piles.values().next().value);
    new ResizeObserver(() => this.#measure(first)).observe(first.element);
  }

  /** A query of each card's own size in CSS would lay out every card by itself at every change. @param {Pile} first */
  #measure(first) {
    this.element.classList.toggle("narrow", first.element.clientWidth < NARROW);
  }

  /** @param {string} name */
  pile(name) {
    return /** @type {Pile} */ (this.piles.get(name));
  }

  /** The pile that an element belongs to. @param {EventTarget | null} target */
  pileAt(target) {
    const element = target instanceof Element ? target.closest(".pile") : null;
    return element instanceof HTMLElement ? this.piles.get(element.dataset.pile ?? "") : undefined;
  }

  /**
   * Draw a view. `sure` is false for one that the server has not confirmed: what may be played from it is not known.
   * @param {Position} view
   * @param {boolean} sure
   * @param {boolean} fresh whether these cards are to be seen dealt
   */
  show(view, sure, fresh = false) {
    const { activeElement } = document;
    const focused = this.pileAt(activeElement);
    const wasOnTop = focused?.stops().at(-1) === activeElement;
    const isFirst = this.view === null;
    const letFly = this.#lay(view, isFirst);
    this.view = view;
    this.sure = sure;
    if (sure) this.#markPlayable(view);
    this.#markLast(view.last);
    if (document.activeElement !== activeElement) focused?.focus(wasOnTop ? null : activeElement);
    // Last, since where cards lie is read here: a browser that is asked after each change works it out each time.
    if (fresh) this.#deal();
    else if (!isFirst) letFly();
  }

  /** Let cards that a hand has moved about go back to where they belong. @param {HTMLElement[]} cards */
  settle(cards) {
    const flights = cards.filter((card) => card.isConnected).map((card) => ({ card, from: spot(card), turning: null }));
    for (const card of cards) card.style.removeProperty("transform");
    fly(flights);
  }

  /** Show what is held and where it may go. @param {Grip | null} grip @param {string[]} targets */
  light(grip, targets) {
    const held = new Set(grip ? this.pile(grip.pile).cards(grip.count) : []);
    const lit = new Set(targets);
    for (const pile of this.piles.values()) {
      pile.element.classList.toggle("lit", lit.has(pile.name));
      for (const { element } of pile.drawn) {
        element.classList.toggle("selected", held.has(element));
        if (held.has(element)) element.setAttribute("aria-pressed", "true");
        else element.removeAttribute("aria-pressed");
      }
      speak(pile);
    }
  }

  /** Does the table show exactly this view? For tests. @param {Position | null} view */
  matches(view = this.view) {
    return [...this.piles.values()].every((pile) => {
      const faces = view?.piles[pile.name] ?? [];
      const elements = [...pile.element.querySelectorAll(".card")];
      const drawn = pile.drawn.map((card) => card.face);
      return (
        elements.length === drawn.length &&
        elements.every((element, index) => element === pile.drawn[index].element) &&
        drawn.length >= Math.min(faces.length, pile.fanned ? Infinity : 1) &&
        drawn.every((face, index) => face === faces[faces.length - drawn.length + index])
      );
    });
  }

  /**
   * @param {Position} view
   * @param {boolean} first there was nothing before that cards could come from
   * @returns {() => void} lets the cards fly from there
   */
  #lay(view, first) {
    const kept = new Map([...this.piles].map(([name, pile]) => [name, sameBelow(pile.faces, view.piles[name] ?? [])]));
    const changed = [...this.piles.values()].filter(({ name, faces }) => {
      const length = Math.max(faces.length, (view.piles[name] ?? []).length);
      return kept.get(name) !== length;
    });
    if (!changed.length) return () => {};
    const before = new Map(changed.flatMap(({ drawn }) => drawn.map(({ element }) => [element, spot(element)])));
    const lost = this.#lost(changed, kept, before);
    const { activeElement } = document;
    // A focused card that is taken away would have the page laid out before it goes.
    if (activeElement instanceof HTMLElement && changed.some(({ element }) => element.contains(activeElement))) activeElement.blur();
    land(changed.map(({ element }) => element));
    for (const pile of changed) pile.lay(view.piles[pile.name] ?? [], !first);
    return () => this.#fly(changed, kept, before, lost, parse(view.last).source);
  }

  /** Cards come round by round from the stock, or from whoever deals. */
  #deal() {
    const { left, width, bottom } = this.element.getBoundingClientRect();
    const stock = this.piles.get("stock");
    const from = stock ? spot(stock.element) : { x: left + width / 2, y: bottom };
    const cards = [...this.piles.values()].filter((pile) => pile !== stock).flatMap(({ drawn }) => drawn);
    cards.sort((one, other) => one.index - other.index);
    fly(cards.map(({ element }) => ({ card: element, from, turning: null })), true);
  }

  /** @param {Pile[]} changed @param {Map<string, number>} kept @param {Map<Element, Spot>} spots @returns {Lost[]} */
  #lost(changed, kept, spots) {
    return changed.flatMap((pile) => {
      const first = kept.get(pile.name) ?? 0;
      return pile.faces.slice(first).map((face, offset) => {
        const card = pile.drawn.find(({ index }) => index === first + offset);
        const from = (card && spots.get(card.element)) ?? spot(pile.element);
        return { pile: pile.name, face, from };
      });
    });
  }

  /**
   * @param {Pile[]} changed
   * @param {Map<string, number>} kept how many cards at the bottom of each pile stayed
   * @param {Map<Element, Spot>} before
   * @param {Lost[]} lost
   * @param {string} source the pile that the cards most likely come from
   */
  #fly(changed, kept, before, lost, source) {
    const drawn = changed.flatMap((pile) => pile.drawn.map((card) => ({ ...card, pile: pile.name })));
    const stayed = drawn.filter(({ element }) => before.has(element));
    const gained = drawn.filter(({ element, index, pile }) => !before.has(element) && index >= (kept.get(pile) ?? 0));
    gained.sort((one, other) => one.index - other.index);
    const same = gained.map((card) => ({ ...card, came: take(lost, card, source, (there) => there.face === card.face) }));
    const all = same.map((card) => ({
      ...card,
      came: card.came ?? take(lost, card, source, (there) => (there.face === null) !== (card.face === null)),
    }));
    fly(stayed.map(({ element }) => ({ card: element, from: /** @type {Spot} */ (before.get(element)), turning: null })));
    fly(all.flatMap(({ element, face, came }) =>
      came ? [{ card: element, from: came.from, turning: came.face === face ? null : draw(came.face) }] : [],
    ), true);
  }

  /** @param {Position} view */
  #markPlayable(view) {
    for (const pile of this.piles.values()) {
      const liftable = new Set(counts(view, pile.name));
      const turnable = pile.group === "stock" && turning(view) !== "";
      pile.element.classList.toggle("turnable", turnable);
      for (const { element, index } of pile.drawn) {
        const count = pile.faces.length - index;
        element.classList.toggle("live", liftable.has(count) || (turnable && count === 1));
      }
      speak(pile);
    }
  }

  /** @param {string} entry */
  #markLast(entry) {
    const { target, count } = parse(entry);
    const last = new Set(this.piles.get(target)?.cards(count));
    for (const pile of this.piles.values()) {
      for (const { element } of pile.drawn) element.classList.toggle("last-move", last.has(element));
    }
  }
}

/** Tell those who do not see the marks which cards are of use now: to be taken, or to lay something on. @param {Pile} pile */
function speak(pile) {
  const lit = pile.element.classList.contains("lit");
  for (const card of pile.drawn) {
    const isOfUse = card.element.classList.contains("live") || (lit && card === pile.top);
    if (card.element.hasAttribute("aria-disabled") !== isOfUse) continue;
    if (isOfUse) card.element.removeAttribute("aria-disabled");
    else card.element.setAttribute("aria-disabled", "true");
  }
}

/**
 * Cards have no identity. Of the lost cards that could be this one, give out the likeliest: from the pile that the last
 * move names, turned over in its own place, or else from anywhere. Each is given out once.
 * @param {Lost[]} lost
 * @param {{pile: string}} card
 * @param {string} source
 * @param {(there: Lost) => boolean} alike
 */
function take(lost, card, source, alike) {
  for (const pile of [source, card.pile, null]) {
    const index = lost.findLastIndex((there) => alike(there) && (pile === null || there.pile === pile));
    if (index >= 0) return lost.splice(index, 1)[0];
  }
  return undefined;
}
