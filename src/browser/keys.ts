import { tinykeys } from "tinykeys";
import { keysOf, openJump } from "#browser/jump";
import { currentRow, moveRow } from "#browser/row-cursor";

/*
 * Keys that do what the pages' links and buttons do. None of them is needed, and none acts while a person types, or on a page
 * that is a form; `?` shows them all.
 */

/** Keys and what they do, as the help shows them. */
const known: readonly (readonly [keys: string, words: string])[] = [
  ["Ctrl+K", "Go to a monitor or page, or do something"],
  ["/", "Search on this page"],
  ["j", "Next row"],
  ["k", "Previous row"],
  ["Enter", "Open the row"],
  ["x", "Select the row"],
  ["X", "Select all that are found"],
  ["a", "Acknowledge what is selected; if nothing is, the row or the incident of this page"],
  ["n", "New monitor"],
  ["?", "This help"],
];

/** Those that a page which is a form has, too. */
const formKeys: ReadonlySet<string> = new Set(["Ctrl+K", "?"]);

/** Begins to listen. */
export function listenForKeys(): void {
  const anywhere = (act: () => void) => (event: KeyboardEvent) => {
    if (isTyping(event)) return;
    event.preventDefault();
    act();
  };
  const on = (act: () => void) => (event: KeyboardEvent) => {
    if (!isForm()) anywhere(act)(event);
  };
  const links = [...document.querySelectorAll<HTMLAnchorElement>("#pages a[data-letter]")];
  const toPages = links.map(
    (link) => [`g ${link.dataset["letter"] ?? ""}`, on(() => link.click())] as const,
  );
  const bindings = {
    // Two keys come before one: the second of them may do something else alone.
    ...Object.fromEntries(toPages),
    "$mod+k": (event: KeyboardEvent): void => {
      event.preventDefault();
      openJump();
    },
    "[Shift]+/": on(() =>
      document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus(),
    ),
    "[Shift]+?": anywhere(showHelp),
    j: on(() => moveRow(1)),
    k: on(() => moveRow(-1)),
    x: on(() => currentRow()?.querySelector<HTMLInputElement>("input.pick")?.click()),
    "Shift+x": on(() => document.querySelector<HTMLInputElement>(".pick-all > .pick")?.click()),
    a: on(acknowledge),
    n: on(makeMonitor),
  };
  tinykeys(window, bindings, { ignore: ({ isComposing }) => isComposing });
}

/**
 * Whether a key is text: a dialog has its own keys. In a form that is filled in no letter leads away, also on a button that
 * was just pressed. Those keys that a chart uses itself are none of these.
 */
const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element &&
  target.closest("input:not(.pick), select, textarea, dialog, form.form") !== null;

/** Whether the page shows a form that it is for: whoever types there, beside its fields too, wants no other page. */
const isForm = (): boolean =>
  [...document.querySelectorAll("main form[data-filled-in]")].some((form) =>
    form.checkVisibility(),
  );

/** What is selected is meant, wherever the focus is: one press of the bar's button. Else it is the row or the page. */
function acknowledge(): void {
  const bar = document.forms.namedItem("many");
  if (bar !== null && document.querySelector(".pick:checked") !== null) pressInBar(bar, "", "");
  else acknowledgeHere();
}

/** A line of a group has the button of the group. One without any does nothing: that of the page is for all that it lists. */
function acknowledgeHere(): void {
  const row = currentRow();
  const acted = row?.closest('li.group, section[aria-labelledby="alike"]') ?? row;
  const button = 'form[action$="/acknowledge"] button';
  const found =
    acted === null
      ? document.querySelector<HTMLElement>(`:is(.acts, .trouble) ${button}`)
      : acted.querySelector<HTMLElement>(button);
  if (found === null) acknowledgeRow(row);
  else found.click();
}

/** Monitors of the overview have no button each: one of their bar is pressed for this row alone. */
function acknowledgeRow(row: HTMLElement | null): void {
  const [box, bar] = [
    row?.querySelector<HTMLInputElement>(".pick"),
    document.forms.namedItem("many"),
  ];
  if (box && bar !== null) pressInBar(bar, box.name.replace("monitor", "row"), box.value);
}

/** That of the bar itself is off while nothing selected has an incident to acknowledge: the answer of this one says so. */
function pressInBar(bar: HTMLFormElement, name: string, value: string): void {
  const button = document.createElement("button");
  button.name = name;
  button.value = value;
  button.formAction = "/monitors/many/acknowledge";
  button.hidden = true;
  button.textContent = "Acknowledge";
  bar.append(button);
  button.click();
}

function makeMonitor(): void {
  if (document.querySelector("#pages[data-makes]") !== null) location.assign("/monitors/new");
}

let help: HTMLDialogElement | null = null;

function showHelp(): void {
  help?.remove();
  help = makeHelp(isForm());
  help.showModal();
}

function makeHelp(isOfForm: boolean): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  dialog.className = "key-help";
  const title = document.createElement("h2");
  title.id = "key-help";
  title.textContent = "Keys";
  dialog.setAttribute("aria-labelledby", title.id);
  const list = document.createElement("dl");
  const pages = [...document.querySelectorAll<HTMLAnchorElement>("#pages a[data-letter]")].map(
    (link) => [`g ${link.dataset["letter"] ?? ""}`, link.textContent.trim()] as const,
  );
  const all = [...known, ...pages].filter(([keys]) => !isOfForm || formKeys.has(keys));
  for (const [keys, words] of all) {
    const [key, says] = [document.createElement("dt"), document.createElement("dd")];
    key.append(keysOf(keys));
    says.textContent = words;
    list.append(key, says);
  }
  const close = document.createElement("button");
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.append(title, list, close);
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.body.append(dialog);
  return dialog;
}
