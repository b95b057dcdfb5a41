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
  for (const line of form.querySelectorAll(".wrong-line")) line.remove();
  for (const control of form.querySelectorAll("[aria-invalid]")) describeAs(main, control);
  for (const { id } of main.querySelectorAll("[aria-invalid]")) {
    const control = document.getElementById(id);
    if (control !== null) describeAs(main, control);
  }
  for (const line of main.querySelectorAll(".wrong-line")) putLine(line);
}

/** A location at which nothing was tried is ticked only if a person did that. */
function untickUntried(main: Element, form: HTMLFormElement, sent: URLSearchParams): void {
  const place = sent.get("at") ?? "";
  const box = `[name="locations"][value="${CSS.escape(place)}"]`;
  const [own, answered] = [form, main].map((one) => one.querySelector<HTMLInputElement>(box));
  if (own && answered && !answered.checked && !sent.has("locations", place)) own.checked = false;
}

/** What says what is wrong with a control, as the answer has it. */
function describeAs(main: Element, control: Element): void {
  const answered = main.querySelector(`#${CSS.escape(control.id)}`);
  for (const name of ["aria-invalid", "aria-describedby"]) {
    const value = answered?.getAttribute(name) ?? null;
    if (value === null) control.removeAttribute(name);
    else control.setAttribute(name, value);
  }
}

/** Puts a line about a field where the answer has it. What was folded is opened. */
function putLine(line: Element): void {
  const id = line.id.replace(/-wrong$/, "");
  const within = line.parentElement;
  let answered = within?.querySelector(`#${CSS.escape(id)}`) ?? within;
  let own: Element | null = document.getElementById(id);
  while (answered !== within && answered !== null) {
    answered = answered.parentElement;
    own = own?.parentElement ?? null;
  }
  if (own === null || within === null) return;
  const place = [...within.children].indexOf(line);
  own.insertBefore(line, own.children[place] ?? null);
  own.closest("details")?.setAttribute("open", "");
}
