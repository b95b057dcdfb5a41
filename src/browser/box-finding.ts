/** How long a person pauses who has typed enough to look. */
const pauseMs = 250;

/** Has the field that finds boxes among very many find them as a person types, and at Return, without leaving the page. */
export function findAsTyped(): void {
  let pause: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("input", ({ target }) => {
    const button = findButtonOf(target);
    if (button === null) return;
    clearTimeout(pause);
    pause = setTimeout(() => findAgain(button, false), pauseMs);
  });
  document.addEventListener("keydown", (event) => {
    const button = event.key === "Enter" ? findButtonOf(event.target) : null;
    if (button === null) return;
    event.preventDefault();
    clearTimeout(pause);
    findAgain(button, true);
  });
}

/** The button that is sent just now though no one pressed it. */
let asTyped: HTMLButtonElement | null = null;
export const isAsTyped = (button: HTMLButtonElement): boolean => button === asTyped;

/** Sends the form as it is now. */
export function findAgain(button: HTMLButtonElement, isPressed: boolean): void {
  if (!button.isConnected) return;
  asTyped = isPressed ? null : button;
  button.form?.requestSubmit(button);
  asTyped = null;
}

export const isFindField = (one: Element | null): one is HTMLInputElement =>
  one instanceof HTMLInputElement && findButtonOf(one) !== null;

function findButtonOf(target: EventTarget | null): HTMLButtonElement | null {
  if (!(target instanceof HTMLInputElement) || !target.name.endsWith(".find")) return null;
  return target.parentElement?.querySelector<HTMLButtonElement>('button[name="find"]') ?? null;
}

/** Whoever types in it continues in the answer; what was typed meanwhile is looked for, too. */
export function continueTyping(
  before: Element | null,
  caret: number | null,
  main: Element,
): boolean {
  if (!isFindField(before)) return false;
  const field = main.querySelector(`input[name="${CSS.escape(before.name)}"]`);
  if (!(field instanceof HTMLInputElement)) return false;
  const { value } = before;
  const isFound = field.value === value.trim();
  field.value = value;
  field.focus({ preventScroll: true });
  field.setSelectionRange(caret, caret);
  if (!isFound) field.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}

/** Whoever went on to another field meanwhile is still in it. */
export function stayAt(before: Element | null, caret: number | null, main: Element): boolean {
  if (!isTyped(before)) return false;
  const { name, type, value } = before;
  const same = [...main.querySelectorAll(`[name="${CSS.escape(name)}"]`)]
    .filter(isTyped)
    .find((one) => one.type === type && one.value === value);
  if (same === undefined) return false;
  same.focus({ preventScroll: true });
  if (caret !== null) same.setSelectionRange(caret, caret);
  return true;
}

const isTyped = (one: Element | null): one is HTMLInputElement | HTMLTextAreaElement =>
  one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement;

/** Where in a field a person types: to be read before it leaves the page. Null for a field without a text. */
export const caretIn = (one: Element | null): number | null =>
  isTyped(one) ? one.selectionStart : null;
