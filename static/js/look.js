/**
 * How the player wants the site to look, sound and listen: read by whoever acts on it, shown at once and kept by the server.
 * What may be chosen is said by the panel on the page; what a choice does is for styles and others. On every page.
 * @module
 */

const CHANGE = "lilypad:look";
const root = document.documentElement;
const form = /** @type {HTMLFormElement | null} */ (document.querySelector("#look"));

/** Style sheets that count when the player or the device says so. @type {Record<string, Record<string, string>>} */
const SHEETS = {
  contrast: { device: "(prefers-contrast: more)", high: "all" },
  motion: { device: "(prefers-reduced-motion: reduce)", none: "all", full: "not all" },
};

/** Each choice is sent when the one before has arrived. @type {Promise<unknown>} */
let sent = Promise.resolve();

/** What is chosen. @param {string} name */
export const look = (name) => root.dataset[name] ?? "";

/** Whether nothing should move that need not. */
export function isStill() {
  const sheet = /** @type {HTMLLinkElement | null} */ (document.querySelector("#look-motion"));
  return matchMedia(sheet?.media ?? SHEETS.motion.device).matches;
}

/** Choose by a button or a key outside the panel. @param {string} name @param {string} value */
export function choose(name, value) {
  show(name, value);
  save({ [name]: value });
}

/** Act on the look now and whenever it changes. @param {() => void} act */
export function onLook(act) {
  document.addEventListener(CHANGE, act);
  act();
}

/** @param {string} name @param {string} value */
function show(name, value) {
  const radios = form?.elements.namedItem(name);
  if (radios instanceof RadioNodeList) radios.value = value;
  root.dataset[name] = value;
  const sheet = /** @type {HTMLLinkElement | null} */ (document.querySelector(`#look-${name}`));
  if (sheet) sheet.media = SHEETS[name][value];
  document.dispatchEvent(new Event(CHANGE));
}

/** @param {Record<string, string>} fields */
function save(fields) {
  if (!form) return;
  const body = new FormData();
  body.set("csrfmiddlewaretoken", String(new FormData(form).get("csrfmiddlewaretoken")));
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const send = () => fetch(form.action, { method: "POST", body, redirect: "manual", keepalive: true });
  sent = sent.then(send).catch(() => {}); // without a connection it counts until the page is left
}

form?.addEventListener("change", ({ target }) => {
  const { name, value } = /** @type {HTMLInputElement} */ (target);
  show(name, value);
  save({ [name]: value });
});

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  for (const element of form.querySelectorAll("[data-usual]")) {
    const { name, value } = /** @type {HTMLInputElement} */ (element);
    show(name, value);
  }
  save({ reset: "yes" });
});

/** A page that Back brings out of the browser's memory shows what was chosen since: the page of settings knows. */
addEventListener("pageshow", async ({ persisted }) => {
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[data-settings]"));
  if (!persisted || !link) return;
  const answer = await fetch(link.href).catch(() => null); // without a connection it stays as it was
  if (!answer?.ok) return;
  const now = new DOMParser().parseFromString(await answer.text(), "text/html").documentElement.dataset;
  for (const [name, value] of Object.entries(now)) {
    if (value !== undefined && value !== root.dataset[name]) show(name, value);
  }
});

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("[data-settings]");
  const box = document.querySelector("#settings");
  if (!link || !(box instanceof HTMLDialogElement)) return;
  event.preventDefault();
  box.showModal();
});
