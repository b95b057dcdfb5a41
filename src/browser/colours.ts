/*
 * A colour is typed, or picked by the browser's own picker, which also shows it. Without this script the picker only
 * shows what is saved.
 */

const pickers = "[data-picks] > input[type=color]";

function enable(): void {
  for (const one of document.querySelectorAll<HTMLInputElement>(pickers)) one.disabled = false;
}

/** What is left empty is as the chosen theme has it. */
function followTheme(): void {
  for (const { dataset } of document.querySelectorAll<HTMLElement>("[data-theme-colour]")) {
    const { themeColour = "", value = "" } = dataset;
    const [typed, picker] = document.querySelectorAll<HTMLInputElement>(
      `[data-picks]:has([name="${CSS.escape(themeColour)}"]) > input`,
    );
    if (typed === undefined || picker === undefined) continue;
    typed.placeholder = value;
    if (typed.value.trim() === "" && isHex(value)) picker.value = value;
  }
}

const isHex = (value: string): boolean => /^#[\da-f]{6}$/i.test(value);

/** Begins to. */
export function pickColours(): void {
  enable();
  document.addEventListener("previewed", followTheme);
  document.addEventListener("renewed", enable);
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    for (const one of target.parentElement?.querySelectorAll("input") ?? []) {
      if (target.parentElement?.dataset["picks"] === undefined || one === target) continue;
      const value = target.value.trim() || target.placeholder;
      if (target.type === "color" || isHex(value)) one.value = value;
    }
  });
}
