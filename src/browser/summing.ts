import { afterPress } from "#browser/pressing";
import { markWrong } from "#browser/wrong-lines";

/**
 * Says in words what a form makes, each time that something in it changes, and what is wrong with the field that was left:
 * the service has the words and the rules.
 */
export function saySums(): void {
  let last: AbortController | null = null;
  document.addEventListener("change", ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>("form.form") : null;
    if (!(target instanceof Element) || !form?.querySelector("#sums")) return;
    last?.abort();
    last = new AbortController();
    void renew(form, target.id, last.signal);
  });
}

async function renew(form: HTMLFormElement, left: string, signal: AbortSignal): Promise<void> {
  const body = new URLSearchParams({ edit: "yes" });
  for (const [name, value] of new FormData(form))
    if (typeof value === "string") body.append(name, value);
  for (const id of new Set([left, ...markedIn(form)])) body.append("left", id);
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
  form.querySelector("#sums")?.replaceWith(fresh);
  const refused = document.querySelector("main .mistakes");
  const mistakes = page.querySelector(".mistakes");
  markWrong(page, form);
  if (mistakes === null) refused?.remove();
  else refused?.replaceChildren(...mistakes.childNodes);
}
