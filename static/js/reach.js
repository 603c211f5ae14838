/**
 * What lies under or near a finger: which cards it means to take, and which piles it means to lay them on.
 * Only distances are known here, no moves.
 * @module
 */

/** @import {Grip} from "./types.js" */
/** @import {Pile} from "./pile.js" */
/** @import {Table} from "./table.js" */

/** @typedef {{pile: string, distance: number, inside: boolean}} Near */

// A finger is about so much wider than the strip of a card that a fan leaves to be seen.
const FINGER = 24;

/**
 * The cards that a touch means: those under it, or a movable card of the same pile no more than a finger away.
 * @param {Table} table
 * @param {PointerEvent} event
 * @returns {Grip | null}
 */
export function touched(table, event) {
  const pile = table.pileAt(event.target);
  if (!pile) return null;
  const under = event.target instanceof Element ? pile.countFrom(event.target.closest(".card")) : 0;
  const count = under || Number(pile.faces.length > 0);
  if (isMovable(pile, count)) return { pile: pile.name, count };
  const movable = pile.drawn.filter(({ element }) => element.classList.contains("live"));
  const close = movable.map(({ element }) => ({ element, distance: vertically(element, event.clientY) }));
  close.sort((one, other) => one.distance - other.distance);
  const chosen = close[0]?.distance <= FINGER ? pile.countFrom(close[0].element) : count;
  return { pile: pile.name, count: chosen };
}

/** @param {Pile} pile @param {number} count */
function isMovable(pile, count) {
  return pile.cards(count)[0]?.classList.contains("live") ?? false;
}

/** @param {Element} element @param {number} y */
function vertically(element, y) {
  const { top, bottom } = element.getBoundingClientRect();
  return Math.max(top - y, y - bottom, 0);
}

/**
 * The piles that a card held here can mean, the nearest first. Generous between piles, less so where the card lies
 * right on one, and least over the pile that it came from.
 * @param {Table} table
 * @param {DOMRect} card
 * @param {string} source
 * @returns {Near[]}
 */
export function near(table, card, source) {
  const x = card.x + card.width / 2;
  const y = card.y + card.height / 2;
  const piles = [...table.piles.values()].map(({ name, element }) => {
    const box = element.getBoundingClientRect();
    const distance = Math.hypot(Math.max(box.left - x, x - box.right, 0), Math.max(box.top - y, y - box.bottom, 0));
    return { pile: name, distance, inside: distance === 0 };
  });
  const under = piles.find(({ inside }) => inside);
  const reach = card.width * (!under ? 1 : under.pile === source ? 0.15 : 0.5);
  return piles.filter(({ distance }) => distance <= reach).sort((one, other) => one.distance - other.distance);
}
