/** Fills the form as soon as something is pasted as its target, or Enter ends what is typed there and is no plain URL. */
export function fillByPaste(): void {
  document.addEventListener("keydown", (event) => {
    const { target, key, shiftKey } = event;
    if (key !== "Enter" || shiftKey || event.isComposing || !isGrowing(target)) return;
    event.preventDefault();
    if (/^\s*(?:https?:\/\/\S+)?\s*$/i.test(target.value)) target.form?.requestSubmit();
    else fill(target);
  });
  document.addEventListener("paste", ({ target }) => {
    if (!isTarget(target)) return;
    // The field has the text only after this event.
    setTimeout(() => fill(target));
  });
}

type Field = HTMLInputElement | HTMLTextAreaElement;

const isGrowing = (target: EventTarget | null): target is HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement && target.classList.contains("grows");

const isTarget = (target: EventTarget | null): target is Field =>
  isGrowing(target) || (target instanceof HTMLInputElement && target.name === "uri");

const fill = ({ form }: Field): void =>
  form?.querySelector<HTMLButtonElement>('button[name="fill"]')?.click();
