/**
 * A card's picture and its spoken name. Where cards lie, and what they may do, is not known here.
 * @module
 */

/** @import {Face} from "./types.js" */

const SVG = "http://www.w3.org/2000/svg";

const sprite = document.documentElement.dataset.cards ?? "";

/** What cards are put together of. A copy of a piece costs a browser far less than a `<use>` of it in another file. */
const pieces = await fetch(sprite)
  .then((answer) => (answer.ok ? answer.text() : Promise.reject()))
  .then((text) => new DOMParser().parseFromString(text, "image/svg+xml"))
  .catch(() => null);

/** What stands in a card's corner, in the reader's own letters. @type {Record<string, string>} */
const LETTERS = {
  A: pgettext("corner of a card", "A"),
  T: "10",
  J: pgettext("corner of a card", "J"),
  Q: pgettext("corner of a card", "Q"),
  K: pgettext("corner of a card", "K"),
};

/** @type {Record<string, string>} */
const RANKS = {
  A: pgettext("card", "ace"),
  2: pgettext("card", "2"),
  3: pgettext("card", "3"),
  4: pgettext("card", "4"),
  5: pgettext("card", "5"),
  6: pgettext("card", "6"),
  7: pgettext("card", "7"),
  8: pgettext("card", "8"),
  9: pgettext("card", "9"),
  T: pgettext("card", "10"),
  J: pgettext("card", "jack"),
  Q: pgettext("card", "queen"),
  K: pgettext("card", "king"),
};

const UPWARDS = "A23456789TJQK";

/** @type {Record<string, string>} */
const SUITS = {
  C: pgettext("card", "clubs"),
  D: pgettext("card", "diamonds"),
  H: pgettext("card", "hearts"),
  S: pgettext("card", "spades"),
};

/** By itself, not as a part of a card's name. @type {Record<string, string>} */
const SUIT_NAMES = {
  C: pgettext("suit", "clubs"),
  D: pgettext("suit", "diamonds"),
  H: pgettext("suit", "hearts"),
  S: pgettext("suit", "spades"),
};

/** Each picture is put together once, then copied. @type {Map<Face, HTMLElement>} */
const drawn = new Map();

/**
 * A new picture of a card, or of a card's back, to lie in a `<button class="card">`.
 * @param {Face} face
 * @returns {HTMLElement}
 */
export function draw(face) {
  const picture = drawn.get(face) ?? put(face);
  drawn.set(face, picture);
  return /** @type {HTMLElement} */ (picture.cloneNode(true));
}

/** A card's name as one says it. @param {Face} face */
export function spoken(face) {
  if (!face) return gettext("face-down card");
  return interpolate(pgettext("card", "%(rank)s of %(suit)s"), words(face), true);
}

/** A card's rank and suit as one says them by themselves. @param {string} face */
export const words = ([rank, suit]) => ({ rank: RANKS[rank], suit: SUITS[suit] });

/**
 * Cards suit by suit and upwards, as one would sort a hand: `clubs: ace, 5; hearts: 2`.
 * @param {string[]} faces
 * @param {(face: string) => string} name what is said of a card after its suit
 */
export function sorted(faces, name = (face) => words(face).rank) {
  const upwards = [...faces].sort((one, other) => UPWARDS.indexOf(one[0]) - UPWARDS.indexOf(other[0]));
  const suits = Object.keys(SUITS).map((suit) => upwards.filter((face) => face[1] === suit));
  return suits.filter((own) => own.length).map((own) => `${SUIT_NAMES[own[0][1]]}: ${own.map(name).join(", ")}`).join("; ");
}

/** @param {Face} face @returns {HTMLElement} */
function put(face) {
  const picture = document.createElement("span");
  picture.className = face ? "card-art" : "card-art card-back";
  const canvas = document.createElementNS(SVG, "svg");
  canvas.setAttribute("viewBox", "0 0 250 350");
  canvas.setAttribute("aria-hidden", "true");
  picture.append(canvas);
  if (!face) {
    add(canvas, "back");
    return picture;
  }
  const [rank, suit] = face;
  picture.dataset.suit = suit;
  index(canvas, LETTERS[rank] ?? rank, suit);
  add(canvas, `face-${face}`, "card-middle");
  if ("JQK".includes(rank)) add(canvas, `face-${face}`, "card-middle", "rotate(180 125 214)");
  add(canvas, `suit-${suit}`, "card-suit", "translate(55 150) scale(1.4)");
  return picture;
}

/**
 * Rank and suit side by side, so that both can be read where only the top of a card is seen.
 * @param {Element} canvas
 * @param {string} letter
 * @param {string} suit
 */
function index(canvas, letter, suit) {
  const corner = document.createElementNS(SVG, "g");
  corner.setAttribute("class", "card-index");
  add(corner, `rank-${letter}`, "", "translate(17 16) scale(.58)");
  add(corner, `suit-${suit}`, "", `translate(${letter === "10" ? 77 : 62} 18) scale(.55)`);
  canvas.append(corner);
}

/** @param {Element} parent @param {string} piece @param {string} name @param {string} transform */
function add(parent, piece, name = "", transform = "") {
  const copy = pieces ? pieces.getElementById(piece)?.cloneNode(true) : used(piece);
  if (!(copy instanceof Element)) return;
  copy.removeAttribute("id");
  copy.setAttribute("data-piece", piece);
  if (name) copy.setAttribute("class", name);
  if (transform) copy.setAttribute("transform", transform);
  parent.append(copy);
}

/** A piece as the browser itself brings it, where we could not. @param {string} piece */
function used(piece) {
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${sprite}#${piece}`);
  return use;
}
