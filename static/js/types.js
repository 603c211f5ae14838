/**
 * The wire protocol and the few shapes shared by the table's modules, as JSDoc types. No code.
 * @module
 */

/** @typedef {string | null} Face a card as `5C`, or null where its face is not seen */

/**
 * What lies on a table and what may be done about it.
 * @typedef {object} Position
 * @property {Record<string, Face[]>} piles every pile, bottom to top
 * @property {string[]} moves every move that may be played now
 * @property {string} last the entry that led here, "" at the start
 */

/**
 * @typedef {object} Attempt
 * @property {"table"} type
 * @property {string} attempt
 * @property {number} version
 * @property {string} game
 * @property {"playing" | "won" | "stuck" | "given-up"} outcome
 * @property {boolean} closed true: nothing can be taken back any more
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

/** @typedef {Position & Attempt} View the newest state of a table, as its player may see it */

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
 * One of the two in a race, as the reader may see it. Times are the server's, in milliseconds.
 * @typedef {object} Side
 * @property {string} name "" for a guest or an empty seat
 * @property {boolean} taken
 * @property {"away" | "here" | "closed" | "lost" | "ghost"} presence
 * @property {number | null} since
 * @property {boolean} ready
 * @property {number} home
 * @property {number} beds cards that are left in the beds
 * @property {boolean} stuck
 * @property {boolean} redeal may deal again now
 * @property {boolean} redealt
 * @property {number} misses wrong picks
 * @property {number} hasty picks refused as too fast
 * @property {number | null} locked_until
 * @property {number | null} call_from from then on the other may call time
 * @property {number | null} out_at time was called: the side gives up then unless a card goes up
 * @property {number | null} claim_from from then on the other may claim the round
 * @property {number} score rounds won in this match
 * @property {string} commitment
 * @property {string | null} deal its code, once the round is over
 * @property {Record<string, Face[]> | null} piles null: not for these eyes, or not yet
 * @property {string} last the last pick: `bed3>foundation1`, `miss bed3`, `redeal` or ""
 */

/**
 * The newest state of a race, always whole.
 * @typedef {object} RaceView
 * @property {"race"} type
 * @property {string} code
 * @property {number} round
 * @property {number} match
 * @property {number} version
 * @property {0 | 1 | 2} seat 0 for those who watch
 * @property {"open" | "ready" | "countdown" | "running" | "over"} phase
 * @property {string} game
 * @property {"same" | "own"} sharing
 * @property {number} best_of
 * @property {boolean} ghost
 * @property {number} now
 * @property {number | null} go_at
 * @property {number | null} ended_at
 * @property {[Side, Side]} sides
 * @property {{side: number, phrase: string, number: number} | null} said
 * @property {0 | 1 | 2 | null} winner 0 for a draw
 * @property {"" | "beds" | "count" | "earlier" | "draw" | "gave-up" | "left" | "time"} reason
 * @property {boolean} decided the match is over with this round
 * @property {number} watchers
 */

/** @typedef {Refusal & {round: number}} RaceRefusal */
/** @typedef {{type: "pong", round: number, version: number, sent: number, now: number}} RacePong */
/** @typedef {RaceView | RaceRefusal | RacePong} RaceMessage */

/**
 * @typedef {{type: "do", round: number, version: number, entry: string}
 *   | {type: "ping", round: number, version: number, sent: number}} RaceRequest
 */

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
