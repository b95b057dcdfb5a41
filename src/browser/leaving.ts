import { isFindField } from "#browser/box-finding";

/** The form that a page is about, which has its buttons in view; a page with several small ones has none. */
const formOf = (): HTMLFormElement | null =>
  document.querySelector<HTMLFormElement>("main form.form:has(> .actions.stays)");

/** What the form had in it as a person came to it; null: no one did yet. */
let before: string | null = null;
let isTyped = false;
/** Whether the form was sent as a whole: its answer is the next page, so nothing changes this one. */
let isSent = false;

/**
 * Has the browser ask whoever leaves a form with what they changed in it. What a script or a renewal puts there is no
 * change, nor is what is again as it was. Whoever sends the form is not asked.
 */
export function askBeforeLeaving(): void {
  for (const gesture of ["focusin", "pointerdown", "keydown", "beforeinput"])
    document.addEventListener(gesture, () => void (before ??= valuesOf(formOf())), true);
  document.addEventListener("input", ({ target, isTrusted }) => {
    if (!isTrusted || !(target instanceof Element)) return;
    if (target.closest("form") === formOf() && !isSought(target)) isTyped = true;
  });
  // After those of the document, which keep some forms on their page.
  addEventListener("submit", (event) => {
    if (event.defaultPrevented || event.target !== formOf()) return;
    letGo();
    isSent = true;
  });
  // Whoever comes back to the page continues in it.
  addEventListener("pageshow", () => void (isSent = false));
  addEventListener("beforeunload", (event) => {
    if (isTyped && valuesOf(formOf()) !== before) event.preventDefault();
  });
}

/** The form is sent: whatever is in it is not lost. */
export const letGo = (): void => void (isTyped = false);

export const isGone = (): boolean => isSent;

const isSought = (field: Element): boolean =>
  field.hasAttribute("data-narrows") || isFindField(field);

/** What can be seen and changed in it. */
function valuesOf(form: HTMLFormElement | null): string {
  const values = [...(form?.elements ?? [])].flatMap((field) => {
    if (isSought(field)) return [];
    if (field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement)
      return [[field.name, field.value]];
    if (!(field instanceof HTMLInputElement) || field.type === "hidden") return [];
    const isTick = field.type === "checkbox" || field.type === "radio";
    return !isTick || field.checked ? [[field.name, field.value]] : [];
  });
  return JSON.stringify(values);
}
