/**
 * Questions to a view of a race: whose side is whose, what lies before a reader, what may be tried. Draws nothing.
 * @module
 */

/** @import {Position, RaceView, Side} from "./types.js" */
import { group, parse } from "./moves.js";

const FOUNDATIONS = ["foundation1", "foundation2", "foundation3", "foundation4"];

/** Whoever watches has the host's side in the place of their own. @param {RaceView} view */
export const ownNumber = (view) => (view.seat === 2 ? 2 : 1);

/** @param {RaceView} view */
export const own = (view) => view.sides[ownNumber(view) - 1];

/** @param {RaceView} view */
export const rival = (view) => view.sides[2 - ownNumber(view)];

/** May this player pick cards now? @param {RaceView} view */
export const isPlaying = (view) => view.seat > 0 && view.phase === "running";

/** Is this view the newer one? @param {RaceView} view @param {{round: number, version: number}} other */
export const isNewer = (view, other) =>
  view.round > other.round || (view.round === other.round && view.version > other.version);

/** What somebody is called; a guest has no name. @param {RaceView} view @param {number} number of the side */
export function nameOf(view, number) {
  const side = view.sides[number - 1];
  if (view.seat === number) return gettext("You");
  if (side.name) return side.name;
  if (!side.taken && !view.ghost) return gettext("nobody yet");
  return view.seat ? gettext("Guest") : interpolate(gettext("Guest %(number)s"), { number }, true);
}

/** @param {RaceView} view */
export const rivalName = (view) => nameOf(view, 3 - ownNumber(view));

/**
 * A side's garden as a table draws it. Which cards fit is for the player to see, so every top card may be tried.
 * @param {Side} side
 * @param {boolean} mayPick
 * @returns {Position}
 */
export function garden({ piles, last }, mayPick) {
  const tops = mayPick ? Object.keys(piles ?? {}).filter((pile) => isPlanted(pile) && piles?.[pile].length) : [];
  const moves = tops.flatMap((pile) => FOUNDATIONS.map((foundation) => `${pile}>${foundation}`));
  return { piles: piles ?? {}, moves, last };
}

/** The entry that a move on the table means: the server finds the foundation by itself. "" if it means none. @param {string} move */
export function pickOf(move) {
  const { source, target } = parse(move);
  return group(target) === "foundation" && isPlanted(source) ? source : "";
}

/** @param {string} pile */
const isPlanted = (pile) => group(pile) === "bed" || group(pile) === "bouquet";

/** How many picks and redeals of a side were judged so far. @param {Side} side */
export const judged = ({ home, misses, hasty, redealt }) => home + misses + hasty + Number(redealt);
