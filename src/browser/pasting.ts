import { afterPress } from "#browser/pressing";

/**
 * Fills the form as soon as something is pasted as its target, or the cursor leaves what was typed there and is no plain
 * target of the kind, or Enter ends it.
 */
export function fillByPaste(): void {
  document.addEventListener("keydown", (event) => {
    const { target, key, shiftKey } = event;
    if (key !== "Enter" || shiftKey || event.isComposing || !isGrowing(target)) return;
    event.preventDefault();
    if (isPlain(target)) target.form?.requestSubmit();
    else fill(target);
  });
  document.addEventListener("paste", ({ target }) => {
    if (!isTarget(target)) return;
    // The field has the text only after this event.
    setTimeout(() => fill(target));
  });
  fillByLeaving();
}

/** What takes the focus by a click has its click first: a button that sends the form has its answer fill it in. */
function fillByLeaving(): void {
  document.addEventListener("focusout", ({ target }) => {
    if (!isTarget(target) || target.value === target.defaultValue || isPlain(target)) return;
    // An answer that takes its place is no leaving, nor is another window.
    afterPress(() =>
      setTimeout(() => {
        if (target.isConnected && document.activeElement !== target) fill(target, true);
      }),
    );
  });
}

type Field = HTMLInputElement | HTMLTextAreaElement;

const isGrowing = (target: EventTarget | null): target is HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement && target.classList.contains("grows");

const isTarget = (target: EventTarget | null): target is Field =>
  isGrowing(target) || (target instanceof HTMLInputElement && target.name === "uri");

/** Whether the form takes it as it is: a URL, a host with its port, or what a person wanted back. */
function isPlain(field: Field): boolean {
  const text = field.value.trim();
  const asTyped = field.form?.querySelector<HTMLInputElement>('[name="as_typed"]');
  if (text === "" || text === asTyped?.value) return true;
  return isGrowing(field)
    ? /^https?:\/\/\S+$/i.test(text)
    : !/^(?:curl\s|[a-z]+:(?!\d+$))|\s/i.test(text);
}

function fill({ form }: Field, isLeft = false): void {
  const button = form?.querySelector<HTMLButtonElement>('button[name="fill"]');
  if (!button) return;
  if (isLeft) button.dataset["left"] = "";
  else delete button.dataset["left"];
  button.click();
}
