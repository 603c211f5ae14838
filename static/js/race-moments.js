/**
 * One sentence for a moment in the replay of a race. When it is said is decided elsewhere.
 * @module
 */

/** @import {Face} from "./types.js" */
import { spoken } from "./cards.js";
import { parse } from "./moves.js";

/**
 * What a side did, and how its garden lay then.
 * @typedef {object} Moment
 * @property {number} number of the entry in the log; 0 at the start
 * @property {number} seconds since the start
 * @property {string} text the entry, "" at the start
 * @property {number} home
 * @property {boolean} stuck
 * @property {Record<string, Face[]> | null} piles null: as before
 */

/** @typedef {{name: string, moments: Moment[], table: {pile(name: string): {label: string}}}} Actor */
/** @typedef {{side: Actor, moment: Moment, index: number}} Happened a moment of a side, and which of that side's it is */

/** @param {Happened} happened */
export function sentence({ side, moment, index }) {
  const values = { name: side.name, home: moment.home, ...picked(side, moment) };
  const stuck = moment.stuck && !side.moments[index - 1].stuck ? gettext("Nothing fits any more there.") : "";
  return [interpolate(pattern(moment.text, moment.home), values, true), stuck].filter(Boolean).join(" ");
}

/** The card of a pick and where it lay. @param {Actor} side @param {Moment} moment */
function picked({ table }, { text, piles }) {
  const { source, target } = parse(text);
  if (!target && !text.startsWith("miss ")) return {};
  const pile = target ? source : text.replace("miss ", "");
  return { card: spoken(piles?.[target || pile]?.at(-1) ?? null), pile: table.pile(pile).label };
}

/** @param {string} text @param {number} home */
function pattern(text, home) {
  if (text.includes(">")) {
    return ngettext("%(name)s: %(card)s from %(pile)s; %(home)s card home.", "%(name)s: %(card)s from %(pile)s; %(home)s cards home.", home);
  }
  if (text.startsWith("miss ")) return gettext("%(name)s: wrong pick, %(card)s on %(pile)s.");
  return words()[text] ?? "";
}

/** @returns {Record<string, string>} */
const words = () => ({
  hasty: gettext("%(name)s picks too fast for a hand."),
  redeal: gettext("%(name)s has the rest dealt again."),
  call: gettext("%(name)s calls time."),
  time: gettext("The time of %(name)s is up."),
  claim: gettext("%(name)s claims the round."),
  "give-up": gettext("%(name)s gives up."),
  here: gettext("%(name)s is back."),
  closed: gettext("%(name)s has closed the page."),
  lost: gettext("The connection of %(name)s is lost."),
});
