/**
 * Flights: makes cards appear to come from where they were drawn before. It only ever adds animations of transforms
 * to elements that already stand where they belong, so what it does or fails to do never changes what lies on the table.
 * @module
 */

import { isStill } from "./look.js";

/** @typedef {{x: number, y: number}} Spot the corner of a card, in the window */

/**
 * @typedef {object} Flight
 * @property {HTMLElement} card where it belongs already
 * @property {Spot} from
 * @property {Element | null} turning the other side of the card, shown for the first half of the way
 */

/** What is in the air; asked for here, since a browser that is asked brings the whole page up to date first. @type {Map<Animation, Element>} */
const flights = new Map();

const EASING = "cubic-bezier(0.2, 0.75, 0.25, 1)";
const STAGGER = 28;

/** @param {Element} card @returns {Spot} */
export function spot(card) {
  const { left, top } = card.getBoundingClientRect();
  return { x: left, y: top };
}

/** Stop every flight to these piles; their cards stand where they belong. @param {Element[]} piles */
export function land(piles) {
  for (const [flight, card] of flights) {
    if (!piles.some((pile) => pile.contains(card))) continue;
    flights.delete(flight);
    flight.cancel();
  }
}

/** Resolves when no card is in the air any more. @param {Element} table */
export function landed(table) {
  const here = [...flights].filter(([, card]) => table.contains(card));
  return Promise.allSettled(here.map(([{ finished }]) => finished));
}

/**
 * Let cards fly, in the order given, the later above the earlier; many that arrive do so one after the other.
 * @param {Flight[]} flights
 * @param {boolean} arriving false for cards that only move over
 */
export function fly(flights, arriving = false) {
  if (isStill()) return;
  const moving = flights.map((flight) => ({ ...flight, way: way(flight) })).filter(({ way, turning }) => way.length > 0.5 || turning);
  const stagger = arriving && moving.length > 3 ? Math.min(STAGGER, 700 / moving.length) : 0;
  const height = arriving ? 60 : 20;
  moving.forEach(({ card, way: { x, y, length }, turning }, order) => {
    const timing = {
      duration: Math.min(320, 120 + length * 0.28),
      delay: order * stagger,
      easing: EASING,
      fill: /** @type {const} */ ("backwards"),
    };
    const start = `translate(${x}px, ${y}px)`;
    const halfway = `translate(${x / 2}px, ${y / 2}px) rotateY(90deg)`;
    const path = turning ? [start, halfway, "none"] : [start, "none"];
    const frames = path.map((transform) => ({ transform, zIndex: height + order }));
    takeOff(card, frames, timing);
    if (turning) showOtherSide(card, turning, timing);
  });
}

/** @param {Flight} flight */
function way({ card, from }) {
  const to = spot(card);
  const x = from.x - to.x;
  const y = from.y - to.y;
  return { x, y, length: Math.hypot(x, y) };
}

/**
 * @param {HTMLElement} card
 * @param {Element} side
 * @param {KeyframeAnimationOptions} timing
 */
function showOtherSide(card, side, timing) {
  side.classList.add("other-side");
  card.append(side);
  const halfway = [{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0, offset: 0.5 }, { opacity: 0 }];
  takeOff(side, halfway, timing, () => side.remove());
}

/**
 * @param {Element} element
 * @param {Keyframe[] | PropertyIndexedKeyframes} frames
 * @param {KeyframeAnimationOptions} timing
 * @param {() => void} then when it is over or was stopped
 */
function takeOff(element, frames, timing, then = () => {}) {
  const flight = element.animate(frames, { ...timing, id: "flight" });
  flights.set(flight, element);
  flight.onfinish = flight.oncancel = () => {
    flights.delete(flight);
    then();
  };
}

/** A card that cannot go anywhere says so. @param {Element} card */
export function shake(card) {
  if (isStill()) return;
  takeOff(card, { transform: ["none", "translateX(-3px)", "translateX(3px)", "none"] }, { duration: 160 });
}
