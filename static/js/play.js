/**
 * The page of a table: wires socket → store → table, hand → store → socket, and the buttons around them.
 * @module
 */

/** @import {Listener} from "./socket.js" */
/** @import {Message, Refusal, Request, View} from "./types.js" */
import { confirmed, fill, showOutcome } from "./boxes.js";
import { celebrate } from "./celebrate.js";
import { Clock } from "./clock.js";
import { Drag } from "./drag.js";
import { FirstMinute } from "./first.js";
import { Hand } from "./hand.js";
import { countHint } from "./hints.js";
import { Keys } from "./keys.js";
import { choose, look } from "./look.js";
import { landed } from "./motion.js";
import { Peek } from "./peek.js";
import { hint, playable, wholePile, wholeTable } from "./readout.js";
import { happened, waysOn } from "./say.js";
import { share } from "./share.js";
import { connect } from "./socket.js";
import { Sounds } from "./sound.js";
import { Store } from "./store.js";
import { Table } from "./table.js";

const BANNER_AFTER = 1_000;
const AT_THE_TABLE = "#board"; // in the address: who plays by keys asked for this deal, and the keyboard is to stay at the table

const page = find("#play");
const status = find("#status");
const banner = find(".banner");
const newDeal = /** @type {HTMLFormElement} */ (find("#new-deal"));

/** @type {View | null} the newest that the server confirmed */
let confirmedView = null;
let bannerTimer = 0;
let isDown = false;
let isWaiting = false;
let isLeaving = false; // for another deal
let hinted = { version: -1, step: 0 };
let isExcused = false; // a refusal was just said, and the table that comes with it must not talk over it

export const table = new Table(find("#board"));
const store = new Store({ send: (request) => socket.send(request), show, refused, waiting });
const hand = new Hand(table, { act: (gesture) => store.act(gesture), say });
const drag = new Drag(table, hand);
const sounds = new Sounds(["all"]);
new Peek(table, drag);
const keys = new Keys(table, hand, {
  u: () => press("undo"),
  r: () => press("redo"),
  n: () => newDeal.requestSubmit(),
  h: () => find("#rules").click(),
  t: () => say(wholeTable(table)),
  p: () => say(playable(table)),
  l: () => keys.pile && say(wholePile(table, keys.pile)),
  i: tellMore,
  j: () => keys.next(),
  4: () => choose("suits", look("suits") === "four" ? "two" : "four"),
});
const firstMinute = new FirstMinute(document.querySelector("#first"), table);
const clock = new Clock(find("#clock"), find(".clock"));
/** @type {Listener<Message, Request>} */
const listener = {
  message: (message) => store.receive(message),
  up,
  down,
  refused: keptOut,
  ping: () => ({ type: "ping", version: store.version }),
};
const socket = connect(page.dataset.socket ?? "", listener);

/** @param {string} selector */
function find(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

/** @param {View} view @param {boolean} sure */
function show(view, sure) {
  table.show(view, sure, !confirmedView && view.version === 0);
  drag.refresh();
  hand.refresh();
  keys.refresh();
  if (sure) confirm(view);
}

/** What only a view from the server may say. @param {View} view */
function confirm(view) {
  const before = confirmedView;
  confirmedView = view;
  fill(page, view);
  clock.show(view);
  firstMinute.show(view);
  for (const element of document.querySelectorAll("[data-entry]")) enable(/** @type {HTMLElement} */ (element), view);
  if (!before && location.hash === AT_THE_TABLE) keys.enter();
  if (!before) say(waysOn(view));
  else if (view.version > before.version && !isExcused) say(happened(before, view, (pile) => table.pile(pile).label));
  isExcused = false;
  if (before && view.version > before.version) greet(before, view);
  landed(table.element).then(() => confirmedView === view && before?.version !== view.version && showOutcome(view));
}

/** What a move is greeted with. @param {View} before @param {View} view */
function greet(before, view) {
  const isWon = view.outcome === "won" && before.outcome === "playing";
  sounds.play(isWon ? "won" : view.home > before.home ? "right" : "lay");
  if (isWon) landed(table.element).then(() => celebrate(find(".felt")));
}

/** @param {HTMLElement} button @param {View} view */
function enable(button, view) {
  /** @type {Record<string, boolean>} */
  const possible = {
    undo: view.undo,
    redo: view.redo,
    restart: view.restart,
    finish: view.finish,
    redeal: view.moves.includes("redeal"),
    "give-up": view.outcome === "playing",
  };
  const can = possible[button.dataset.entry ?? ""];
  button.setAttribute("aria-disabled", String(!can));
  if (button.classList.contains("wanted")) button.hidden = !can;
}

/** @param {Refusal} refusal */
function refused({ why }) {
  say(why);
  sounds.play("wrong");
  isExcused = true;
  status.classList.add("refusal");
}

/** Say a sentence, the same one again if need be. @param {string} sentence */
function say(sentence) {
  status.classList.remove("refusal");
  if (status.textContent === sentence) status.textContent = "";
  requestAnimationFrame(() => (status.textContent = sentence));
}

/** A hint, of which each further one about the same table says more; all of them together count as one. */
function tellMore() {
  const version = confirmedView?.version ?? 0;
  hinted = { version, step: hinted.version === version ? hinted.step + 1 : 0 };
  if (confirmedView?.outcome === "playing" && hinted.step === 0) countHint(confirmedView);
  say(hint(table, hinted.step));
}

/** Play an entry that is no move, if it is possible when its turn comes. @param {string} entry */
function press(entry) {
  hand.letGo();
  store.act((view) => {
    const button = document.querySelector(`[data-entry="${entry}"]`);
    if (button instanceof HTMLElement) enable(button, view);
    return button?.getAttribute("aria-disabled") === "true" ? "" : entry;
  });
}

/** @param {boolean} yes */
function waiting(yes) {
  isWaiting = yes;
  if (!yes) drag.settle();
  if (isDown) down();
}

function up() {
  isDown = false;
  clearTimeout(bannerTimer);
  tell("");
  store.resend();
}

function down() {
  isDown = true;
  clearTimeout(bannerTimer);
  const sentence = isWaiting
    ? gettext("The connection is gone. Your game is safe; your last move is sent as soon as it is back.")
    : gettext("The connection is gone. Your game is safe; it goes on as soon as the connection is back.");
  bannerTimer = setTimeout(() => tell(sentence), banner.textContent ? 0 : BANNER_AFTER);
}

/** @param {boolean} loggedOut */
function keptOut(loggedOut) {
  isDown = false;
  clearTimeout(bannerTimer);
  tell(
    loggedOut
      ? gettext("You are logged out. Log in again to go on with this game.")
      : gettext("This table cannot be reached any more. Find your games in the lobby."),
  );
}

/** @param {string} sentence */
function tell(sentence) {
  if (banner.textContent !== sentence) banner.textContent = sentence;
}

document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-entry], [data-share]") : null;
  if (!(button instanceof HTMLElement) || button.getAttribute("aria-disabled") === "true") return;
  if (button.dataset.share !== undefined) return share(/** @type {HTMLAnchorElement} */ (find("[data-deal]")).href, say);
  if (await confirmed(button, confirmedView)) press(button.dataset.entry ?? "");
});

find("#hint").addEventListener("click", tellMore);

newDeal.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (document.activeElement?.matches(":focus-visible")) newDeal.action = new URL(AT_THE_TABLE, newDeal.action).href;
  if (!(await confirmed(newDeal, confirmedView)) || isLeaving) return;
  isLeaving = true;
  newDeal.submit();
});

addEventListener("pageshow", () => (isLeaving = false));
