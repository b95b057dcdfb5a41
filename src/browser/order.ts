/*
 * Lets people order the components and groups of a status page by dragging their handles, by mouse, pen or finger: what is
 * dropped on another part takes its position, or goes into that group. It sends the same form as the buttons of each part,
 * which do that without this script. Where a part is then is said for those who do not see it.
 */

/** How near to an edge of the window a page scrolls under a drag, and how far at once. */
const edgePx = 56;
const stepPx = 10;

interface Drag {
  readonly handle: HTMLElement;
  readonly item: HTMLElement;
  /** Where it began, from the top of the page. */
  readonly from: number;
  /** Where the pointer is in the window. */
  x: number;
  y: number;
  /** What it would be dropped on. */
  over: Element | null;
}
let drag: Drag | null = null;

const said = document.createElement("p");
said.className = "unseen";
said.ariaLive = "polite";
document.body.append(said);

document.addEventListener("pointerdown", (event) => {
  const { target, button, isPrimary, pointerId, clientX: x, clientY: y } = event;
  const handle = target instanceof Element ? target.closest(".grip") : null;
  const item = handle?.closest("[data-part]");
  if (!(handle instanceof HTMLElement) || !(item instanceof HTMLElement)) return;
  if (button !== 0 || !isPrimary) return;
  event.preventDefault();
  handle.setPointerCapture(pointerId);
  item.setAttribute("data-dragged", "");
  drag = { handle, item, from: y + scrollY, x, y, over: null };
  requestAnimationFrame(scrollAtEdge);
});
document.addEventListener("pointermove", ({ clientX, clientY }) => {
  if (drag === null) return;
  [drag.x, drag.y] = [clientX, clientY];
  follow(drag);
});
document.addEventListener("pointerup", ({ clientX, clientY }) => {
  const dropped = drag;
  // A quick hand lets go elsewhere than the last move was seen.
  if (drag !== null) {
    [drag.x, drag.y] = [clientX, clientY];
    follow(drag);
  }
  end();
  const form = dropped?.item.querySelector('form[action$="/move"]');
  const to = dropped?.over?.getAttribute("data-part") ?? null;
  if (form instanceof HTMLFormElement && to !== null) ask(form, to);
});
document.addEventListener("pointercancel", () => end());
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") end();
});
document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (!(target instanceof HTMLFormElement) || !(submitter instanceof HTMLButtonElement)) return;
  if (!target.matches('form[action$="/move"]')) return;
  event.preventDefault();
  ask(target, submitter.value);
});

/** What is dragged stays under the pointer, and what it would be dropped on is marked. */
function follow(one: Drag): void {
  one.item.style.transform = `translateY(${one.y + scrollY - one.from}px)`;
  const over = placeFor(one.item, document.elementFromPoint(one.x, one.y));
  if (over === one.over) return;
  one.over?.removeAttribute("data-over");
  one.over = over;
  over?.setAttribute("data-over", sideOf(one.item, over));
}

/** The part that another one can be dropped on: a group goes among those in no group. */
function placeFor(item: Element, target: Element | null): Element | null {
  const isGroup = item.matches(".component-group");
  const part = target?.closest(isGroup ? ".components > [data-part]" : "[data-part]") ?? null;
  return part === item ? null : part;
}

/** Where it would be: after what it comes from above of, before what is below, or at the end of a group. */
function sideOf(item: Element, over: Element): "into" | "after" | "before" {
  if (over.matches(".component-group") && !item.matches(".component-group")) return "into";
  const isBelow = item.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
  return item.parentElement === over.parentElement && isBelow !== 0 ? "after" : "before";
}

function scrollAtEdge(): void {
  if (drag === null) return;
  const step = drag.y < edgePx ? -stepPx : drag.y > innerHeight - edgePx ? stepPx : 0;
  if (step !== 0) {
    scrollBy(0, step);
    follow(drag);
  }
  requestAnimationFrame(scrollAtEdge);
}

function end(): void {
  if (drag === null) return;
  drag.item.removeAttribute("data-dragged");
  drag.item.style.transform = "";
  drag.over?.removeAttribute("data-over");
  drag = null;
}

/** A move that was asked for, by where its form is sent: the list may be another one when its turn comes. */
interface Move {
  readonly path: string;
  readonly to: string;
}
const waiting: Move[] = [];
let isMoving = false;

