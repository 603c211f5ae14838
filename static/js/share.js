/**
 * Giving a link to a friend: by the device's own sheet where there is one, else by copying it.
 * @module
 */

/** @typedef {{copied: string, told: string}} Words what is said of the link; `told` names it as %(url)s */

/** @returns {Words} */
const ofDeal = () => ({
  copied: gettext("The link to this deal is copied."),
  told: gettext("The link to this deal is %(url)s"),
});

/**
 * @param {string} url
 * @param {(sentence: string) => void} say
 * @param {Words} words
 */
export async function share(url, say, words = ofDeal()) {
  try {
    if ("share" in navigator && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ title: document.title, url });
      return;
    }
    await navigator.clipboard.writeText(url);
    say(words.copied);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return; // thought better of it
    say(interpolate(words.told, { url }, true));
  }
}
