/**
 * The rules over a table: the game stays where it is, its clock and its socket go on.
 * @module
 */

import { offerTwins } from "./twins.js";

const ALONE = ".contents, .example, form"; // what only the page itself needs

const link = /** @type {HTMLAnchorElement} */ (document.querySelector("#rules"));
const box = /** @type {HTMLDialogElement} */ (document.querySelector("#rules-box"));
const place = /** @type {HTMLElement} */ (box.querySelector("[data-rules]"));

link.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a tab of their own, as for any link
  event.preventDefault();
  box.showModal();
  if (!place.querySelector("article")) fill();
});

// The browser gives the focus back to what had it, unless that has gone: a card that another tab played, the menu.
box.addEventListener("close", () => {
  if (document.activeElement !== document.body && !box.contains(document.activeElement)) return;
  /** @type {HTMLElement | null} */ (document.querySelector("#board [tabindex='0']"))?.focus({ preventScroll: true });
});

async function fill() {
  const page = await fetched(link.href).catch(() => null);
  const article = page?.querySelector("article");
  if (!page || !article) {
    place.replaceChildren(alarm(gettext("The rules could not be loaded. Please try again in a moment.")));
    return;
  }
  offerTwins(article); // while it still has all its pairs, which are found by their number
  for (const element of article.querySelectorAll(ALONE)) element.remove();
  for (const element of article.querySelectorAll("[id]")) element.removeAttribute("id"); // the table has its own
  for (const other of article.querySelectorAll("a")) other.target = "_blank";
  style(page);
  place.replaceChildren(article);
}

/** @param {string} sentence */
function alarm(sentence) {
  const made = document.createElement("p");
  made.role = "alert";
  made.textContent = sentence;
  return made;
}

/** @param {string} href */
async function fetched(href) {
  const answer = await fetch(href);
  if (!answer.ok) throw new Error(String(answer.status));
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Take over the style sheets that the page of rules has and the table has not. @param {Document} page */
function style(page) {
  for (const sheet of /** @type {NodeListOf<HTMLLinkElement>} */ (page.querySelectorAll("link[rel=stylesheet]"))) {
    const href = sheet.getAttribute("href");
    if (!document.querySelector(`link[href="${href}"]`)) document.head.append(document.importNode(sheet));
  }
}
