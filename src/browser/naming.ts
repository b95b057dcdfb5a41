import { addressName } from "#browser/address-name";

/*
 * A name in an address is made as people type: it follows the title until they type a name, and what they typed becomes one
 * as they leave its field. Without this script an empty field is made from the title as the form is sent, and a name that
 * is refused is offered as it would be taken.
 */

const mark = document.querySelector<HTMLElement>("[data-names]");
function fieldNamed(name: string | undefined): HTMLInputElement | null {
  if (name === undefined) return null;
  return document.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`);
}

/** What the script filled in last: another text is a person's. */
let made = "";

/** Begins to make it. */
export function makeNames(): void {
  document.addEventListener("input", ({ target }) => {
    const title = fieldNamed(mark?.dataset["from"]);
    const name = fieldNamed(mark?.dataset["names"]);
    if (title === null || name === null || target !== title || name.value !== made) return;
    made = addressName(title.value);
    name.value = made;
  });

  document.addEventListener("focusout", ({ target }) => {
    const name = fieldNamed(mark?.dataset["names"]);
    if (name === null || target !== name) return;
    const better = addressName(name.value);
    if (better === "" || better === name.value) return;
    name.value = better;
    // What follows the field is shown anew.
    name.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
