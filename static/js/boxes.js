/**
 * The boxes over the table: how a game ended, as the view says, and what is asked before something is given away.
 * @module
 */

/** @import {View} from "./types.js" */
import { digits } from "./clock.js";
import { hintsIn } from "./hints.js";

const ASK_AFTER = 10; // moves worth a question

/** Write the view's figures where the page shows them. @param {ParentNode} root @param {View} view */
export function fill(root, view) {
  /** @type {Record<string, string | number>} */
  const figures = { count: view.count, home: view.home, time: digits(view.seconds) };
  for (const element of root.querySelectorAll("[data-fill]")) {
    const figure = String(figures[/** @type {HTMLElement} */ (element).dataset.fill ?? ""] ?? "");
    if (element.textContent !== figure) element.textContent = figure;
  }
}

// A browser does so by itself only where everything else waits for the box.
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || document.querySelector(":modal")) return;
  /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.box[open]"))?.close();
});

/** Open the box for this outcome, and only that. @param {View} view */
export function showOutcome(view) {
  const outcome = view.outcome === "stuck" && view.version === 0 ? "barren" : view.outcome;
  for (const element of document.querySelectorAll("dialog[data-outcome]")) {
    const box = /** @type {HTMLDialogElement} */ (element);
    const wanted = box.dataset.outcome === outcome;
    for (const line of box.querySelectorAll("[data-clean], [data-helped]")) {
      /** @type {HTMLElement} */ (line).hidden = line.hasAttribute("data-clean") !== (view.undos + view.restarts === 0);
    }
    for (const line of box.querySelectorAll("[data-hints]")) tellHints(/** @type {HTMLElement} */ (line), hintsIn(view));
    if (wanted && !box.open) box.show();
    if (!wanted && box.open) box.close();
  }
}

/** @param {HTMLElement} line @param {number} count */
function tellHints(line, count) {
  line.hidden = count === 0;
  line.textContent = interpolate(ngettext("%(count)s hint was asked for.", "%(count)s hints were asked for.", count), { count }, true);
}

/**
 * Ask in the box that an element names, where there is enough to lose. True means yes.
 * @param {HTMLElement} element
 * @param {View | null} view
 */
export async function confirmed(element, view) {
  const box = document.getElementById(element.dataset.confirm ?? "");
  const always = element.dataset.entry === "give-up";
  if (!(box instanceof HTMLDialogElement) || !view || view.outcome !== "playing") return true;
  if (!always && view.count <= ASK_AFTER) return true;
  return ask(box);
}

/**
 * True means yes. A box tells that it closed a moment later, when it may be asking again: then that moment is no answer.
 * @param {HTMLDialogElement} box
 * @returns {Promise<boolean>}
 */
export function ask(box) {
  box.returnValue = "";
  box.showModal();
  return new Promise((answered) => {
    box.onclose = () => box.open || answered(box.returnValue === "yes");
  });
}
