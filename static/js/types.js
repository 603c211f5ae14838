/**
 * The wire protocol and the few shapes shared by the table's modules, as JSDoc types. No code.
 * @module
 */

/** @typedef {string | null} Face a card as `5C`, or null where its face is not seen */

/**
 * The newest state of a table, as its player may see it.
 * @typedef {object} View
 * @property {"table"} type
 * @property {string} attempt
 * @property {number} version
 * @property {string} game
 * @property {Record<string, Face[]>} piles every pile, bottom to top
 * @property {string[]} moves every move that may be played now
 * @property {"playing" | "won" | "stuck" | "given-up"} outcome
 * @property {boolean} closed true: nothing can be taken back any more
 * @property {string} last the entry that led here, "" at the start
 * @property {boolean} undo
 * @property {boolean} redo
 * @property {boolean} restart
 * @property {boolean} finish
 * @property {number} home
 * @property {number} count
 * @property {number} undos
 * @property {number} restarts
 * @property {number} seconds play time on record
 */

/**
 * @typedef {object} Refusal
 * @property {"refused"} type
 * @property {string} code
 * @property {string} why a sentence for the reader
 * @property {number} version
 * @property {string} entry
 */

/** @typedef {{type: "pong", version: number}} Pong */
/** @typedef {View | Refusal | Pong} Message */

/** @typedef {{type: "do", version: number, entry: string} | {type: "ping", version: number}} Request */

/**
 * A move taken apart: `tableau2>tableau5:4`. A move of the whole table, `redeal`, has no target.
 * @typedef {object} Move
 * @property {string} source
 * @property {string} target
 * @property {number} count
 */

/**
 * What a hand holds or points at: so many cards from the top of a pile.
 * @typedef {object} Grip
 * @property {string} pile
 * @property {number} count
 */

export {};
