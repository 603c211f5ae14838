/**
 * The page of a race: wires socket → store → gardens, hand → store → socket, and what is shown, said and heard around them.
 * @module
 */

/** @import {Listener} from "./socket.js" */
/** @import {Grip, RaceMessage, RaceRefusal, RaceRequest, RaceView} from "./types.js" */
/** @import {Near} from "./reach.js" */
import { ask } from "./boxes.js";
import { Drag } from "./drag.js";
import { Hand } from "./hand.js";
import { Keys } from "./keys.js";
import { choose, onLook } from "./look.js";
import { shake } from "./motion.js";
import { Peek } from "./peek.js";
import { ServerClock } from "./race-clock.js";
import { Deadlines } from "./race-deadlines.js";
import { End, sentence } from "./race-end.js";
import { RaceKeys } from "./race-keys.js";
import { News } from "./race-news.js";
import { news, nextRound, picked, stuck } from "./race-say.js";
import { Sides } from "./race-sides.js";
import { RaceStore } from "./race-store.js";
import { garden, isPlaying, own, pickOf, rival, rivalName } from "./race-view.js";
import { Waiting } from "./race-waiting.js";
import { share } from "./share.js";
import { connect } from "./socket.js";
import { Sounds } from "./sound.js";
import { Table } from "./table.js";

const BANNER_AFTER = 1_000;

/** In a race a card has one way only, so a key plays at once; a dropped card lies where it fell until it is judged. */
class RaceHand extends Hand {
  /** @param {Grip} grip */
  press(grip) {
    this.playObvious(grip);
  }

  /** @param {Parameters<Hand["drop"]>[0]} grip @param {Near[]} near */
  drop(grip, near) {
    super.drop(grip, near, () => {});
  }
}

const page = find("#race");
const status = find("#status");
const banner = find(".banner");
const reading = find("#reading");
const mini = find(".felt.rival");

export const table = new Table(find("#board"));
export const rivalTable = new Table(find("#rival-board"));
const clock = new ServerClock();
const store = new RaceStore({ send: (request) => socket.send(request), show, refused, asking });
const hand = new RaceHand(table, { act: (gesture) => table.view && pick(pickOf(gesture(table.view))), say });
const drag = new Drag(table, hand);
new Peek(table, drag);
const keys = new Keys(table, hand, {});
const sounds = new Sounds(["race", "all"]);
const newsLine = new News(find("#news"));
const sides = new Sides(page);
const deadlines = new Deadlines(page, clock, { beat });
const waiting = new Waiting();
const end = new End(/** @type {HTMLDialogElement} */ (find("#end")), page.dataset.replay ?? "");
new RaceKeys(table.element, {
  pick,
  read: (sentence) => say(sentence, reading),
  position: () => table.view,
  view: () => store.view,
  time: () => find("#time").textContent ?? "",
  latest: () => `${status.textContent} ${newsLine.last}`.trim(),
});

/** @type {Listener<RaceMessage, RaceRequest>} */
const listener = {
  message: (message) => (message.type === "pong" ? clock.hear(message) : store.receive(message)),
  up,
  down,
  refused: keptOut,
  ping,
};
const socket = connect(page.dataset.socket ?? "", listener);
let bannerTimer = 0;

