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

const bubble = document.createElement("p");
bubble.className = "day";
bubble.role = "status";

let shown: Element | null = null;

function hide(): void {
  shown?.classList.remove("on");
  shown = null;
  bubble.textContent = "";
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

function wire(bar: Element): void {
  const runs = [...bar.querySelectorAll(".said")].map((path): Run => {
    const title = path.querySelector("title");
    const words = title?.textContent ?? "";
    // The browser would say it once more.
    title?.remove();
    return { path, words };
  });
  const last = runs.at(-1);
  if (last === undefined) return;
  for (const name of ["pointerdown", "pointermove"] as const)
    bar.addEventListener(name, (event) => {
      if (!(event instanceof PointerEvent)) return;
      const run = runAt(runs, event.clientX, event.pointerType === "mouse" ? 0 : fingerPx);
      if (run !== undefined) show(run);
    });
  bar.addEventListener("pointerleave", (event) => {
    // A finger that is lifted leaves the words to be read.
    if (event instanceof PointerEvent && event.pointerType === "mouse") hide();
  });
  // Of a bar that is all one run its name says the same.
  if (runs.length > 1) wireKeys(bar, runs, last);
}

function wireKeys(bar: Element, runs: readonly Run[], last: Run): void {
  bar.setAttribute("tabindex", "0");
  bar.addEventListener("focus", () => {
    if (bar.matches(":focus-visible")) show(last);
  });
  bar.addEventListener("blur", hide);
  bar.addEventListener("keydown", (event) => {
    if (!(event instanceof KeyboardEvent)) return;
    const at = runs.findIndex(({ path }) => path === shown);
    const next = keys[event.key]?.(at === -1 ? runs.length : at, runs.length - 1);
    const run = next === undefined ? undefined : runs[next];
    if (run === undefined) return;
    event.preventDefault();
    show(run);
  });
}

for (const bar of document.querySelectorAll(".days .uptime")) wire(bar);
document.addEventListener("pointerdown", ({ target }) => {
  if (!(target instanceof Element) || target.closest(".uptime") === null) hide();
});
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") hide();
});
