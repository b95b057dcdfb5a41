import { pickColours } from "#browser/colours";

/** Long enough for the next key of a person who types. */
const pauseMs = 250;
/** How soon a service that is away is asked again. */
const againMs = 3000;

/*
 * Shows what readers will see of a form's message while it is typed. Without this script a button of the form does that.
 */

let timer = 0;
/** Ends the request for what was typed before. */
let asked = new AbortController();

pickColours();
document.documentElement.dataset["previews"] = "yes";
document.addEventListener("input", ({ target }) => {
  // What finds a choice says nothing of the message.
  if (target instanceof HTMLInputElement && target.type === "search") return;
  const form = target instanceof Element ? target.closest("form") : null;
  const shown = form?.querySelector("[data-preview]") ?? null;
  if (form === null || shown === null) return;
  clearTimeout(timer);
  asked.abort();
  timer = setTimeout(() => void follow(form, shown), pauseMs);
});

/* Return in a field of one line, which would show the preview, leads to the next field. */
document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (!(target instanceof HTMLFormElement) || !submitter?.matches(".default[name=preview]")) return;
  event.preventDefault();
  const fields = [...target.elements].filter(
    (one) => one instanceof HTMLElement && one.tabIndex >= 0 && one.checkVisibility(),
  );
  const next = fields[fields.findIndex((one) => one === document.activeElement) + 1];
  if (next instanceof HTMLElement) next.focus();
});

/** What was typed later is shown, whichever answer comes first. */
async function follow(form: HTMLFormElement, shown: Element): Promise<void> {
  asked = new AbortController();
  const { signal } = asked;
  const fresh = await previewOf(form, signal);
  if (signal.aborted) return;
  if (fresh === "away") return wait(form, shown);
  if (fresh === "signed out") return sayStale(shown, signedOut);
  if (fresh === null) return staleLine(shown)?.remove();
  // What a person unfolded stays so.
  for (const { id } of shown.querySelectorAll("details[open]"))
    fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  shown.replaceChildren(...fresh.childNodes);
  showNotes(form, shown);
  for (const one of shown.querySelectorAll<HTMLElement>("[data-says]")) {
    const help = document.getElementById(one.dataset["says"] ?? "");
    if (help !== null) help.textContent = one.textContent;
  }
  for (const one of shown.querySelectorAll<HTMLElement>("[data-fills]")) {
    const name = one.dataset["fills"] ?? "";
    const field = form.querySelector<HTMLInputElement>(`[name="${name}"]`);
    const filled = form.querySelector<HTMLInputElement>(`[name="filled-${name}"]`);
    // Not what a person typed.
    if (field === null || filled === null || field.value !== filled.value) continue;
    field.value = filled.value = one.textContent;
  }
  document.dispatchEvent(new Event("previewed"));
  const to = fresh.getAttribute("data-frame");
  const frame = document.querySelector("iframe");
  // Not by its attribute: each would be a step of the browser's history.
  if (to !== null && frame !== null) frame.contentWindow?.location.replace(to);
}

const away =
  "The service does not answer: this shows what you typed before, and follows once it is back.";
const signedOut =
  "You are signed out: this shows what you typed before. Press the form’s button to sign in: what you typed is kept.";

/** Says that what is shown is of before, and asks again. */
function wait(form: HTMLFormElement, shown: Element): void {
  if (!form.isConnected) return;
  sayStale(shown, away);
  clearTimeout(timer);
  timer = setTimeout(() => void follow(form, shown), againMs);
}

const staleLine = (shown: Element): Element | null => shown.querySelector(".waits-for-service");

function sayStale(shown: Element, words: string): void {
  const known = staleLine(shown);
  if (known?.textContent === words) return;
  const line = known ?? document.createElement("p");
  line.className = "doubt waits-for-service";
  line.textContent = words;
  shown.prepend(line);
}

/** Puts what is said of a field next to it, in place of what was said before. */
function showNotes(form: HTMLFormElement, shown: Element): void {
  for (const old of form.querySelectorAll(".field > .doubt:not([role])")) old.remove();
  for (const one of shown.querySelectorAll<HTMLElement>("[data-at]")) {
    const field = form.querySelector(`[name="${CSS.escape(one.dataset["at"] ?? "")}"]`);
    const note = document.createElement("p");
    note.className = "doubt";
    note.textContent = one.dataset["note"] ?? "";
    field?.closest(".field")?.append(note);
  }
}

/** What the form's own button would show; null of an answer without that: what was shown stays. A proxy answers for a service that is away. */
async function previewOf(
  form: HTMLFormElement,
  signal: AbortSignal,
): Promise<Element | "away" | "signed out" | null> {
  const body = new URLSearchParams({ preview: "part" });
  for (const [name, value] of new FormData(form))
    if (typeof value === "string") body.append(name, value);
  try {
    // Whoever is signed out is led elsewhere as they send it.
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual", signal });
    if (answer.type === "opaqueredirect") return "signed out";
    if (answer.status >= 502 && answer.status <= 504) return "away";
    if (!answer.ok) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector("[data-preview]");
  } catch {
    return "away";
  }
}
