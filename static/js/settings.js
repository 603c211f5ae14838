/**
 * The page of settings: lays the few cards that show what is chosen, and lets sounds be heard. The choices are look.js's.
 * @module
 */

import { draw } from "./cards.js";
import "./look.js";
import { Sounds } from "./sound.js";

const sounds = new Sounds(["race", "all", "none"]); // silence is one of the choices here

for (const card of document.querySelectorAll("[data-show]")) {
  card.prepend(draw(/** @type {HTMLElement} */ (card).dataset.show || null));
}

document.querySelector("#look")?.addEventListener("change", ({ target }) => {
  const { name, value } = /** @type {HTMLInputElement} */ (target);
  if (name === "sound" && value !== "none") sounds.play("right");
});
