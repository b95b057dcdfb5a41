import { continueTyping } from "#browser/box-finding";

/** Has buttons that only change a form send it in the background: its answer takes the place of what was there. */
export function stayInPlace(): void {
  document.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    if (!(target instanceof HTMLFormElement) || !(submitter instanceof HTMLButtonElement)) return;
    if (submitter.dataset["stay"] === undefined) return;
    event.preventDefault();
    void stay(target, submitter);
  });
}

/** One at a time: a second click on a button that is busy does nothing. */
async function stay(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  if (form.ariaBusy === "true") return;
  const sent = new URLSearchParams();
  for (const [name, value] of new FormData(form, button))
    if (typeof value === "string") sent.append(name, value);
  form.ariaBusy = "true";
  const fresh = await answerTo(form.action, sent);
  form.ariaBusy = "false";
  if (fresh === null) sendWhole(form, button);
  else show(fresh, button);
}

/** Null if what came is no answer of the form: e.g. the session ended, or the service restarts. */
async function answerTo(action: string, body: URLSearchParams): Promise<Element | null> {
  try {
    const headers = { accept: "text/html" };
    const answer = await fetch(action, { method: "POST", body, headers, redirect: "error" });
    const text = await answer.text();
    const main = new DOMParser().parseFromString(text, "text/html").querySelector("main");
    return main?.querySelector("form.form") === null ? null : main;
  } catch {
    return null;
  }
}

/** As without this script. */
function sendWhole(form: HTMLFormElement, { name, value }: HTMLButtonElement): void {
  const field = document.createElement("input");
  [field.type, field.name, field.value] = ["hidden", name, value];
  form.append(field);
  form.submit();
}

/** What is open stays open, and the cursor goes where the answer wants it, or stays at the button. */
function show(main: Element, { name, value, dataset }: HTMLButtonElement): void {
  const old = document.querySelector("main");
  const before = document.activeElement;
  for (const { id } of old?.querySelectorAll("details[open]") ?? [])
    if (id !== "") main.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  old?.replaceWith(main);
  if (continueTyping(before, main)) return;
  const again = `button[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`;
  const next = main.querySelector("[autofocus]") ?? main.querySelector(again);
  const about = document.getElementById(dataset["stay"] ?? "");
  if (next instanceof HTMLElement) next.focus({ preventScroll: next.matches("button") });
  else about?.focus();
  about?.scrollIntoView({ block: "nearest" });
}
