import { enterMark, openMark } from "#service/operator/forms/form-rows";

/* Buttons of a form that only show it again: with what a search finds, or with a value that was offered. */

/** The button that searches among the boxes of the field that is its value. */
export const findButton = "find";
/** Where a person types what is searched for. */
export const findField = (field: string): string => `${field}.find`;
/** The button that takes an offered value; its own is the field and the value. */
export const useButton = "use";

/** The button that shows a form again, with what was typed, after it was not saved. */
export const editMark = "edit";

/** The form after such a button; null if it was sent by another one. */
export function afterTurn(typed: URLSearchParams): URLSearchParams | null {
  const after = new URLSearchParams(typed);
  const [, field = "", value = ""] = /^([\w.[\]]+) (.*)$/s.exec(typed.get(useButton) ?? "") ?? [];
  if (field !== "") {
    after.delete(useButton);
    after.set(field, value);
    return after;
  }
  const searched = typed.get(findButton) ?? searchedByReturn(typed);
  if (searched === null) return null;
  for (const name of [findButton, enterMark]) after.delete(name);
  after.append(openMark, searched);
  return after;
}

/** Return in a search field searches, though the form's own button is pressed by it. */
function searchedByReturn(typed: URLSearchParams): string | null {
  if (!typed.has(enterMark)) return null;
  const [name = null] =
    [...typed].find(([field, text]) => field.endsWith(".find") && text !== "") ?? [];
  return name === null ? null : name.slice(0, -".find".length);
}
