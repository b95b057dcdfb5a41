/** Has a search field show only the boxes whose words have its text, and buttons tick or clear those that are shown. */
export function narrowBoxes(): void {
  document.addEventListener("input", ({ target }) => {
    if (isNarrowing(target)) narrow(target);
  });
  document.addEventListener("keydown", (event) => {
    // Return would send the form.
    if (event.key === "Enter" && isNarrowing(event.target)) event.preventDefault();
  });
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("[data-ticks]") : null;
    if (button !== null) tickShown(button, button.getAttribute("data-ticks") === "all");
  });
}

const isNarrowing = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.hasAttribute("data-narrows");

const boxesOf = (control: Element): readonly HTMLElement[] => [
  ...(control.closest("fieldset")?.querySelectorAll<HTMLElement>(".boxes label") ?? []),
];

function narrow(field: HTMLInputElement): void {
  const text = field.value.trim().toLowerCase();
  for (const box of boxesOf(field)) box.hidden = !box.textContent.toLowerCase().includes(text);
}

function tickShown(button: Element, isTicked: boolean): void {
  for (const box of boxesOf(button)) {
    const input = box.querySelector("input");
    if (input !== null && !box.hidden && !input.disabled) input.checked = isTicked;
  }
}
