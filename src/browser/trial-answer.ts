import { markWrong } from "#browser/wrong-lines";

/*
 * What a trial says, in a form in which a person went on meanwhile: their fields and the cursor stay as they are, and only
 * the part of the trial and the marks of refused fields are those of the answer.
 */

/** Whether a person typed, chose or went elsewhere in the form since it was sent. The location is ticked by a script. */
export function isTouched(
  form: HTMLFormElement,
  button: HTMLButtonElement,
  [now, sent]: readonly [now: URLSearchParams, sent: URLSearchParams],
): boolean {
  const active = document.activeElement;
  if (active !== button && form.contains(active)) return true;
  const place = sent.get("at") ?? "";
  const [after, before] = [now, sent].map((fields) => {
    const copy = new URLSearchParams(fields);
    copy.delete("locations", place);
    return copy.toString();
  });
  return after !== before;
}

/** Puts what the answer says of the trial into the page, and leaves what was typed alone. */
export function sayTried(main: Element, form: HTMLFormElement, sent: URLSearchParams): void {
  form
    .querySelector("#tried")
    ?.replaceChildren(...(main.querySelector("#tried")?.childNodes ?? []));
  untickUntried(main, form, sent);
  document.querySelector("main .mistakes")?.remove();
  const mistakes = main.querySelector(".mistakes");
  if (mistakes !== null) form.before(mistakes);
  markWrong(main, form);
}

/** A location at which nothing was tried is ticked only if a person did that. */
function untickUntried(main: Element, form: HTMLFormElement, sent: URLSearchParams): void {
  const place = sent.get("at") ?? "";
  const box = `[name="locations"][value="${CSS.escape(place)}"]`;
  const [own, answered] = [form, main].map((one) => one.querySelector<HTMLInputElement>(box));
  if (own && answered && !answered.checked && !sent.has("locations", place)) own.checked = false;
}
