/**
 * A game is won: lily blossoms drift over the felt for a moment. Any touch or key ends it; who wants no motion sees none.
 * @module
 */

import { isStill } from "./look.js";

const PETALS = 30;

/** @param {Element} felt */
export function celebrate(felt) {
  if (isStill()) return;
  const rain = document.createElement("div");
  rain.className = "blossoms";
  rain.ariaHidden = "true";
  felt.append(rain);
  const falls = Array.from({ length: PETALS }, (_, number) => fall(rain, number / PETALS));
  const over = new AbortController();
  const end = () => {
    rain.remove();
    over.abort();
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, end, { capture: true, signal: over.signal });
  Promise.all(falls).then(end, () => {});
}

/** @param {Element} rain @param {number} share of the width */
function fall(rain, share) {
  const petal = document.createElement("i");
  petal.style.insetInlineStart = `${share * 100}%`;
  rain.append(petal);
  const turn = 360 * (Math.random() - 0.5);
  const path = [
    { transform: "translateY(-3rem)", opacity: 1 },
    { transform: `translate(${60 * (Math.random() - 0.5)}px, 60cqh) rotate(${turn}deg)`, opacity: 1, offset: 0.7 },
    { transform: `translate(${90 * (Math.random() - 0.5)}px, 95cqh) rotate(${2 * turn}deg)`, opacity: 0 },
  ];
  return petal.animate(path, { duration: 1500 + 900 * Math.random(), delay: 500 * Math.random(), fill: "both", easing: "ease-in" }).finished;
}
