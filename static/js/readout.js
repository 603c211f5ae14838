/**
 * What is read out at a table when somebody asks: all of it, the cards that can be played, or one pile. Made from the
 * view and the names of the places; nothing is said here that is not seen.
 * @module
 */

/** @import {Face, Position} from "./types.js" */
/** @import {Pile} from "./pile.js" */
/** @import {Table} from "./table.js" */
import { sorted, spoken } from "./cards.js";
import { choices, group, parse } from "./moves.js";

/** @param {string} sentence @param {Record<string, string | number>} values */
const put = (sentence, values) => interpolate(sentence, values, true);

/** Every place in reading order: those that have cards, the bouquet sorted, then those that are empty. @param {Table} table */
export function wholeTable(table) {
  const piles = [...table.piles.values()];
  const filled = piles.filter(({ faces, group }) => faces.length && group !== "bouquet").map(place);
  const gaps = runs(piles.filter(({ faces }) => !faces.length));
  const empty = gaps.length ? put(gettext("Empty: %(places)s."), { places: gaps.join(", ") }) : "";
  return [`${filled.join("; ")}.`, bouquet(table), empty].filter(Boolean).join(" ");
}

/** Sixteen single cards are hard to keep in mind as they lie. @param {Table} table */
function bouquet({ piles }) {
  const faces = [...piles.values()].filter(({ group }) => group === "bouquet").flatMap(({ faces }) => faces);
  const list = sorted(faces.filter((face) => face !== null));
  return list && put(gettext("Bouquet. %(list)s."), { list });
}

/** Neighbours are named together: `waste 3–5`. @param {Pile[]} piles */
function runs(piles) {
  /** @type {{label: string, group: string, first: number, last: number}[]} */ const found = [];
  for (const { name, label, group } of piles) {
    const number = Number(name.replace(group, ""));
    const run = found.at(-1);
    if (run?.group === group && run.last === number - 1) run.last = number;
    else found.push({ label, group, first: number, last: number });
  }
  return found.map(({ label, first, last }) => (first === last ? label : `${label}–${last}`));
}

/** A place and what is on top. @param {Pile} pile */
function place({ label, faces }) {
  const count = faces.length;
  const values = { pile: label, count, card: spoken(faces[count - 1]) };
  if (faces[count - 1] === null) return put(ngettext("%(pile)s: %(count)s card face down", "%(pile)s: %(count)s cards face down", count), values);
  if (count === 1) return put(gettext("%(pile)s: %(card)s"), values);
  return put(ngettext("%(pile)s: %(card)s on top, %(count)s card", "%(pile)s: %(card)s on top, %(count)s cards", count), values);
}

/** The cards that can be played, each with the places where it may go. @param {Table} table */
export function playable(table) {
  const view = table.view;
  if (!view) return "";
  const moves = goals(view).map(([from, targets]) => choice(table, view, from, targets));
  return moves.length ? `${moves.join("; ")}.` : gettext("No move is left.");
}

/** What can be played, with all the places where it may go. @param {Position} view */
function goals(view) {
  /** @type {Map<string, string[]>} */ const found = new Map();
  for (const move of view.moves.map(parse)) {
    const from = move.target ? `${move.source}:${move.count}` : move.source;
    found.set(from, [...(found.get(from) ?? []), move.target]);
  }
  return [...found];
}

/**
 * One thing that can be done, told in steps: whether there is any, then where, then what. A card that goes home comes
 * first, the stock and the waste turned over last. Nothing is told but what the table shows.
 * @param {Table} table
 * @param {number} step from 0 on
 */
export function hint(table, step) {
  const view = table.view;
  if (!view) return "";
  const found = goals(view).sort((one, other) => worth(other) - worth(one))[0];
  if (!found) return gettext("No move is left.");
  const [from, targets] = found;
  const pile = table.piles.get(from.split(":")[0]);
  if (step === 0 && worth(found) === HOME) return gettext("A card fits a foundation.");
  if (step === 0) return gettext("No card fits a foundation, but something else can be done.");
  if (step === 1 && pile) return put(gettext("Look here: %(pile)s."), { pile: pile.label });
  return `${choice(table, view, from, targets)}.`;
}

const HOME = 2;

/** @param {[string, string[]]} found what can be played, and where it may go */
function worth([from, targets]) {
  if (targets.some((target) => group(target) === "foundation")) return HOME;
  return [from.split(":")[0], ...targets].some((place) => place === "stock" || place === "redeal") ? 0 : 1;
}

/** @param {Table} table @param {Position} view @param {string} from `waste2:1` @param {string[]} targets */
function choice(table, view, from, targets) {
  const [source, count] = from.split(":");
  if (source === "redeal") return gettext("the rest may be dealt again");
  if (source === "stock") return gettext("the stock may be turned");
  if (targets.some((target) => group(target) === "stock")) return gettext("the waste may be turned over");
  const face = view.piles[source].at(-Number(count)) ?? null;
  const places = choices(targets).map((target) => table.pile(target).label).join(", ");
  return put(gettext("%(card)s from %(from)s to %(places)s"), { card: spoken(face), from: table.pile(source).label, places });
}

/** One pile from its top down, as far as it is seen; with a card of the bouquet all the others. @param {Table} table @param {Pile} pile */
export const wholePile = (table, pile) => (pile.group === "bouquet" ? `${cards(pile)} ${bouquet(table)}` : cards(pile));

/** @param {Pile} pile */
function cards({ label, faces }) {
  if (!faces.length) return put(gettext("%(pile)s: empty."), { pile: label });
  /** @type {Face[]} */ const seen = faces.filter((face) => face !== null).reverse();
  const hidden = faces.length - seen.length;
  const parts = seen.map(spoken);
  if (hidden) parts.push(put(ngettext("%(count)s card face down", "%(count)s cards face down", hidden), { count: hidden }));
  return put(gettext("%(pile)s, from the top: %(cards)s."), { pile: label, cards: parts.join(", ") });
}
