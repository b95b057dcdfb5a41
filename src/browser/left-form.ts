/*
 * A form that was sent by the way, as the cursor left a field: a person continues in it meanwhile, and keeps what they
 * typed and the place where they are.
 */

/** Whether it was sent so. */
export const isLeft = ({ dataset }: HTMLElement): boolean => dataset["left"] !== undefined;

/** Takes over into the answer what was changed since the form was sent. */
export function keepTyped(main: Element, form: HTMLFormElement, sent: URLSearchParams): void {
  for (const control of form.querySelectorAll("input, select, textarea")) {
    if (!isTyped(control) || control.name === "") continue;
    const name = `[name="${CSS.escape(control.name)}"]`;
    if (isTick(control)) {
      const own = main.querySelector(`${name}[value="${CSS.escape(control.value)}"]`);
      const { checked } = control;
      if (isTick(own) && checked !== sent.has(control.name, control.value)) own.checked = checked;
    } else {
      const own = main.querySelector(name);
      if (isTyped(own) && control.value !== sent.get(control.name)) own.value = control.value;
    }
  }
}

const isTick = (control: Element | null): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === "checkbox";

const isTyped = (
  control: Element | null,
): control is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement =>
  control instanceof HTMLInputElement ||
  control instanceof HTMLTextAreaElement ||
  control instanceof HTMLSelectElement;
