/**
 * The first minute: one line over a newcomer's first table that says what to do next, and goes by itself when it was
 * done. It only points at moves that the view lists; skipped once, it never comes back.
 * @module
 */

/** @import {View} from "./types.js" */
/** @import {Table} from "./table.js" */
import { spoken } from "./cards.js";
import { group, parse } from "./moves.js";

const SKIPPED = "first-minute=skipped; path=/; max-age=31536000; samesite=lax"; // told to the server, which leaves the line out
const ENOUGH = 14; // moves, after which one has seen it all; LESSON_MOVES in games/views.py

export class FirstMinute {
  #line;
  #table;

  /** @param {HTMLElement | null} line there for a newcomer only @param {Table} table */
  constructor(line, table) {
    this.#line = line;
    this.#table = table;
    line?.querySelector("button")?.addEventListener("click", () => this.#skip());
  }

  /** @param {View} view */
  show(view) {
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
    const moves = view.moves.map(parse);
    const turned = view.piles.turned?.at(-1);
    const home = moves.find(({ target }) => group(target) === "foundation");
    const values = { card: spoken(turned ?? null), pile: home ? this.#table.pile(home.source).label : "" };
    const put = (/** @type {string} */ sentence) => interpolate(sentence, values, true);
    if (home?.source === "turned") {
      return put(gettext("The %(card)s fits a foundation: tap it, and it goes there. A card that fits may not wait on a waste pile."));
    }
    if (home?.source === "reserve") return put(gettext("The top card of the Frog fits a foundation: tap it. To empty the Frog is half the game."));
    if (home) return put(gettext("The top card of %(pile)s fits a foundation now: tap it."));
    if (turned) {
      return put(gettext("The %(card)s fits no foundation, so it waits on a waste pile, and you choose which: tap it, then one of the five. Only the top of a pile can leave it, so lay low cards on high ones."));
    }
    return put(gettext("Tap the stock to turn its first card. Foundations go up from the ace to the king, whatever the suit."));
  }
}
