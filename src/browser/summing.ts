import { afterPress } from "#browser/pressing";
import { markWrong, noteDoubts } from "#browser/wrong-lines";

/** Long enough for the next key of a person who types. */
const pauseMs = 400;

/** Fields of a form that were left, by their ids, until an answer has said what is wrong with them: each request ends the one before. */
const unsaid = new WeakMap<HTMLFormElement, ReadonlySet<string>>();
const unsaidOf = (form: HTMLFormElement): ReadonlySet<string> => unsaid.get(form) ?? new Set();

/**
 * Says in words what a form makes, as a person types, and what is wrong with a field once it is left: the service has the
 * words and the rules.
 */
export function saySums(): void {
  let last: AbortController | null = null;
  let typing: ReturnType<typeof setTimeout> | undefined;
  const ask = (form: HTMLFormElement, left: readonly string[]): void => {
    clearTimeout(typing);
    last?.abort();
    last = new AbortController();
    unsaid.set(form, unsaidOf(form).union(new Set(left)));
    void renew(form, last.signal);
  };
  document.addEventListener("change", ({ target }) => {
    const form = formOf(target);
    if (form !== null && target instanceof Element) ask(form, [target.id]);
  });
  document.addEventListener("input", ({ target }) => {
    const form = formOf(target);
    clearTimeout(typing);
    if (form !== null) typing = setTimeout(() => ask(form, []), pauseMs);
  });
  document.addEventListener("input", sayPlainly);
}

/** The form of a field, if it has words of what it makes. */
function formOf(target: EventTarget | null): HTMLFormElement | null {
  const form = target instanceof Element ? target.closest<HTMLFormElement>("form.form") : null;
  return form !== null && form.querySelector("#sums") !== null ? form : null;
}

/** A button that says “anyway” is about what was sent: once that is changed, it says what it said before. */
function sayPlainly({ target }: Event): void {
  const form = target instanceof Element ? target.closest("form.form") : null;
  for (const button of form?.querySelectorAll<HTMLElement>("[data-plainly]") ?? []) {
    button.textContent = button.dataset["plainly"] ?? "";
    delete button.dataset["plainly"];
  }
}

async function renew(form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const body = new URLSearchParams({ edit: "yes" });
  for (const [name, value] of new FormData(form))
    if (typeof value === "string") body.append(name, value);
  for (const id of unsaidOf(form).union(new Set(markedIn(form)))) body.append("left", id);
  try {
    const headers = { accept: "text/html" };
    const answer = await fetch(form.action, {
      method: "POST",
      body,
      headers,
      redirect: "error",
      signal,
    });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("#sums");
    if (fresh !== null) afterPress(() => say(form, fresh, page.body, signal));
  } catch {
    // The words stay as they were: what is sent is what is typed.
  }
}

/** What is marked as wrong stays so until it is corrected. */
const markedIn = (form: HTMLFormElement): readonly string[] =>
  [...form.querySelectorAll("[aria-invalid]")].map(({ id }) => id);

/** Nothing is said of a form whose place another answer took meanwhile. */
function say(form: HTMLFormElement, fresh: Element, page: Element, signal: AbortSignal): void {
  if (signal.aborted || !form.isConnected) return;
  unsaid.delete(form);
  form.querySelector("#sums")?.replaceWith(fresh);
  for (const one of form.querySelectorAll<HTMLElement>("[data-follows]")) {
    const same = page.querySelector(`[data-follows="${one.dataset["follows"] ?? ""}"]`);
    one.replaceChildren(...(same?.childNodes ?? []));
  }
  const refused = document.querySelector("main .mistakes");
  const mistakes = page.querySelector(".mistakes");
  markWrong(page, form);
  noteDoubts(page, form);
  if (mistakes === null) refused?.remove();
  else refused?.replaceChildren(...mistakes.childNodes);
}
