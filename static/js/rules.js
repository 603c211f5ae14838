/**
 * A page of rules: has paragraphs shown in another language. Its example is example.js's.
 * @module
 */

import { offerTwins } from "./twins.js";

offerTwins(/** @type {HTMLElement} */ (document.querySelector("article.rules")));
