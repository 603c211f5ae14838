/**
 * How many hints were given in an attempt since it was begun or restarted. The browser remembers it as long as the tab
 * is there; the server is not told.
 * @module
 */

/** @import {View} from "./types.js" */

/** @param {View} view */
const key = ({ attempt, restarts }) => `hints ${attempt} ${restarts}`;

/** @param {View} view */
export const hintsIn = (view) => Number(sessionStorage.getItem(key(view)));

/** Count one more. @param {View} view */
export const countHint = (view) => sessionStorage.setItem(key(view), String(hintsIn(view) + 1));
