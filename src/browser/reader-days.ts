/*
 * What each day of a status page's bars was, in a bubble above it: under the pointer, under a finger that taps or slides,
 * and by the arrow keys. Without this script the browser says it under the pointer, and the list below has the bad days.
 */

/** A finger is as wide: a day next to it counts, for a day of ninety is narrower. */
const fingerPx = 12;

/** Some days in a row of which the same is said; a bad day is one by itself. */
interface Run {
  readonly path: Element;
  readonly words: string;
}

/** What is seen. It is moved from bar to bar, which screen readers do not follow: they read what is spoken. */
const bubble = document.createElement("p");
bubble.className = "day";
bubble.ariaHidden = "true";

/** There from the beginning and never hidden: of a region that appears with its words, some screen readers say nothing. */
const spoken = document.createElement("p");
spoken.className = "spoken";
spoken.role = "status";
document.body.append(spoken);

let shown: Element | null = null;

function hide(): void {
  shown?.classList.remove("on");
  shown = null;
  bubble.textContent = "";
  spoken.textContent = "";
}

/** Above the middle of what it is about, and no wider than the bar. */
function show({ path, words }: Run): void {
  if (shown === path) return;
  hide();
  const days = path.closest(".days");
  if (days === null) return;
  if (bubble.parentElement !== days) days.append(bubble);
  shown = path;
  path.classList.add("on");
  bubble.textContent = words;
  spoken.textContent = words;
  const [of, all] = [path, days].map((one) => one.getBoundingClientRect());
  if (of === undefined || all === undefined) return;
  const left = of.left + of.width / 2 - all.left - bubble.offsetWidth / 2;
  bubble.style.left = `${Math.max(0, Math.min(left, all.width - bubble.offsetWidth))}px`;
}

/** The run at a distance from the left; of those within reach the narrowest, then the nearest. */
function runAt(runs: readonly Run[], x: number, reach: number): Run | undefined {
  return runs
    .map((run) => ({ run, box: run.path.getBoundingClientRect() }))
    .filter(({ box }) => box.left <= x + reach && box.right >= x - reach)
    .toSorted(
      ({ box: a }, { box: b }) =>
        Math.round(a.width - b.width) ||
        Math.abs(a.left + a.width / 2 - x) - Math.abs(b.left + b.width / 2 - x),
    )[0]?.run;
}

/** Where each key leads from a run. */
const keys: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => Math.max(0, at - 1),
  ArrowRight: (at, last) => Math.min(last, at + 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** The bar that an event is about; null of any other part of the page. */
const barOf = ({ target }: Event): Element | null =>
  target instanceof Element ? target.closest(".days .uptime") : null;

const runsOf = (bar: Element): readonly Run[] =>
  [...bar.querySelectorAll(".said")].map((path) => ({
    path,
    words: path.getAttribute("data-words") ?? "",
  }));

/** Takes the words from where the browser would say them once more. A bar of one day is reached by keys, too. */
function prepare(page: Document): void {
  for (const title of page.querySelectorAll(".days .said > title")) {
    title.parentElement?.setAttribute("data-words", title.textContent);
    title.remove();
  }
  for (const bar of page.querySelectorAll(".days .uptime"))
    if (bar.querySelector(".said") !== null) bar.setAttribute("tabindex", "0");
}

function point(event: PointerEvent): void {
  const bar = barOf(event);
  const isMouse = event.pointerType === "mouse";
  const run = bar === null ? undefined : runAt(runsOf(bar), event.clientX, isMouse ? 0 : fingerPx);
  if (run !== undefined) show(run);
  else if (bar === null && (isMouse || event.type === "pointerdown") && !isByKeys()) hide();
}

/** Whether the cursor of the keys is on a bar: the pointer may be anywhere. */
const isByKeys = (): boolean => document.querySelector(".uptime:focus-visible") !== null;

function step(event: KeyboardEvent): void {
  const bar = barOf(event);
  if (event.key === "Escape") hide();
  if (bar === null) return;
  const runs = runsOf(bar);
  const at = runs.findIndex(({ path }) => path === shown);
  const next = keys[event.key]?.(at === -1 ? runs.length : at, runs.length - 1);
  const run = next === undefined ? undefined : runs[next];
  if (run === undefined) return;
  event.preventDefault();
  show(run);
}

prepare(document);
document.addEventListener("pointerdown", point);
document.addEventListener("pointermove", point);
// A finger that is lifted leaves the words to be read.
document.documentElement.addEventListener("pointerleave", ({ pointerType }) => {
  if (pointerType === "mouse") hide();
});
document.addEventListener("keydown", step);
document.addEventListener("focusin", (event) => {
  const bar = barOf(event);
  const last = bar === null ? undefined : runsOf(bar).at(-1);
  if (bar?.matches(":focus-visible") === true && last !== undefined) show(last);
});
document.addEventListener("focusout", (event) => {
  if (barOf(event) !== null) hide();
});
document.addEventListener("fetched", (event) => {
  if (event instanceof CustomEvent && event.detail instanceof Document) prepare(event.detail);
});
document.addEventListener("renewed", () => {
  if (shown?.isConnected === false) hide();
});
document.addEventListener("spoken", (event) => {
  if (event instanceof CustomEvent) spoken.textContent = String(event.detail);
});
