/*
 * A colour is typed, or picked by the browser's own picker, which also shows it. Without this script the picker only
 * shows what is saved.
 */

const pickers = "[data-picks] > input[type=color]";

function enable(): void {
  for (const one of document.querySelectorAll<HTMLInputElement>(pickers)) one.disabled = false;
}

enable();
document.addEventListener("renewed", enable);
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  for (const one of target.parentElement?.querySelectorAll("input") ?? []) {
    if (target.parentElement?.dataset["picks"] === undefined || one === target) continue;
    const value = target.value.trim() || target.placeholder;
    if (target.type === "color" || /^#[\da-f]{6}$/i.test(value)) one.value = value;
  }
});
