/*
 * Lets people order the components and groups of a status page by dragging. Without this script buttons of each do that:
 * what is dropped on another part takes its position, or goes into that group, by the same form.
 */

let dragged: Element | null = null;
let over: Element | null = null;

const partOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest("[data-part]") : null;

document.addEventListener("dragstart", (event) => {
  const isDragged = event.target instanceof Element && event.target.matches("[data-part]");
  dragged = isDragged ? partOf(event.target) : null;
  if (dragged !== null) event.dataTransfer?.setData("text/plain", "part");
});
document.addEventListener("dragend", () => {
  dragged = null;
  show(null);
});
document.addEventListener("dragover", (event) => {
  const part = placeFor(dragged, event.target);
  show(part);
  if (part !== null) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const part = placeFor(dragged, event.target);
  const form = dragged?.querySelector('form[action$="/move"]');
  if (part === null || !(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  const to = document.createElement("input");
  Object.assign(to, { type: "hidden", name: "to", value: part.getAttribute("data-part") ?? "" });
  form.append(to);
  form.submit();
});

/** The part that a dragged one can be dropped on; a group not on its own. */
function placeFor(one: Element | null, target: EventTarget | null): Element | null {
  const part = partOf(target);
  if (one === null || part === null || part === one) return null;
  return one.matches(".group-head") && one.parentElement?.contains(part) === true ? null : part;
}

/** Marks where it would be dropped. */
function show(part: Element | null): void {
  if (part === over) return;
  over?.removeAttribute("data-over");
  part?.setAttribute("data-over", "");
  over = part;
}
