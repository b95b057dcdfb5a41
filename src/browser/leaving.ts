import { isFindField } from "#browser/box-finding";
import { isHeld } from "#browser/holding";

/**
 * The forms that a page is about: one that has its buttons in view, or those in a tab of a status page. A page with several
 * small ones has none.
 */
const forms = (): readonly HTMLFormElement[] => [
  ...document.querySelectorAll<HTMLFormElement>(
    "main form.form:has(> .actions.stays), main .tab form.form",
  ),
];

/** No two forms of a page are sent to one address, and an answer that takes a form's place has the same. */
const nameOf = (form: HTMLFormElement): string => form.getAttribute("action") ?? "";

/** What each form had in it as a person came to the page. */
const before = new Map<string, string>();
/** The forms that a person changed something in. */
const typed = new Set<string>();
/** Whether a form was sent as a whole, and nothing was done since: its answer is the next page, so nothing changes this one. */
let isSent = false;
/** The form that was sent last: its files are not lost. */
let sent: string | null = null;

/**
 * Has the browser ask whoever leaves a form with what they changed in it. What a script or a renewal puts there is no
 * change, nor is what is again as it was. Whoever sends the form is not asked about it.
 */
export function askBeforeLeaving(): void {
  for (const gesture of ["focusin", "pointerdown", "keydown", "beforeinput"])
    document.addEventListener(gesture, keepBefore, true);
  document.addEventListener("input", ({ target, isTrusted }) => {
    const form = target instanceof Element ? target.closest("form") : null;
    if (!isTrusted || !(target instanceof Element) || isSought(target)) return;
    if (form instanceof HTMLFormElement && forms().includes(form)) typed.add(nameOf(form));
  });
  // After those of the document, which keep some forms on their page.
  addEventListener("submit", ({ defaultPrevented, target }) => {
    if (defaultPrevented || !(target instanceof HTMLFormElement) || !forms().includes(target))
      return;
    letGo(target);
    sent = nameOf(target);
    isSent = true;
  });
  continueAfterSending();
  continueUnsaved();
  addEventListener("beforeunload", (event) => {
    if (!forms().some(isChanged)) return;
    event.preventDefault();
    // Whoever stays then continues in the page.
    isSent = false;
    sent = null;
  });
}

/** Whoever comes back to the page continues in it, as does whoever stopped the loading, or got a file by it. */
function continueAfterSending(): void {
  addEventListener("pageshow", () => void (isSent = false));
  document.addEventListener("pointerdown", () => void (isSent = false), true);
  // Escape also stops what the page asked for meanwhile, which is not sent again by that.
  document.addEventListener("keydown", ({ key }) => void (isSent &&= key === "Escape"), true);
}

/**
 * A form that came back, e.g. refused, has what was typed before, and nothing of it is saved. The way back to it asks for
 * the page of the form: what was sent is not sent again, and browsers show an error in its place. A form that is loaded
 * from another address than it was opened at has that from the start.
 */
function continueUnsaved(): void {
  for (const form of forms()) {
    const { unsaved, page = unsaved } = form.dataset;
    if (page === undefined) continue;
    if (unsaved !== undefined) {
      typed.add(nameOf(form));
      before.set(nameOf(form), "");
    }
    history.replaceState(history.state, "", `${page}${location.hash}`);
  }
}

function keepBefore(): void {
  for (const form of forms()) {
    const name = nameOf(form);
    if (!before.has(name)) before.set(name, valuesOf(form));
  }
}

const isChanged = (form: HTMLFormElement): boolean =>
  (typed.has(nameOf(form)) && valuesOf(form) !== before.get(nameOf(form))) ||
  (hasFile(form) && nameOf(form) !== sent);

/** A page comes without files, however they were chosen. */
const hasFile = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll<HTMLInputElement>("input[type=file]")].some(
    ({ value }) => value !== "",
  );

/** The form is sent: whatever is in it is not lost. */
const letGo = (form: HTMLFormElement): void => void typed.delete(nameOf(form));

export const isGone = (): boolean => isSent || isHeld();

const isSought = (field: Element): boolean =>
  field.hasAttribute("data-narrows") || isFindField(field);

/** What can be seen and changed in it. */
function valuesOf(form: HTMLFormElement): string {
  const values = [...form.elements].flatMap((field) => {
    if (isSought(field)) return [];
    if (field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement)
      return [[field.name, field.value]];
    if (!(field instanceof HTMLInputElement) || field.type === "hidden") return [];
    const isTick = field.type === "checkbox" || field.type === "radio";
    return !isTick || field.checked ? [[field.name, field.value]] : [];
  });
  return JSON.stringify(values);
}
