/**
 * One sentence for what happened at the table, made from the views before and after. Speaks of what can be seen only.
 * @module
 */

/** @import {Face, Move, View} from "./types.js" */
import { spoken } from "./cards.js";
import { group, parse } from "./moves.js";
import { sameBelow } from "./pile.js";

/** @typedef {(pile: string) => string} Label what a pile is called */

/**
 * @param {View} before
 * @param {View} after
 * @param {Label} label
 */
export function happened(before, after, label) {
  const sentence = sentenceFor(before, after, label);
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)} ${waysOn(after)}`.trim();
}

/** Whether it is over, and what a player may have forgotten that there still is. @param {View} view */
export function waysOn({ moves, outcome }) {
  if (outcome === "won") return gettext("The game is won.");
  if (outcome === "stuck") return gettext("No move is left.");
  const last = moves.length === 1 && moves[0] === "redeal";
  return last ? gettext("Nothing fits any more. You may deal the rest again, once.") : "";
}

/**
 * @param {View} before
 * @param {View} after
 * @param {Label} label
 */
function sentenceFor(before, after, label) {
  switch (after.last) {
    case "undo":
      return [gettext("Undone"), ...arrivals(before, after, label)].join("; ").concat(".");
    case "redo":
      return [gettext("Done again"), ...arrivals(before, after, label)].join("; ").concat(".");
    case "restart":
      return gettext("Back to the beginning of this deal.");
    case "finish":
      return gettext("The rest goes home.");
    case "give-up":
      return gettext("The game is given up.");
    case "reveal":
      return gettext("The deck is shown, so the game is closed.");
    case "redeal":
      return gettext("The cards that are left are dealt again.");
    case "":
      return "";
  }
  return moved(before, after, parse(after.last), label);
}

/**
 * @param {View} before
 * @param {View} after
 * @param {Move} move
 * @param {Label} label
 */
function moved(before, after, move, label) {
  if (group(move.target) === "stock") {
    const count = after.piles.stock.length;
    return interpolate(ngettext("Turned over: %(count)s card in the stock.", "Turned over: %(count)s cards in the stock.", count), { count }, true);
  }
  const face = after.piles[move.target]?.at(-move.count) ?? null;
  const parts = [going(face, move, label), ...uncovered(before, after, move, label)];
  if (after.home !== before.home) {
    parts.push(interpolate(ngettext("%(home)s card home", "%(home)s cards home", after.home), { home: after.home }, true));
  }
  return `${parts.join("; ")}.`;
}

/** @param {Face} face @param {Move} move @param {Label} label */
function going(face, { source, target, count }, label) {
  const values = { card: spoken(face), count, from: label(source), to: label(target) };
  if (group(source) === "stock") return interpolate(gettext("%(card)s turned"), values, true);
  if (count === 1) return interpolate(gettext("%(card)s from %(from)s to %(to)s"), values, true);
  return interpolate(gettext("%(card)s and what lies on it, %(count)s cards, from %(from)s to %(to)s"), values, true);
}

/**
 * Cards that a move laid open, and those that came by themselves to fill a gap.
 * @param {View} before
 * @param {View} after
 * @param {Move} move
 * @param {Label} label
 */
function uncovered(before, after, move, label) {
  return Object.keys(after.piles).flatMap((pile) => {
    const top = after.piles[pile].at(-1);
    if (!top || pile === move.target || group(pile) === "foundation") return [];
    const then = before.piles[pile];
    const now = after.piles[pile];
    const changed = then.length !== now.length || then.at(-1) !== top;
    if (!changed) return [];
    const filled = pile === move.source && then.length === move.count;
    const sentence = filled ? gettext("%(card)s fills %(pile)s") : gettext("%(card)s uncovered");
    return [interpolate(sentence, { card: spoken(top), pile: label(pile) }, true)];
  });
}

/** Where cards are seen to lie that did not lie there before. @param {View} before @param {View} after @param {Label} label */
function arrivals(before, after, label) {
  return Object.keys(after.piles).flatMap((pile) => {
    const gained = after.piles[pile].slice(sameBelow(before.piles[pile], after.piles[pile]));
    const [face] = gained;
    if (!face) return [];
    return [interpolate(gettext("%(card)s on %(pile)s"), { card: spoken(face), pile: label(pile) }, true)];
  });
}
