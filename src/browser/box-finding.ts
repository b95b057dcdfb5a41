/** How long a person pauses who has typed enough to look. */
const pauseMs = 250;

/** Has the field that finds boxes among very many find them as a person types, and at Return, without leaving the page. */
export function findAsTyped(): void {
  let pause: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("input", ({ target }) => {
    const button = findButtonOf(target);
    if (button === null) return;
    clearTimeout(pause);
    pause = setTimeout(() => find(button), pauseMs);
  });
  document.addEventListener("keydown", (event) => {
    const button = event.key === "Enter" ? findButtonOf(event.target) : null;
    if (button === null) return;
    event.preventDefault();
    clearTimeout(pause);
    find(button);
  });
}

const find = (button: HTMLButtonElement): void => {
  if (button.isConnected) button.form?.requestSubmit(button);
};

function findButtonOf(target: EventTarget | null): HTMLButtonElement | null {
  if (!(target instanceof HTMLInputElement) || !target.name.endsWith(".find")) return null;
  return target.parentElement?.querySelector<HTMLButtonElement>('button[name="find"]') ?? null;
}

/** Whoever types in it continues in the answer; what was typed meanwhile is looked for, too. */
export function continueTyping(before: Element | null, main: Element): boolean {
  if (!(before instanceof HTMLInputElement) || findButtonOf(before) === null) return false;
  const field = main.querySelector(`input[name="${CSS.escape(before.name)}"]`);
  if (!(field instanceof HTMLInputElement)) return false;
  const { value, selectionStart } = before;
  const isFound = field.value === value.trim();
  field.value = value;
  field.focus({ preventScroll: true });
  field.setSelectionRange(selectionStart, selectionStart);
  if (!isFound) field.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}
