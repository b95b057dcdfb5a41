/*
 * What a person did in a form after it was sent: its answer does not know that. What was typed last stays, and the cursor
 * stays where a person typed. What they typed at the button itself goes into the field that the answer puts the cursor in.
 */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A form as it was sent in the background. */
export interface SentForm {
  readonly form: HTMLFormElement;
  readonly button: HTMLButtonElement;
  readonly sent: URLSearchParams;
  /** Where the cursor was. */
  readonly focused: Element | null;
}

/** The button that is on its way, and what was typed at it since. */
let pressed: HTMLButtonElement | null = null;
let typedAtButton: string[] = [];
/** More than a person types while they wait for an answer. */
const typedMax = 200;

/** Begins to keep what is typed at such a button: on its own, a Space presses it, and letters do nothing or lead away. */
export function keepKeys(): void {
  let isSpaceKept = false;
  const keep = (event: KeyboardEvent): void => {
    if (!isAtButton() || pressed?.form?.ariaBusy !== "true" || !isTextKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === " ") isSpaceKept = true;
    if (event.key === "Backspace") typedAtButton.pop();
    else if (typedAtButton.length < typedMax) typedAtButton.push(event.key);
  };
  // Some browsers press a button as Space is released, whatever became of its press.
  const release = (event: KeyboardEvent): void => {
    if (event.key !== " " || !isSpaceKept) return;
    isSpaceKept = false;
    event.preventDefault();
  };
  document.addEventListener("keydown", keep, true);
  document.addEventListener("keyup", release, true);
}

/** Keeps what is typed at the button from now on. One that waited for another answer keeps what it has. */
export function keepKeysAt(button: HTMLButtonElement): void {
  if (pressed !== button) typedAtButton = [];
  pressed = button;
}

/** Keeps no more, and gives what was typed at the button; nothing if the person went on to something else. */
export function takeKeys(button: HTMLButtonElement): string {
  if (pressed !== button) return "";
  const typed = isAtButton() ? typedAtButton.join("") : "";
  dropKeys();
  return typed;
}

/** Keeps no more. */
export function dropKeys(): void {
  pressed = null;
  typedAtButton = [];
}

/** Types it where the cursor is now. Without a field for text there, it is dropped. */
export function typeKept(typed: string): void {
  if (typed === "") return;
  // eslint-disable-next-line typescript/no-deprecated -- no other call counts as a person's, can be undone, and knows each caret.
  document.execCommand("insertText", false, typed);
}

/** Not each browser puts the focus on a button that is clicked. */
const isAtButton = (): boolean =>
  document.activeElement === pressed || document.activeElement === document.body;

/** AltGr, by which many keyboards have `@`, is Ctrl and Alt on some systems. */
const isTextKey = (event: KeyboardEvent): boolean =>
  /^(?:.|Backspace)$/u.test(event.key) &&
  !event.isComposing &&
  !event.metaKey &&
  ((!event.ctrlKey && !event.altKey) || event.getModifierState("AltGraph"));

/** Whether it was sent by the way, as the cursor left a field. */
export const isLeft = ({ dataset }: HTMLElement): boolean => dataset["left"] !== undefined;

/** Takes over into the answer what was changed since the form was sent. Gives the fields of the answer that it changed. */
export function keepTyped(main: Element, one: SentForm): ReadonlySet<Field> {
  const kept = new Set<Field>();
  for (const field of fieldsOf(one.form)) {
    const own = isChanged(field, one.sent) ? sameField(main, one, field) : null;
    if (own === null || !takesOver(own, field)) continue;
    kept.add(own);
  }
  return kept;
}

/** Puts the cursor where a person types since the form was sent, or went on to; null: they are at the button. */
export function cursorAfter(
  main: Element,
  one: SentForm,
  kept: ReadonlySet<Field>,
): (() => void) | null {
  const active = document.activeElement;
  if (!isField(active) || active.form !== one.form) return null;
  const own = sameField(main, one, active);
  if (own === null || (active === one.focused && !kept.has(own))) return null;
  const selected = isText(active) ? ([active.selectionStart, active.selectionEnd] as const) : null;
  return () => {
    own.focus({ preventScroll: true });
    // Other fields than texts have no caret, and throw.
    if (isText(own) && selected !== null && selected[0] !== null)
      own.setSelectionRange(...selected);
  };
}

/** Has the page say what follows from what was kept: the answer says what followed from what was sent. */
export function sayKept(kept: ReadonlySet<Field>): void {
  for (const field of kept) {
    field.dispatchEvent(new Event("input", { bubbles: true }));
    // A browser takes what a script put there for what was there before.
    const left = (): unknown => field.dispatchEvent(new Event("change", { bubbles: true }));
    if (field === document.activeElement) field.addEventListener("blur", left, { once: true });
    else left();
  }
}

const fieldsOf = (form: HTMLFormElement): readonly Field[] =>
  [...form.elements].filter(isField).filter(({ name, type, disabled }) => {
    return name !== "" && !disabled && type !== "hidden" && type !== "file";
  });

function isChanged(field: Field, sent: URLSearchParams): boolean {
  const { name, value } = field;
  if (isTick(field)) return field.checked !== sent.has(name, value);
  return value !== (sent.get(name) ?? "");
}

/** A choice of several is changed by the one that is chosen now. */
function takesOver(own: Field, field: Field): boolean {
  if (isTick(own) && isTick(field)) {
    if (field.type === "radio" && !field.checked) return false;
    own.checked = field.checked;
    return true;
  }
  if (
    own instanceof HTMLSelectElement &&
    ![...own.options].some(({ value }) => value === field.value)
  )
    return false;
  own.value = field.value;
  return true;
}

/** The same field in the answer; null if it is no more there. */
function sameField(main: Element, { form, button }: SentForm, field: Field): Field | null {
  const action = CSS.escape(form.getAttribute("action") ?? "");
  const fresh = main.querySelector(`form.form[action="${action}"]`) ?? main;
  const name = nameAfter(button, field.name);
  if (name === null) return null;
  const value = isTick(field) ? `[value="${CSS.escape(field.value)}"]` : ":not([type=hidden])";
  const own = fresh.querySelector(`[name="${CSS.escape(name)}"]${value}`);
  return isField(own) && own.type === field.type ? own : null;
}

/** A row that is removed is gone, and those after it have other numbers. */
function nameAfter({ name: act, value }: HTMLButtonElement, name: string): string | null {
  const [, rows = "", removed] =
    /^remove ([\w.]+)\[(\d+)\]$/.exec(act === "row" ? value : "") ?? [];
  if (removed === undefined || !name.startsWith(`${rows}[`)) return name;
  const [, digits = "", rest = ""] = /^(\d+)(\].*)$/.exec(name.slice(rows.length + 1)) ?? [];
  const number = Number(digits) - Number(removed);
  return number === 0 ? null : `${rows}[${number > 0 ? Number(digits) - 1 : digits}${rest}`;
}

const isText = (field: Field): field is HTMLInputElement | HTMLTextAreaElement =>
  !(field instanceof HTMLSelectElement);

const isTick = (field: Field): field is HTMLInputElement =>
  field.type === "checkbox" || field.type === "radio";

const isField = (one: Element | null): one is Field =>
  one instanceof HTMLInputElement ||
  one instanceof HTMLTextAreaElement ||
  one instanceof HTMLSelectElement;
