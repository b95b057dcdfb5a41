/** Fills the form as soon as something is pasted into the field for it, or Enter ends what is typed there. */
export function fillByPaste(): void {
  document.addEventListener("keydown", (event) => {
    const { target, key, shiftKey } = event;
    if (key !== "Enter" || shiftKey || event.isComposing) return;
    if (!(target instanceof HTMLTextAreaElement) || target.name !== "paste") return;
    event.preventDefault();
    fill(target);
  });
  document.addEventListener("paste", ({ target }) => {
    if (!(target instanceof HTMLTextAreaElement) || target.name !== "paste") return;
    // The field has the text only after this event.
    setTimeout(() => fill(target));
  });
}

const fill = ({ form }: HTMLTextAreaElement): void =>
  form?.querySelector<HTMLButtonElement>('button[name="fill"]')?.click();
