/**
 * The page of settings: lays the few cards that show what is chosen. The choices themselves are look.js's.
 * @module
 */

import { draw } from "./cards.js";
import "./look.js";

for (const card of document.querySelectorAll("[data-show]")) {
  card.append(draw(/** @type {HTMLElement} */ (card).dataset.show || null));
}
