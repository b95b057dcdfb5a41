/** What a folded group says of its values is what was served: once they change, it says that. */
export function sayChanges(): void {
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof Element)) return;
    const summed = target.closest("details.group")?.querySelector(".summed");
    if (summed instanceof HTMLElement) summed.textContent = "Changed";
  });
}

/**
 * Has each form say which of its groups are open as it is sent: if it is refused, it comes back with those open. Without
 * this script those open that a person changed something in.
 */
export function sayOpened(): void {
  // After those of the document, which keep some forms on their page: what is open stays open there.
  addEventListener("submit", ({ defaultPrevented, target }) => {
    if (defaultPrevented || !(target instanceof HTMLFormElement)) return;
    if (!target.matches("form.form")) return;
    target.addEventListener("formdata", ({ formData }) => addOpened(target, formData), {
      once: true,
    });
  });
}

export function addOpened(form: HTMLFormElement, sent: FormData | URLSearchParams): void {
  // Also if none is open, it is known that the person closed them.
  sent.append("opened", "");
  for (const { id } of form.querySelectorAll("details.group[open]")) sent.append("opened", id);
}
