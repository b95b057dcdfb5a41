import { bestFirst } from "#browser/best-named";
import { foundFor, itemsFor, type JumpItem } from "#browser/jump-items";

/*
 * A dialog that leads anywhere by some letters: a page, a monitor, or something that can be done here. The field keeps
 * the focus; arrow keys choose among what is found, and Enter takes it.
 */

interface Jump {
  readonly dialog: HTMLDialogElement;
  readonly field: HTMLInputElement;
  readonly list: HTMLUListElement;
  /** Says that nothing is found, which is not a choice. */
  readonly none: HTMLElement;
}

let made: Jump | null = null;

/** Opens it, with everything that there is to find. */
export function openJump(): void {
  made ??= makeJump();
  if (made.dialog.open) return;
  made.field.value = "";
  made.dialog.showModal();
  show(made, itemsFor(""));
}

/** The button that opens it is there only if a script may run. */
export function offerJump(): void {
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest(".jump") !== null) openJump();
  });
}

function makeJump(): Jump {
  const dialog = document.createElement("dialog");
  dialog.className = "jumping";
  dialog.ariaLabel = "Go to or do";
  const field = document.createElement("input");
  field.placeholder = "Find a monitor, a page or an action";
  field.autocomplete = "off";
  field.role = "combobox";
  field.ariaLabel = "Find a monitor, a page or an action";
  field.ariaExpanded = "true";
  field.setAttribute("aria-controls", "jump-list");
  const list = document.createElement("ul");
  list.id = "jump-list";
  list.role = "listbox";
  list.ariaLabel = "Found";
  const none = document.createElement("p");
  none.role = "status";
  dialog.append(field, list, none);
  document.body.append(dialog);
  const jump = { dialog, field, list, none };
  field.addEventListener("input", () => void find(jump));
  field.addEventListener("keydown", (event) => steer(jump, event));
  // A click beside it is on the dialog itself.
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  return jump;
}

const pauseMs = 120;
let asking = new AbortController();

/** What the page knows is there at once; monitors come after a pause. */
async function find(jump: Jump): Promise<void> {
  const text = jump.field.value;
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const known = bestFirst(itemsFor(text), text);
  show(jump, known, text.trim() === "");
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  if (signal.aborted) return;
  const found = await foundFor(text, signal);
  if (!signal.aborted && (found.length > 0 || known.length === 0))
    show(jump, bestFirst([...found, ...known], text));
}

/** Until the service answered, more may be found. */
function show({ dialog, field, list, none }: Jump, items: readonly JumpItem[], isAll = true): void {
  list.replaceChildren(
    ...items.map((item, index) => {
      const option = document.createElement("li");
      option.role = "option";
      option.id = `jump-${index}`;
      const [words, note] = [document.createElement("span"), document.createElement("small")];
      words.textContent = item.words;
      note.textContent = item.note;
      option.append(words, note);
      if (item.keys !== "") option.append(keysOf(item.keys));
      option.addEventListener("click", () => {
        dialog.close();
        item.act();
      });
      return option;
    }),
  );
  list.hidden = items.length === 0;
  field.ariaExpanded = String(items.length > 0);
  none.textContent = items.length === 0 && isAll ? "Nothing is found." : "";
  choose(field, list, 0);
}

/** Keys as they are drawn, one after the other. */
export function keysOf(keys: string): HTMLElement {
  const all = document.createElement("span");
  all.className = "keys";
  for (const key of keys.split(" ")) {
    const one = document.createElement("kbd");
    one.textContent = key;
    all.append(one, " ");
  }
  return all;
}

const chosenIn = (list: HTMLUListElement): number =>
  [...list.children].findIndex((one) => one.ariaSelected === "true");

function choose(field: HTMLInputElement, list: HTMLUListElement, index: number): void {
  for (const [at, one] of [...list.children].entries()) one.ariaSelected = String(at === index);
  const chosen = list.children[index];
  field.setAttribute("aria-activedescendant", chosen?.id ?? "");
  chosen?.scrollIntoView({ block: "nearest" });
}

function steer({ field, list }: Jump, event: KeyboardEvent): void {
  const count = list.children.length;
  if (count === 0 && event.key !== "Enter") return;
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step !== 0) {
    event.preventDefault();
    choose(field, list, (chosenIn(list) + step + count) % count);
  }
  if (event.key !== "Enter") return;
  event.preventDefault();
  const chosen = list.children[chosenIn(list)];
  if (chosen instanceof HTMLElement) chosen.click();
}
