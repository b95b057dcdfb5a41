import {
  caretIn,
  continueTyping,
  findAgain,
  isAsTyped,
  isFindField,
  stayAt,
} from "#browser/box-finding";
import { hold, isReleased } from "#browser/holding";
import { isGone } from "#browser/leaving";
import { addOpened } from "#browser/folded-groups";
import { afterPress } from "#browser/pressing";
import { isTouched, sayTried } from "#browser/trial-answer";
import { sayUntried } from "#browser/trying";
import {
  cursorAfter,
  dropKeys,
  isLeft,
  keepKeysAt,
  keepTyped,
  sayKept,
  type SentForm,
  takeKeys,
  typeKept,
} from "#browser/typed-meanwhile";
import { countUp } from "#browser/waiting";

/** Has buttons that only change a form send it in the background: its answer takes the place of what was there. */
export function stayInPlace(): void {
  document.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    if (!(target instanceof HTMLFormElement) || !(submitter instanceof HTMLButtonElement)) return;
    if (submitter.dataset["stay"] === undefined || isReleased()) return;
    event.preventDefault();
    void stay(target, submitter);
  });
}

/** Forms that are searched without a press, and the button that was pressed meanwhile. */
const searched = new WeakMap<HTMLFormElement, HTMLButtonElement | null>();

/** One at a time: a second click on a button that is busy does nothing. A search without a press gives way. */
async function stay(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  const isPressed = !isAsTyped(button) && !isLeft(button);
  if (isGone()) return;
  if (form.ariaBusy === "true") {
    if (!isPressed || !searched.has(form)) return;
    searched.set(form, button);
    return keepKeysAt(button);
  }
  const sent = fieldsOf(form, button);
  const one = { form, button, sent, focused: document.activeElement };
  form.ariaBusy = "true";
  if (isPressed) keepKeysAt(button);
  else searched.set(form, null);
  const stop = countUp(button);
  const fresh = await answerTo(form, sent);
  stop();
  await new Promise<void>(afterPress);
  form.ariaBusy = "false";
  if (isGone()) return dropKeys();
  const typed = takeKeys(button);
  const pressed = searched.get(form) ?? null;
  searched.delete(form);
  if (pressed !== null) return pressed.click();
  if (fresh === null) {
    if (button.name === "try") sayUntried(form);
    return isPressed ? hold(form, button) : undefined;
  }
  if (button.name === "find" && isChanged(form, button, sent)) return findAgain(button, isPressed);
  if (button.name === "try" && isTouched(form, button, [fieldsOf(form, button), sent]))
    return sayTried(fresh, form, sent);
  if (button.name === "find") return show(fresh, button);
  showWithTyped(fresh, one, typed);
}

function fieldsOf(form: HTMLFormElement, button: HTMLButtonElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, button))
    if (typeof value === "string") fields.append(name, value);
  return fields;
}

/** Whether a person did something meanwhile that the answer does not know; what is typed to find continues in it. */
function isChanged(
  form: HTMLFormElement,
  button: HTMLButtonElement,
  sent: URLSearchParams,
): boolean {
  const now = fieldsOf(form, button);
  const typing = document.activeElement;
  if (isFindField(typing)) for (const fields of [now, sent]) fields.delete(typing.name);
  return now.toString() !== sent.toString();
}

/** Null if what came is no answer of the form: e.g. the session ended, or the service restarts. */
async function answerTo(form: HTMLFormElement, sent: URLSearchParams): Promise<Element | null> {
  const body = new URLSearchParams(sent);
  addOpened(form, body);
  try {
    const headers = { accept: "text/html" };
    const answer = await fetch(form.action, { method: "POST", body, headers, redirect: "error" });
    const text = await answer.text();
    const main = new DOMParser().parseFromString(text, "text/html").querySelector("main");
    return main?.querySelector("form.form") === null ? null : main;
  } catch {
    return null;
  }
}

/** A part of the form itself, or its first field. */
function focusIn(about: HTMLElement | null): void {
  const fields = "input, select, textarea";
  const field = about?.matches(fields) === true ? about : about?.querySelector(fields);
  if (field instanceof HTMLElement) field.focus();
  else about?.focus();
}

/** The answer takes the place of what was there. What is open stays open. */
function put(main: Element): void {
  const old = document.querySelector("main");
  for (const { id } of old?.querySelectorAll("details[open]") ?? [])
    if (id !== "") main.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  old?.replaceWith(main);
}

/** What was typed meanwhile stays. Whoever typed it, or left the field before that, keeps the cursor. */
function showWithTyped(main: Element, one: SentForm, typed: string): void {
  const kept = keepTyped(main, one);
  const continueThere = cursorAfter(main, one, kept);
  if (continueThere !== null) {
    put(main);
    continueThere();
  } else if (isLeft(one.button)) showBehind(main);
  else show(main, one.button);
  typeKept(typed);
  sayKept(kept);
}

/** The cursor stays where it is. */
function showBehind(main: Element): void {
  const before = document.activeElement;
  const caret = caretIn(before);
  put(main);
  if (!stayAt(before, caret, main))
    document.getElementById(before?.id ?? "")?.focus({ preventScroll: true });
}

/** The cursor goes where the answer wants it, or stays at the button. */
function show(main: Element, { name, value, dataset }: HTMLButtonElement): void {
  const before = document.activeElement;
  const caret = caretIn(before);
  put(main);
  if (continueTyping(before, caret, main)) return;
  if (name === "find" && stayAt(before, caret, main)) return;
  const again = `button[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`;
  const wanted = main.querySelector("[autofocus]");
  const next = wanted ?? main.querySelector(again);
  const about = document.getElementById(dataset["stay"] ?? "");
  if (next instanceof HTMLElement && next.checkVisibility())
    next.focus({ preventScroll: next.matches("button") });
  else focusIn(about);
  if (wanted === null) about?.scrollIntoView({ block: "nearest" });
}
