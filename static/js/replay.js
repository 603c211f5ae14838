/**
 * The page of a replay: fetches its frames and walks through them by scrubber, buttons, keys, or at the pace of the game.
 * Knows no rules and changes nothing; the table is drawn as in play.
 * @module
 */

/** @import {View} from "./types.js" */
import { fill } from "./boxes.js";
import { happened, waysOn } from "./say.js";
import { share } from "./share.js";
import { fade, onSteps } from "./steps.js";
import { Table } from "./table.js";

/** @typedef {{entry: number, seconds: number, view: View}} Frame one moment, and how many entries led to it */
/** @typedef {{frames: Frame[], next: number | null}} Part */

const LONGEST_PAUSE = 4; // seconds; nobody wants to watch somebody think for a minute
const SHORTEST_PAUSE = 0.35; // moves that were one entry, as a finish is, still come one by one

const page = find("#replay");
const status = find("#status");
const scrubber = /** @type {HTMLInputElement} */ (find("#scrubber"));
const pace = /** @type {HTMLSelectElement} */ (find("#pace"));
const takeOver = document.querySelector("#take-over");

/** @type {Frame[]} */ const frames = [];
let at = -1;
let timer = 0;

export const table = new Table(find("#board"));

/** @param {string} selector */
function find(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

async function load() {
  /** @type {number | null} */ let next = 0;
  while (next !== null) {
    const answer = await fetch(`${page.dataset.frames}?after=${next}`);
    if (!answer.ok) throw new Error(`frames: ${answer.status}`);
    /** @type {Part} */ const part = await answer.json();
    frames.push(...part.frames);
    scrubber.max = String(frames.length - 1);
    next = part.next;
    show(Math.max(at, 0));
  }
  tellWhereLost();
}

/** Whoever asked where the game was lost finds the answer in the address. */
function tellWhereLost() {
  const asked = frames.findIndex(({ entry }) => location.hash === `#last-win-${entry}`);
  if (asked >= 0) show(asked);
  if (asked >= 0) say(gettext("From here a simple program still wins, from no later position. It may overlook a win."));
  if (location.hash === "#no-win") say(gettext("A simple program found no way to win this game. It overlooks many."));
}

/** @param {number} index */
function show(index) {
  const before = frames[at];
  const wanted = Math.min(Math.max(index, 0), frames.length - 1);
  const { entry, view } = frames[wanted];
  table.show({ ...view, moves: [] }, true); // nothing can be played here
  fill(page, view);
  fade(wanted === 0, wanted === frames.length - 1);
  const sentence = wanted === at + 1 && before ? happened(before.view, view, label) : "";
  at = wanted;
  scrubber.value = String(at);
  scrubber.setAttribute("aria-valuetext", place());
  if (takeOver) offer(entry, view.closed);
  say(sentence || `${place()} ${at === frames.length - 1 ? waysOn(view) : ""}`.trim());
}

/** @param {string} pile */
const label = (pile) => table.pile(pile).label;

function place() {
  if (at === 0) return gettext("Before the first move.");
  return interpolate(gettext("Step %(at)s of %(all)s."), { at, all: frames.length - 1 }, true);
}

/** @param {number} entry @param {boolean} closed true: nothing can be played from here any more */
function offer(entry, closed) {
  const form = /** @type {HTMLFormElement} */ (takeOver);
  /** @type {HTMLInputElement} */ (form.elements.namedItem("entry")).value = String(entry);
  for (const button of form.querySelectorAll("button")) button.disabled = closed;
}

/** Say a sentence, the same one again if need be. @param {string} sentence */
function say(sentence) {
  if (status.textContent === sentence) status.textContent = "";
  requestAnimationFrame(() => (status.textContent = sentence));
}

function run() {
  if (at === frames.length - 1) show(0);
  page.classList.add("running");
  wait();
}

function wait() {
  const pause = frames[at + 1].seconds - frames[at].seconds;
  const seconds = Math.min(Math.max(pause, SHORTEST_PAUSE), LONGEST_PAUSE) / Number(pace.value);
  timer = setTimeout(() => {
    show(at + 1);
    if (at < frames.length - 1) wait();
    else halt();
  }, 1000 * seconds);
}

function halt() {
  clearTimeout(timer);
  page.classList.remove("running");
}

function toggle() {
  if (page.classList.contains("running")) halt();
  else if (frames.length > 1) run();
}

/** @param {string} way */
function go(way) {
  if (!frames.length) return;
  halt();
  const index = { first: 0, back: at - 1, forward: at + 1, last: frames.length - 1 }[way] ?? at;
  if (index >= 0 && index < frames.length) show(index);
}

onSteps(scrubber, go, toggle);
scrubber.addEventListener("input", () => {
  halt();
  if (frames.length) show(Number(scrubber.value));
});
document.querySelector("#copy")?.addEventListener("click", () => {
  const words = { copied: gettext("The link to this replay is copied."), told: gettext("The link to this replay is %(url)s") };
  share(/** @type {HTMLAnchorElement} */ (find("#link")).href, say, words);
});

load().catch(() => (find(".banner").textContent = gettext("The replay could not be loaded. Please try again in a moment.")));
