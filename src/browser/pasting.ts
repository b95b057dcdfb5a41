/** Fills the form as soon as something is pasted into the field for it. */
export function fillByPaste(): void {
  document.addEventListener("paste", ({ target }) => {
    if (!(target instanceof HTMLTextAreaElement) || target.name !== "paste") return;
    // The field has the text only after this event.
    setTimeout(() => target.form?.querySelector<HTMLButtonElement>('button[name="fill"]')?.click());
  });
}
