/**
 * The page of a deal: giving its link to a friend.
 * @module
 */

import { share } from "./share.js";

const place = document.querySelector("[data-share]");
const said = document.getElementById("shared");
const address = document.getElementById("address");

if (place instanceof HTMLElement && said) {
  place.hidden = false;
  place.querySelector("button")?.addEventListener("click", () => {
    share(place.dataset.share ?? location.href, (sentence) => {
      said.textContent = sentence;
    });
  });
}

if (address instanceof HTMLInputElement) address.addEventListener("focus", () => address.select());
