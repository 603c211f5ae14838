/**
 * A form is sent once, however often it is pressed: two games dealt by a double click are one too many.
 * @module
 */

const A_WHILE = 2_000; // ms; a form whose answer is a file stays on the page, and may be sent again

/** @type {WeakSet<EventTarget>} */
const sent = new WeakSet();

document.addEventListener("submit", (event) => {
  const { target } = event;
  if (event.defaultPrevented || !(target instanceof HTMLFormElement)) return;
  if (target.method === "dialog") return; // closes its box and sends nothing
  if (sent.has(target)) return event.preventDefault();
  sent.add(target);
  setTimeout(() => sent.delete(target), A_WHILE);
});
