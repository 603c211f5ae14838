/**
 * The board on a rules page: a worked example that one steps through, each move told in a sentence.
 * @module
 */

/** @import {View} from "./types.js" */
import { happened } from "./say.js";
import { fade } from "./steps.js";
import { Table } from "./table.js";

const PACE = 1_400; // milliseconds from move to move

const section = /** @type {HTMLElement} */ (document.querySelector("#example"));
const told = /** @type {HTMLElement} */ (section.querySelector("[role=status]"));
const table = new Table(/** @type {HTMLElement} */ (section.querySelector(".board")));

/** @type {View[]} */ let frames = [];
let at = 0;
let timer = 0;

/** @param {number} index */
function show(index) {
  const before = frames[at];
  const isNext = index === at + 1;
  at = index;
  table.show(frames[at], true);
  fade(at === 0, at === frames.length - 1);
  const sentence = isNext ? happened(before, frames[at], (pile) => table.pile(pile).label) : "";
  told.textContent = sentence || interpolate(gettext("Step %(at)s of %(all)s."), { at, all: frames.length - 1 }, true);
  const entry = section.querySelector("[name=entry]");
  if (entry instanceof HTMLInputElement) entry.value = String(at);
}

function halt() {
  clearInterval(timer);
  section.classList.remove("running");
}

function run() {
  if (section.classList.contains("running")) return halt();
  if (at === frames.length - 1) show(0);
  section.classList.add("running");
  timer = setInterval(() => (at < frames.length - 1 ? show(at + 1) : halt()), PACE);
}

/** @param {string} way */
function go(way) {
  halt();
  const index = { first: 0, back: at - 1, forward: at + 1, last: frames.length - 1 }[way] ?? at;
  if (index >= 0 && index < frames.length && index !== at) show(index);
}

section.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-go], #run") : null;
  if (!(button instanceof HTMLElement) || !frames.length) return;
  if (button.id === "run") run();
  else go(button.dataset.go ?? "");
});

fetch(section.dataset.frames ?? "")
  .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
  .then((views) => {
    frames = views;
    show(0);
  })
  .catch(() => (told.textContent = gettext("The example could not be loaded. Please try again in a moment.")));
