/**
 * The first minute: one line over a newcomer's first table that says what to do next, and goes by itself when it was
 * done. It only points at moves that the view lists; skipped once, it never comes back.
 * @module
 */

/** @import {Face, Move, View} from "./types.js" */
/** @import {Table} from "./table.js" */
import { spoken } from "./cards.js";
import { choose, look } from "./look.js";
import { group, parse } from "./moves.js";

const SKIPPED = "first-minute=skipped; path=/; max-age=31536000; samesite=lax"; // told to the server, which leaves the line out
const ENOUGH = 14; // moves, after which one has seen it all; LESSON_MOVES in games/views.py
const FROG_AFTER = 2; // cards that wait; so long it is worth saying what the Frog is

/** @param {string} sentence @param {Record<string, string | number>} values */
const put = (sentence, values) => interpolate(sentence, values, true);

export class FirstMinute {
  /** @type {View | null} */ #view = null;
  #line;
  #table;

  /** @param {HTMLElement | null} line there for a newcomer only @param {Table} table */
  constructor(line, table) {
    this.#line = line;
    this.#table = table;
    line?.querySelector("[data-skip]")?.addEventListener("click", () => this.#skip());
    const left = /** @type {HTMLElement | null} */ (line?.querySelector("[data-left]"));
    if (left) left.hidden = look("hand") === "left";
    left?.addEventListener("click", () => {
      choose("hand", "left");
      left.hidden = true;
    });
    table.element.addEventListener("focusin", () => this.#view && this.show(this.#view), { once: true }); // by keys, as it seems
  }

  /** @param {View} view */
  show(view) {
    this.#view = view;
    if (!this.#line) return;
    const over = this.#line.hidden || view.count >= ENOUGH || view.outcome !== "playing";
    this.#line.hidden = over;
    const text = this.#line.querySelector("span");
    const hint = over ? "" : this.#next(view);
    if (text && text.textContent !== hint) text.textContent = hint;
  }

  #skip() {
    document.cookie = SKIPPED;
    if (this.#line) this.#line.hidden = true;
  }

  /** @param {View} view */
  #next(view) {
    const home = view.moves.map(parse).find(({ target }) => group(target) === "foundation");
    const turned = view.piles.turned.at(-1);
    if (home) return this.#fits(view, home);
    return turned ? waits(view, turned) : this.#toTurn(view);
  }

  /** @param {View} view @param {Move} move */
  #fits(view, { source }) {
    if (source === "reserve") return gettext("The top card of the Frog fits a foundation: tap it. To empty the Frog is half the game.");
    if (source !== "turned") return put(gettext("The top card of %(pile)s fits a foundation now: tap it."), { pile: this.#table.pile(source).label });
    const card = spoken(view.piles.turned[0]);
    return put(gettext("The %(card)s fits a foundation: tap it, and it goes there. A card that fits may not wait on a waste pile."), { card });
  }

  /** The first card, then what the Frog is, then what else there is. @param {View} view */
  #toTurn(view) {
    const frog = view.piles.reserve;
    const values = { count: frog.length, card: spoken(frog.at(-1) ?? null) };
    if (view.count === 0) return `${gettext("Tap the stock to turn its first card. Foundations go up from the ace to the king, whatever the suit.")} ${this.#byKeys()}`.trim();
    if (waiting(view) > FROG_AFTER || !frog.length) {
      return gettext("Turn the next card. Settings has large print, four colours and a table for the left hand.");
    }
    return put(gettext("The reserve of %(count)s cards is the Frog: its top card, now the %(card)s, goes to a foundation as soon as it fits. To empty it is half the game. Turn the next card."), values);
  }

  #byKeys() {
    const isThere = this.#table.element.querySelector(":focus-visible") !== null;
    return isThere ? gettext("By keys: the arrows lead there, Enter turns it.") : "";
  }
}

/** @param {View} view @param {Face} turned */
function waits(view, turned) {
  const sentence = waiting(view)
    ? gettext("The %(card)s fits nowhere yet: tap the waste pile where it is to wait. What lies under it cannot leave before it does.")
    : gettext("The %(card)s fits no foundation, so it waits: tap one of the five waste piles. Only the top of a pile can leave it, so lay low cards on high ones.");
  return put(sentence, { card: spoken(turned) });
}

/** How many cards wait on waste piles. @param {View} view */
function waiting({ piles }) {
  return Object.keys(piles).filter((name) => group(name) === "waste").reduce((sum, name) => sum + piles[name].length, 0);
}
