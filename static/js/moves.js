/**
 * Questions to a view's list of legal moves. Rules are not known here: what the list does not hold does not exist.
 * @module
 */

/** @import {Grip, Move, Position, View} from "./types.js" */

/**
 * @param {string} text
 * @returns {Move}
 */
export function parse(text) {
  const [way, count] = text.split(":");
  const [source, target] = way.split(">");
  return { source, target: target ?? "", count: Number(count ?? 1) };
}

/**
 * @param {Grip} grip
 * @param {string} target
 */
export const write = ({ pile, count }, target) => `${pile}>${target}${count > 1 ? `:${count}` : ""}`;

/** The group of a place: `waste3` is one of `waste`. @param {string} pile */
export const group = (pile) => pile.replace(/\d+$/, "");

/** Where these cards may go, first come first. @param {Position} view @param {Grip} grip */
export function targets(view, grip) {
  return view.moves
    .map(parse)
    .filter((move) => move.source === grip.pile && move.count === grip.count && isCarried(move))
    .map((move) => move.target);
}

/** As choices: all foundations are one, for which the first that takes the card stands. @param {string[]} targets */
export function choices(targets) {
  const homes = targets.filter((target) => group(target) === "foundation");
  return [...homes.slice(0, 1), ...targets.filter((target) => !homes.includes(target))];
}

/** How many cards may be lifted from a pile together, ascending. @param {Position} view @param {string} pile */
export function counts(view, pile) {
  const moves = view.moves.map(parse).filter((move) => move.source === pile && isCarried(move));
  return [...new Set(moves.map((move) => move.count))].sort((a, b) => a - b);
}

/** The move that turns the stock, or turns the waste over to be the stock again; "" if there is none. @param {Position} view */
export const turning = (view) => view.moves.find((text) => text.includes(">") && !isCarried(parse(text))) ?? "";

/**
 * The one move that pointing at a pile's place can only mean: the single card that fits an empty place or a
 * foundation, or the turned card where it may be laid.
 * @param {Position} view
 * @param {string} pile
 */
export function onto(view, pile) {
  const fitting = view.moves.filter((text) => parse(text).target === pile && isCarried(parse(text)));
  if (fitting.length !== 1) return "";
  const waiting = group(parse(fitting[0]).source) === "turned";
  return waiting || group(pile) === "foundation" || !view.piles[pile].length ? fitting[0] : "";
}

/**
 * The move that a tap on these cards can only mean, or "". All foundations are one choice; nothing leaves a
 * foundation by a mere tap.
 * @param {Position} view
 * @param {Grip} grip
 */
export function obvious(view, grip) {
  if (group(grip.pile) === "foundation") return "";
  const possible = targets(view, grip);
  return choices(possible).length === 1 ? write(grip, possible[0]) : "";
}

/** Cards to and from the stock are turned by a tap, never carried; a move of the whole table has no target. @param {Move} move */
function isCarried(move) {
  return move.target !== "" && group(move.source) !== "stock" && group(move.target) !== "stock";
}

/**
 * The view as it will be when a listed move was played, as far as it can be known: null where a face would be needed
 * that is not seen, or where more happens than cards going from one place to another.
 * @param {View} view
 * @param {string} text
 * @returns {View | null}
 */
export function foresee(view, text) {
  const move = parse(text);
  if (!view.moves.includes(text) || !isCarried(move)) return null;
  const source = view.piles[move.source];
  const cards = source.slice(-move.count);
  const gain = Number(group(move.target) === "foundation") - Number(group(move.source) === "foundation");
  return {
    ...view,
    piles: {
      ...view.piles,
      [move.source]: source.slice(0, -move.count),
      [move.target]: [...view.piles[move.target], ...cards],
    },
    moves: [],
    last: text,
    home: view.home + gain * move.count,
    count: view.count + 1,
  };
}
