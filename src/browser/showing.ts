/*
 * A password that is typed once is shown on request, so that whoever types it sees it. The button is in the page and is
 * hidden without this script. It is hidden again as the form is sent: a browser remembers what a text field had.
 */

reveal();
// A form that stays in place while it is sent gets new buttons.
new MutationObserver(reveal).observe(document, { childList: true, subtree: true });

function reveal(): void {
  for (const button of buttons()) button.hidden = false;
}

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button[data-shows]") : null;
  const field = button === null ? null : fieldOf(button);
  if (button !== null && field !== null) show(button, field, field.type === "password");
});

document.addEventListener(
  "submit",
  ({ target }) => {
    for (const button of buttons()) {
      const field = fieldOf(button);
      if (field !== null && field.form === target) show(button, field, false);
    }
  },
  true,
);

function buttons(): NodeListOf<HTMLButtonElement> {
  return document.querySelectorAll<HTMLButtonElement>("button[data-shows]");
}

function fieldOf(button: Element): HTMLInputElement | null {
  const field = document.getElementById(button.getAttribute("data-shows") ?? "");
  return field instanceof HTMLInputElement ? field : null;
}

function show(button: Element, field: HTMLInputElement, isShown: boolean): void {
  field.type = isShown ? "text" : "password";
  button.textContent = isShown ? "Hide" : "Show";
}
