/*
 * Lets people order the components of a status page by dragging. Without this script two buttons of each do that; what is
 * dropped on another takes its position by the same form.
 */

let dragged: Element | null = null;

const rowOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest("[data-component]") : null;

document.addEventListener("dragstart", (event) => {
  dragged = rowOf(event.target);
  if (dragged !== null) event.dataTransfer?.setData("text/plain", "component");
});
document.addEventListener("dragend", () => (dragged = null));
document.addEventListener("dragover", (event) => {
  if (isPlaceFor(dragged, rowOf(event.target))) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const row = rowOf(event.target);
  if (dragged === null || row === null || !isPlaceFor(dragged, row)) return;
  event.preventDefault();
  const form = dragged.querySelector('form[action$="/move"]');
  if (!(form instanceof HTMLFormElement)) return;
  const to = document.createElement("input");
  Object.assign(to, {
    type: "hidden",
    name: "to",
    value: row.getAttribute("data-component") ?? "",
  });
  form.append(to);
  form.submit();
});

/** Components stay in their group. */
const isPlaceFor = (one: Element | null, row: Element | null): boolean =>
  one !== null &&
  row !== null &&
  one !== row &&
  one.getAttribute("data-group") === row.getAttribute("data-group");