/** @param {string} selector */
function find(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

/** @returns {RaceRequest} */
function ping() {
  return { type: "ping", ...store.newest, sent: clock.stamp() };
}

/** @param {RaceView} view @param {RaceView | null} before */
function show(view, before) {
  if (view.seat !== Number(page.dataset.seat)) return location.reload(); // logged in, or sat down, in another tab
  clock.guess(view);
  sides.show(view);
  showGardens(view);
  deadlines.show(view);
  enable(view);
  end.show(view);
  waiting.show(view);
  newsLine.count(view, before);
  if (before?.round === view.round) happen(before, view);
  else if (before) newsLine.tell(nextRound(view));
  else if (view.phase === "over") say(sentence(view));
}

/** @param {RaceView} view */
function showGardens(view) {
  const there = rival(view);
  table.show(garden(own(view), isPlaying(view)), true);
  rivalTable.show(garden(there, false), true);
  page.classList.toggle("with-rival", !view.seat || there.piles !== null);
  find(".felt.own").classList.toggle("veiled", own(view).piles === null);
  mini.classList.toggle("veiled", there.piles === null);
  hand.refresh();
  drag.refresh();
  keys.refresh();
}

/** What has changed since the view before, said and heard. @param {RaceView} before @param {RaceView} view */
function happen(before, view) {
  if (view.seat) judge(before, view);
  if (rival(view).home > rival(before).home || (!view.seat && own(view).home > own(before).home)) sounds.play("rival");
  if (rival(view).taken && !rival(before).taken) sounds.play("go");
  newsLine.tell(news(before, view));
  if (view.sides.some(({ out_at }, index) => out_at && !before.sides[index].out_at)) {
    sounds.play("warning");
    newsLine.hide(); // the notice shows it
  }
  if (view.phase === "over" && before.phase !== "over") {
    say(sentence(view));
    sounds.play(view.seat && view.winner === 3 - view.seat ? "lost" : "won");
  }
}

/** What came of the own pick. @param {RaceView} before @param {RaceView} view */
function judge(before, view) {
  say(`${picked(before, view, (pile) => table.pile(pile).label)} ${stuck(before, view)}`.trim());
  if (own(view).home > own(before).home) sounds.play("right");
  if (own(view).locked_until === own(before).locked_until) return;
  sounds.play("wrong");
  const card = table.piles.get(own(view).last.replace("miss ", ""))?.top;
  if (card) shake(card.element);
}

/** @param {RaceView} view */
function enable(view) {
  for (const button of document.querySelectorAll('[data-entry="ready"]')) {
    button.setAttribute("aria-pressed", String(own(view).ready && view.phase !== "over"));
  }
  for (const button of document.querySelectorAll('[data-entry="redeal"]')) {
    /** @type {HTMLElement} */ (button).hidden = !isPlaying(view) || !own(view).redeal;
  }
  const peek = find("#peek");
  peek.hidden = !view.seat || rival(view).piles === null;
  rivalTable.element.setAttribute("aria-label", interpolate(gettext("Garden of %(name)s"), { name: rivalName(view) }, true));
}

/** @param {string} pile */
function pick(pile) {
  if (pile && !deadlines.isLocked) store.pick(pile);
  else drag.settle();
}

/** Show at once which card was picked; whether it fits is for the server to say. @param {string} entry */
function asking(entry) {
  const pile = table.piles.get(entry);
  table.light(pile?.top ? { pile: pile.name, count: 1 } : null, []);
  if (!entry) drag.settle();
  drag.refresh();
}

/** @param {RaceRefusal} refusal */
function refused({ why }) {
  say(why);
  status.classList.add("refusal");
}

/** Seconds to the start. @param {number} left */
function beat(left) {
  say(left ? String(left) : gettext("Go!"));
  sounds.play(left ? "beat" : "go");
  if (left) socket.send(ping()); // the clock is to be known well at the start
  else newsLine.hide();
  if (!left && store.view?.seat && document.activeElement === document.body) table.pile("bed1").stops().at(-1)?.focus({ preventScroll: true });
}

/** Say a sentence, the same one again if need be. @param {string} sentence @param {HTMLElement} line */
function say(sentence, line = status) {
  if (!sentence) return;
  line.classList.remove("refusal");
  if (line.textContent === sentence) line.textContent = "";
  requestAnimationFrame(() => (line.textContent = sentence));
}

function keptOut() {
  clearTimeout(bannerTimer);
  tell(gettext("This race cannot be reached any more."));
}

function up() {
  clearTimeout(bannerTimer);
  bannerTimer = 0;
  tell("");
  clock.forget();
  socket.send(ping());
  store.resend();
}

function down() {
  bannerTimer ||= setTimeout(
    () => tell(gettext("The connection is gone. Your seat is safe, and the clock runs on; it is tried again and again.")),
    BANNER_AFTER,
  );
}

/** @param {string} sentence */
function tell(sentence) {
  if (banner.textContent !== sentence) banner.textContent = sentence;
}

/** What a button stands for: ready is taken back by the same button. @param {HTMLElement} button */
function entryOf(button) {
  const entry = button.dataset.entry ?? "";
  return entry === "ready" && button.getAttribute("aria-pressed") === "true" ? "unready" : entry;
}

document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-entry], [data-share]") : null;
  if (!(button instanceof HTMLElement) || button.getAttribute("aria-disabled") === "true") return;
  if (event.detail > 1) return; // of a double click, the second would take back what the first one said
  if (button.dataset.share !== undefined) return share(button.dataset.share, say, shared());
  const box = document.getElementById(button.dataset.confirm ?? "");
  if (box instanceof HTMLDialogElement && !(await ask(box))) return;
  const entry = entryOf(button);
  if (entry === "redeal") pick(entry);
  else store.say(entry);
});

const shared = () => ({
  copied: gettext("The link to this race is copied."),
  told: gettext("The link to this race is %(url)s"),
});

find("#sound").addEventListener("click", () => choose("sound", sounds.on ? "none" : "race"));
onLook(() => find("#sound").setAttribute("aria-pressed", String(sounds.on)));

find("#peek").addEventListener("click", ({ currentTarget }) => {
  const shown = page.classList.toggle("peeking");
  /** @type {HTMLElement} */ (currentTarget).setAttribute("aria-expanded", String(shown));
});

/** Whoever opens the link takes the seat; a page opened ahead of time, and not looked at, takes none. */
function join() {
  const form = document.querySelector("#join");
  if (form instanceof HTMLFormElement && !document.hidden) form.requestSubmit();
}

document.addEventListener("visibilitychange", join);
join();
