/* What the rules say of fields, put from an answer into a form in which a person continues. */

/** Marks each field that the answer refuses, and takes the marks from the others. */
export function markWrong(main: Element, form: HTMLFormElement): void {
  const said = new Set([...form.querySelectorAll(".wrong-line")].map(({ id }) => id));
  for (const line of form.querySelectorAll(".wrong-line")) {
    line.closest(".wrong")?.classList.remove("wrong");
    line.remove();
  }
  for (const control of form.querySelectorAll("[aria-invalid]")) describeAs(main, control);
  for (const { id } of main.querySelectorAll("[aria-invalid]")) {
    const control = document.getElementById(id);
    if (control !== null) describeAs(main, control);
  }
  for (const line of main.querySelectorAll(".wrong-line")) {
    // What is new is read out at once.
    if (!said.has(line.id)) line.setAttribute("role", "alert");
    putLine(line);
  }
}

/** Puts what is doubtful about a field next to it, in place of what was said before. */
export function noteDoubts(main: Element, form: HTMLFormElement): void {
  for (const old of form.querySelectorAll(".field > .doubt")) old.remove();
  for (const note of main.querySelectorAll(".field > .doubt")) {
    const id = note.parentElement?.querySelector("input, select, textarea")?.id ?? "";
    const field = document.getElementById(id)?.closest(".field") ?? null;
    field?.insertBefore(note, field.querySelector(".help"));
  }
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
  own.classList.toggle("wrong", within.classList.contains("wrong"));
  const place = [...within.children].indexOf(line);
  own.insertBefore(line, own.children[place] ?? null);
  own.closest("details")?.setAttribute("open", "");
}
