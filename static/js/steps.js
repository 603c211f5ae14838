/**
 * The buttons and keys that walk through a replay: first, back, forward, last, play and pause.
 * @module
 */

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

/**
 * The scrubber has these keys by itself, other fields and buttons have them for their own use.
 * @param {HTMLElement} scrubber
 * @param {(way: string) => void} go
 * @param {() => void} toggle play or pause
 */
export function onSteps(scrubber, go, toggle) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest("select, [popover]")) return;
    if (event.key === " " && !target.closest("button, a")) toggle();
    else if (event.key in KEYS && target !== scrubber) go(KEYS[event.key]);
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-go]") : null;
    if (button instanceof HTMLElement) go(button.dataset.go ?? "");
  });
  document.querySelector("#run")?.addEventListener("click", toggle);
}

/** Which buttons have nowhere to go. @param {boolean} isFirst @param {boolean} isLast */
export function fade(isFirst, isLast) {
  for (const button of document.querySelectorAll("[data-go]")) {
    const isBackwards = ["first", "back"].includes(/** @type {HTMLElement} */ (button).dataset.go ?? "");
    button.setAttribute("aria-disabled", String(isBackwards ? isFirst : isLast));
  }
}