/** Moves are sent one after the other, each as of the list that the one before it made. */
function ask(form: HTMLFormElement, to: string): void {
  waiting.push({ path: form.getAttribute("action") ?? "", to });
  if (!isMoving) void moveAll();
}

async function moveAll(): Promise<void> {
  isMoving = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const form = formOf(next);
    if (form !== null) await move(form, next.to);
  }
  isMoving = false;
}

/** Null if the move before it left nothing to do, e.g. because the part is the first one now. */
function formOf({ path, to }: Move): HTMLFormElement | null {
  const forms = document.querySelectorAll<HTMLFormElement>(`form[action="${CSS.escape(path)}"]`);
  if (to !== "up" && to !== "down") return forms[0] ?? null;
  return [...forms].find((one) => one.querySelector(`button[value="${to}"]`) !== null) ?? null;
}

/** Sends a move in the background, and puts its answer in place. */
async function move(form: HTMLFormElement, to: string): Promise<void> {
  const body = new URLSearchParams({ to });
  for (const [name, value] of new FormData(form))
    if (typeof value === "string") body.append(name, value);
  try {
    const headers = { accept: "text/html" };
    const answer = await fetch(form.action, { method: "POST", body, headers });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    show(page, answer);
  } catch {
    sayFailed(lostAnswer);
  }
}

/** The answer can be lost after the move was done, so this does not say that it was not. */
const lostAnswer = "No answer came, so it may have been moved. Load the page again to see.";
const refusal = "The service refused the move. Load the page again.";

/** The list stays as it was shown, and so does what was typed. */
function sayFailed(text: string): void {
  waiting.length = 0;
  const old = document.querySelector("main .notice");
  const notice = document.createElement("p");
  notice.className = "notice bad";
  notice.role = "alert";
  notice.textContent = text;
  if (old === null) document.querySelector("main .components")?.before(notice);
  else old.replaceWith(notice);
}

/**
 * What leads elsewhere, e.g. to sign in, is followed. Another answer without the list is a refusal, e.g. because the part is
 * gone; but an error of a server, e.g. of a proxy that waited in vain, does not say whether the move was done.
 */
function show(page: Document, { redirected, url, status }: Response): void {
  const main = page.querySelector("main:has(.components)");
  if (main === null && redirected) return location.assign(url);
  if (main === null) return sayFailed(status >= 400 && status < 500 ? refusal : lostAnswer);
  if (redirected) history.replaceState(null, "", url);
  for (const menu of document.querySelectorAll(".components details[open]"))
    menu.removeAttribute("open");
  renewForms(page);
  // The page's own renewal puts it in place: what a person typed or chose stays.
  document.dispatchEvent(new CustomEvent("answered", { detail: page }));
  showPreview();
  const next = document.querySelector(
    ".components :is(button, summary)[autofocus], main .notice.bad",
  );
  if (next instanceof HTMLElement) {
    if (next.matches(".notice")) next.tabIndex = -1;
    next.focus({ preventScroll: next.matches("button, summary") });
  }
  said.textContent = main.querySelector("[data-moved]")?.textContent ?? "";
}

/** An edit form that is open is as of this move, and has the part's new position: unless someone else changed the part. */
function renewForms(page: Document): void {
  const served = (form: Element): string =>
    [
      ...form.querySelectorAll(
        ":is(input, select, textarea)[name]:not([type=hidden], [name=place])",
      ),
    ]
      .map(({ outerHTML }) => outerHTML)
      .join("");
  for (const form of document.querySelectorAll(".components .edited form")) {
    const action = form.getAttribute("action") ?? "";
    const fresh = page.querySelector(`.components .edited form[action="${CSS.escape(action)}"]`);
    if (fresh === null || served(fresh) !== served(form)) continue;
    for (const name of ["basis", "place"]) {
      const [old, next] = [form, fresh].map((one) => one.querySelector(`[name=${name}]`));
      if (!(old instanceof HTMLInputElement) || old.value !== old.defaultValue) continue;
      old.setAttribute("value", next?.getAttribute("value") ?? old.value);
    }
  }
}

/** The preview has the new order, too; not by its attribute, which would be a step of the browser's history. */
function showPreview(): void {
  const frame = document.querySelector("iframe");
  if (frame !== null) frame.contentWindow?.location.replace(frame.src);
}
