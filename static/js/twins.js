/**
 * Paragraphs of the rules in another language, each at a click. The other text is that of the page side by side, which is
 * fetched when it is first wanted.
 * @module
 */

/** @type {Map<string, Promise<Element[]>>} the pairs of a page, by its address */
const pages = new Map();

/** Put buttons after each paragraph. All of them are one Tab stop; arrows go between them. @param {HTMLElement} article */
export function offerTwins(article) {
  const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (article.querySelectorAll(".beside a[hreflang]"));
  if (article.querySelector(".twin")) return;
  for (const [index, pair] of pairs(article).entries()) {
    if (pair.closest("h1, h2, dt, .order")) continue;
    const more = document.createElement("span");
    more.className = "more";
    more.append(...[...links].map((link) => button(link, pair, index)));
    pair.firstElementChild?.append(" ", more);
  }
  rove(article);
}

/** @param {ParentNode} root */
const pairs = (root) => [...root.querySelectorAll(".pair")];

/**
 * @param {HTMLAnchorElement} link to the page side by side
 * @param {Element} pair
 * @param {number} index of the pair on its page
 */
function button({ href, lang, textContent }, pair, index) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", lang, tabIndex: -1, textContent: lang.toUpperCase() });
  made.setAttribute("aria-label", `${lang.toUpperCase()}: ${textContent}`);
  made.setAttribute("aria-expanded", "false");
  let twin = document.createElement("span");
  made.addEventListener("click", async () => {
    const isOpen = made.getAttribute("aria-expanded") === "true";
    made.setAttribute("aria-expanded", String(!isOpen));
    twin.remove();
    if (isOpen) return;
    twin = await found(href, index).catch(() => apology());
    if (made.getAttribute("aria-expanded") === "true") pair.append(twin);
  });
  return made;
}

/** The text in the other language. @param {string} href @param {number} index */
async function found(href, index) {
  const page = pages.get(href) ?? fetched(href);
  pages.set(href, page);
  page.catch(() => pages.delete(href));
  const twin = (await page)[index].querySelector(".twin");
  return document.importNode(/** @type {HTMLElement} */ (twin), true);
}

/** @param {string} href */
async function fetched(href) {
  const answer = await fetch(href);
  if (!answer.ok) throw new Error(String(answer.status));
  return pairs(new DOMParser().parseFromString(await answer.text(), "text/html"));
}

function apology() {
  const made = document.createElement("span");
  made.className = "twin";
  made.textContent = gettext("The other language could not be loaded. Please try again in a moment.");
  return made;
}

/** @param {HTMLElement} article */
function rove(article) {
  const buttons = /** @type {HTMLElement[]} */ ([...article.querySelectorAll(".more button")]);
  if (buttons[0]) buttons[0].tabIndex = 0;
  article.addEventListener("focusin", ({ target }) => {
    if (!buttons.includes(/** @type {HTMLElement} */ (target))) return;
    for (const other of buttons) other.tabIndex = other === target ? 0 : -1;
  });
  article.addEventListener("keydown", (event) => {
    const here = buttons.indexOf(/** @type {HTMLElement} */ (event.target));
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (here < 0 || !step) return;
    event.preventDefault();
    buttons[here + step]?.focus();
  });
}
