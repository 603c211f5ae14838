/**
 * The replay of a race: fetches what both sides did and shows it on one clock, by scrubber, buttons, keys, or at the pace
 * of the race. Knows no rules and changes nothing; what a moment is called is in race-moments.js.
 * @module
 */

/** @import {Happened, Moment} from "./race-moments.js" */
import { digits } from "./clock.js";
import { sentence } from "./race-moments.js";
import { share } from "./share.js";
import { fade, onSteps } from "./steps.js";
import { Table } from "./table.js";

/** @typedef {{sides: {name: string, frames: Moment[]}[], seconds: number}} Race */

const LONGEST_STEP = 0.25; // seconds between two pictures; what a sleeping tab missed is not made up for

const page = find("#replay");
const status = find("#status");
const clock = find("#clock");
const scrubber = /** @type {HTMLInputElement} */ (find("#scrubber"));
const pace = /** @type {HTMLSelectElement} */ (find("#pace"));

/** One side: its garden, and what it did until when. */
class Side {
  /** @type {Moment[]} */ moments = [];
  name = "";

  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.table = new Table(/** @type {HTMLElement} */ (section.querySelector(".board")));
  }

  /** @param {{name: string, frames: Moment[]}} told */
  load({ name, frames }) {
    this.name = name;
    /** @type {Moment["piles"]} */ let piles = {};
    this.moments = frames.map((moment) => ({ ...moment, piles: (piles = moment.piles ?? piles) }));
  }

  /** @param {number} index of the moment */
  show(index) {
    const { text, home, piles } = this.moments[index];
    this.table.show({ piles: piles ?? {}, moves: [], last: text.includes(">") ? text : "" }, true);
    this.#fill("home", String(home));
    this.#fill("note", this.#note(index));
    for (const { element } of this.table.piles.values()) element.classList.remove("wrong");
    if (!text.startsWith("miss ")) return;
    const { element } = this.table.pile(text.replace("miss ", ""));
    void element.offsetWidth; // or a second wrong pick of the same card would not be seen
    element.classList.add("wrong");
  }

  /** @param {number} index */
  #note(index) {
    const count = this.moments.slice(0, index + 1).filter(({ text }) => text.startsWith("miss ")).length;
    const wrong = count ? interpolate(ngettext("%(count)s wrong pick", "%(count)s wrong picks", count), { count }, true) : "";
    return [wrong, this.moments[index].stuck ? gettext("stuck") : ""].filter(Boolean).join(", ");
  }

  /** @param {string} key @param {string} text */
  #fill(key, text) {
    for (const element of this.section.querySelectorAll(`[data-fill="${key}"]`)) element.textContent = text;
  }
}

const sides = [...document.querySelectorAll(".garden")].map((section) => new Side(/** @type {HTMLElement} */ (section)));
/** @type {Happened[]} in the order of the log */ let happened = [];
let total = 0;
let seconds = 0; // where the clock stands
let at = -1; // so much has happened
let ticking = 0;

/** For who looks whether what is drawn is what is known. */
export const tables = sides.map(({ table }) => table);

/** @param {string} selector */
function find(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

async function load() {
  const answer = await fetch(page.dataset.frames ?? "");
  if (!answer.ok) throw new Error(`frames: ${answer.status}`);
  /** @type {Race} */ const race = await answer.json();
  race.sides.forEach((side, index) => sides[index].load(side));
  happened = sides
    .flatMap((side) => side.moments.slice(1).map((moment, index) => ({ side, moment, index: index + 1 })))
    .sort((one, other) => one.moment.number - other.moment.number);
  total = race.seconds;
  scrubber.max = String(total);
  stand(0, 0);
}

/** Show the race when so much of it has happened. @param {number} count @param {number} time */
function stand(count, time) {
  const before = at;
  seconds = time;
  at = count;
  for (const side of sides) {
    const last = happened.slice(0, at).findLast((one) => one.side === side);
    if (before < 0 || happenedBetween(side, before, at)) side.show(last?.index ?? 0);
  }
  const isLast = at === happened.length;
  page.classList.toggle("at-end", isLast);
  fade(at === 0, isLast);
  setClock();
  scrubber.setAttribute("aria-valuetext", place());
  const what = at === before + 1 && at > 0 ? sentence(happened[at - 1]) : place();
  say([what, isLast ? page.dataset.ending : ""].filter(Boolean).join(" "));
}

/** @param {Side} side @param {number} from @param {number} to */
function happenedBetween(side, from, to) {
  return happened.slice(Math.min(from, to), Math.max(from, to)).some((one) => one.side === side);
}

function setClock() {
  clock.textContent = `${digits(Math.floor(seconds))} / ${digits(Math.floor(total))}`;
  scrubber.value = String(seconds);
}

function place() {
  const counts = sides.map((side) => {
    const last = happened.slice(0, at).findLast((one) => one.side === side);
    return `${side.name} ${(last?.moment ?? side.moments[0]).home}`;
  });
  return `${digits(Math.floor(seconds))}: ${counts.join(", ")}.`;
}

/** Say a sentence, the same one again if need be. @param {string} text */
function say(text) {
  if (status.textContent === text) status.textContent = "";
  requestAnimationFrame(() => (status.textContent = text));
}

/** Set the clock; what has happened until then follows. @param {number} time */
function seek(time) {
  const until = Math.min(time, total);
  const next = happened.findIndex(({ moment }) => moment.seconds > until);
  const count = until >= total || next < 0 ? happened.length : next;
  if (count !== at) return stand(count, until);
  seconds = until;
  setClock();
}

function run() {
  if (at === happened.length) stand(0, 0);
  page.classList.add("running");
  let last = performance.now();
  const tick = (/** @type {number} */ now) => {
    seek(seconds + Math.min((now - last) / 1000, LONGEST_STEP) * Number(pace.value));
    last = now;
    if (seconds >= total) halt();
    else ticking = requestAnimationFrame(tick);
  };
  ticking = requestAnimationFrame(tick);
}

function halt() {
  cancelAnimationFrame(ticking);
  page.classList.remove("running");
}

function toggle() {
  if (page.classList.contains("running")) halt();
  else if (happened.length) run();
}

/** @param {string} way */
function go(way) {
  halt();
  const count = { first: 0, back: at - 1, forward: at + 1, last: happened.length }[way] ?? at;
  if (at < 0 || count < 0 || count > happened.length) return;
  stand(count, count === happened.length ? total : (happened[count - 1]?.moment.seconds ?? 0));
}

onSteps(scrubber, go, toggle);
scrubber.addEventListener("input", () => {
  halt();
  seek(Number(scrubber.value));
});
find("#share").addEventListener("click", () => {
  const words = { copied: gettext("The link to this replay is copied."), told: gettext("The link to this replay is %(url)s") };
  share(location.href, say, words);
});

load().catch(() => (find(".banner").textContent = gettext("The replay could not be loaded. Please try again in a moment.")));
