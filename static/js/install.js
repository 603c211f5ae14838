/**
 * Lets the browser keep static files and install the site as an app. Games need the network and are never kept.
 * @module
 */

import { look, onLook } from "./look.js";

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/service-worker.js").catch((error) => console.info("no service worker:", error));
  navigator.serviceWorker.ready.then(({ active }) => onLook(() => active?.postMessage(page().toString())));
}

/** What is kept for a time without a network speaks and looks as this page does. */
function page() {
  return new URLSearchParams({ lang: document.documentElement.lang, theme: look("theme"), contrast: look("contrast") });
}
