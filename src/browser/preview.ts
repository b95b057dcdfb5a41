/** Long enough for the next key of a person who types. */
const pauseMs = 250;

/*
 * Shows what readers will see of a form's message while it is typed. Without this script a button of the form does that.
 */

let timer = 0;
/** Ends the request for what was typed before. */
let asked = new AbortController();

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

/** What was typed later is shown, whichever answer comes first. */
async function follow(form: HTMLFormElement, shown: Element): Promise<void> {
  asked = new AbortController();
  const fresh = await previewOf(form, asked.signal);
  if (fresh === null) return;
  shown.replaceChildren(...fresh.childNodes);
  showNotes(form, shown);
  const to = fresh.getAttribute("data-frame");
  const frame = document.querySelector("iframe");
  // Not by its attribute: each would be a step of the browser's history.
  if (to !== null && frame !== null) frame.contentWindow?.location.replace(to);
}

/** Puts what is said of a field next to it, in place of what was said before. */
function showNotes(form: HTMLFormElement, shown: Element): void {
  for (const old of form.querySelectorAll(".field > .doubt")) old.remove();
  for (const one of shown.querySelectorAll<HTMLElement>("[data-at]")) {
    const field = form.querySelector(`[name="${CSS.escape(one.dataset["at"] ?? "")}"]`);
    const note = document.createElement("p");
    note.className = "doubt";
    note.textContent = one.dataset["note"] ?? "";
    field?.closest(".field")?.append(note);
  }
}

/** What the form's own button would show; null if the service does not answer: what was shown stays. */
async function previewOf(form: HTMLFormElement, signal: AbortSignal): Promise<Element | null> {
  const body = new URLSearchParams({ preview: "part" });
  for (const [name, value] of new FormData(form))
    if (typeof value === "string") body.append(name, value);
  try {
    const answer = await fetch(form.action, { method: "POST", body, redirect: "error", signal });
    if (!answer.ok) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector("[data-preview]");
  } catch {
    return null;
  }
}
