/**
 * The hand at the table: what mouse, finger, pen or key do to cards becomes gestures, and those become moves that the
 * view lists, or a question to the server why not. `drag.js` and `keys.js` tell it what was touched.
 * @module
 */

/** @import {Face, Grip, Position} from "./types.js" */
/** @import {Near} from "./reach.js" */
/** @import {Table} from "./table.js" */
import { spoken } from "./cards.js";
import { shake } from "./motion.js";
import { choices, counts, group, obvious, onto, targets, turning, write } from "./moves.js";

/**
 * @typedef {object} Outlet
 * @property {(gesture: (view: Position) => string) => void} act
 * @property {(sentence: string) => void} say
 */

export class Hand {
  /** @type {(Grip & {faces: Face[]}) | null} */ #held = null;
  #table;
  #outlet;

  /**
   * @param {Table} table
   * @param {Outlet} outlet
   */
  constructor(table, outlet) {
    this.#table = table;
    this.#outlet = outlet;
  }

  get held() {
    return this.#held;
  }

  /** A new view was drawn: what is no longer there cannot be held. */
  refresh() {
    const { view, sure } = this.#table;
    if (!view || !this.#held || !sure) return;
    if (this.#isThere(view, this.#held)) this.#table.light(this.#held, targets(view, this.#held));
    else this.letGo();
  }

  /** A tap: play what it can only mean, else take the cards, or lay down what is held. @param {Grip} grip */
  tap(grip) {
    this.#outlet.act((view) => {
      if (this.#held) {
        const entry = this.#layOn(view, grip);
        if (entry !== null) return entry;
        const ownMove = this.#obvious(view, grip) || targets(view, grip).length;
        if (!ownMove) return write(this.#held, grip.pile);
        this.letGo();
      }
      return this.#obvious(view, grip) || this.#take(view, grip);
    });
  }

  /** Enter or Space: take, lay down, turn the stock. @param {Grip} grip */
  press(grip) {
    this.#outlet.act((view) => {
      if (this.#held) return this.#layOn(view, grip) ?? write(this.#held, grip.pile);
      if (targets(view, grip).length) return this.#take(view, grip);
      return this.#obvious(view, grip) || this.#refuse(grip);
    });
  }

  /** Shift and Enter: the obvious move of these cards; where there are several, they are taken. @param {Grip} grip */
  playObvious(grip) {
    this.letGo();
    this.#outlet.act((view) => this.#obvious(view, grip) || this.#take(view, grip));
  }

  /**
   * Cards were dropped: the nearest pile within reach that takes them wins. Dropped right on another, the server says
   * why not.
   * @param {Grip & {faces: Face[]}} grip
   * @param {Near[]} near piles within reach of the drop, the nearest first
   * @param {() => void} then when it is decided
   */
  drop(grip, near, then) {
    this.letGo();
    this.#outlet.act((view) => {
      queueMicrotask(then);
      if (!this.#isThere(view, grip)) return "";
      const possible = new Set(targets(view, grip));
      const nearest = near.find(({ pile }) => possible.has(pile));
      if (nearest) return write(grip, nearest.pile);
      const under = near.find(({ pile, inside }) => inside && pile !== grip.pile);
      if (!under) return "";
      return write(grip, this.#foundation([...possible], under.pile) ?? under.pile);
    });
  }

  letGo() {
    this.#held = null;
    this.#table.light(null, []);
  }

  /** Let go because the player wants to, which is said. */
  putBack() {
    const card = this.#held?.faces[0];
    this.letGo();
    if (card) this.#outlet.say(interpolate(gettext("The %(card)s stays where it is."), { card: spoken(card) }, true));
  }

  /** Take one card more or less of a run. @param {1 | -1} step */
  resize(step) {
    const { view } = this.#table;
    if (!view || !this.#held) return;
    const held = this.#held;
    const choice = counts(view, held.pile).filter((count) => (count - held.count) * step > 0);
    const count = step > 0 ? choice[0] : choice.at(-1);
    if (count) this.#take(view, { pile: held.pile, count });
    else this.#outlet.say(step > 0 ? gettext("No more cards can be taken.") : gettext("No fewer cards can be taken."));
  }

  /** @param {Position} view @param {Grip} grip */
  #obvious(view, grip) {
    if (group(grip.pile) === "stock") return turning(view);
    return obvious(view, grip) || (targets(view, grip).length ? "" : onto(view, grip.pile));
  }

  /**
   * The entry if what is held goes to the pile, "" if it was let go instead, null if it cannot go there.
   * @param {Position} view
   * @param {Grip} grip
   */
  #layOn(view, grip) {
    const held = /** @type {Grip} */ (this.#held);
    if (grip.pile === held.pile) {
      if (grip.count !== held.count && targets(view, grip).length) return this.#take(view, grip);
      this.putBack();
      return "";
    }
    const possible = targets(view, held);
    const target = possible.includes(grip.pile) ? grip.pile : this.#foundation(possible, grip.pile);
    if (!target) return null;
    this.letGo();
    return write(held, target);
  }

  /** Pointing at any foundation means the one that fits. @param {string[]} possible @param {string} pile */
  #foundation(possible, pile) {
    return group(pile) === "foundation" ? possible.find((target) => group(target) === "foundation") : undefined;
  }

  /** @param {Position} view @param {Grip} grip */
  #take(view, grip) {
    const possible = targets(view, grip);
    if (!possible.length) return this.#refuse(grip);
    const faces = view.piles[grip.pile].slice(-grip.count);
    this.#held = { ...grip, faces };
    this.#table.light(grip, possible);
    this.#outlet.say(this.#taken(faces, choices(possible)));
    return "";
  }

  /** Nothing can be done with this card: it shakes its head. @param {Grip} grip */
  #refuse(grip) {
    const pile = this.#table.pile(grip.pile);
    const [card] = pile.cards(grip.count);
    if (!card) return "";
    shake(card);
    const face = pile.faces[pile.faces.length - grip.count];
    const sentence = face ? gettext("There is no place for the %(card)s now.") : gettext("This cannot be turned now.");
    this.#outlet.say(interpolate(sentence, { card: spoken(face) }, true));
    return "";
  }

  /** @param {Face[]} faces @param {string[]} goals */
  #taken(faces, goals) {
    const places = goals.map((name) => this.#table.pile(name).label).join(", ");
    const values = { card: spoken(faces[0]), count: faces.length, places };
    if (faces.length === 1) return interpolate(gettext("The %(card)s is taken. It can go to: %(places)s."), values, true);
    return interpolate(gettext("The %(card)s and what lies on it, %(count)s cards, are taken. They can go to: %(places)s."), values, true);
  }

  /** @param {Position} view @param {Grip & {faces: Face[]}} grip */
  #isThere(view, grip) {
    const faces = view.piles[grip.pile].slice(-grip.count);
    return faces.length === grip.count && faces.every((face, index) => face === grip.faces[index]);
  }
}
