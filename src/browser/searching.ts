import { renew } from "#browser/renewal";

/** How long a person pauses who has typed enough to look. */
const pauseMs = 150;

/** Shows what the search field finds while a person types, and what is chosen next to it. The address is that of the form. */
export function searchAsTyped(): void {
  let pause: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "search") return;
    const { form } = target;
    if (form === null) return;
    clearTimeout(pause);
    pause = setTimeout(() => show(form), pauseMs);
  });
  document.addEventListener("change", ({ target }) => {
    const isChosen =
      target instanceof HTMLSelectElement ||
      (target instanceof HTMLInputElement && target.type === "date");
    if (!isChosen || target.form?.role !== "search") return;
    clearTimeout(pause);
    show(target.form);
  });
}

function show(form: HTMLFormElement): void {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === "string" && value !== "") query.append(name, value);
  history.replaceState(null, "", `${form.getAttribute("action") ?? "/"}?${query.toString()}`);
  void renew().then(() => markRefused(form));
}

/** The form itself stays as a person typed it: what is said below it is of one of its fields. */
function markRefused(form: HTMLFormElement): void {
  const line = form.parentElement?.querySelector<HTMLElement>(":scope > .wrong-line[data-about]");
  for (const field of form.querySelectorAll<HTMLInputElement>('input[type="date"]')) {
    const isRefused = line?.dataset["about"] === field.name;
    field.ariaInvalid = isRefused ? "true" : null;
    if (isRefused) field.setAttribute("aria-describedby", line.id);
    else field.removeAttribute("aria-describedby");
  }
}
