/**
 * What the pages do by themselves where a script may run: they show what is new without a reload, and `/` takes one to
 * the text field. Without it everything works. Nothing is replaced while a person types, has something open, or has
 * left a field otherwise than it was served.
 */
export const liveScript = `"use strict";
const fields = "main :is(input, select, textarea, [contenteditable])";
const edited = new WeakSet();
document.addEventListener("input", ({ target }) => edited.add(target));
const changed = (field) => {
  if (field.matches("select")) return changedChoice(field);
  if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked;
  return "defaultValue" in field ? field.value !== field.defaultValue : edited.has(field);
};
const changedChoice = ({ multiple, options, selectedIndex }) => {
  const all = [...options];
  if (multiple) return all.some((one) => one.selected !== one.defaultSelected);
  return selectedIndex !== Math.max(0, all.findLastIndex((one) => one.defaultSelected));
};
const busy = () =>
  document.hidden ||
  document.querySelector("main details[open]") !== null ||
  document.activeElement?.matches(fields) ||
  [...document.querySelectorAll(fields)].some(changed) ||
  String(getSelection()) !== "";
const renew = async () => {
  if (busy()) return;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" }, redirect: "error" });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (busy()) return;
    const focused = document.activeElement?.getAttribute("href");
    for (const part of ["main", ".asof"])
      document.querySelector(part).replaceWith(fresh.querySelector(part));
    document.title = fresh.title;
    if (focused) document.querySelector('a[href="' + CSS.escape(focused) + '"]')?.focus({ preventScroll: true });
  } catch {}
};
const again = () => renew().finally(() => setTimeout(again, 10000));
if (!location.search.includes("notice=")) setTimeout(again, 10000);
document.addEventListener("visibilitychange", renew);
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, select, textarea")) return;
  const field = document.querySelector('input[type="search"]');
  if (field === null) return;
  event.preventDefault();
  field.focus();
});
`;
