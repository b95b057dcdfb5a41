/** Fields of the page's content, which a person may leave otherwise than they were served. */
const fields = "main :is(input, select, textarea, [contenteditable])";

/** Forms that a script began with what only the browser knows, e.g. its time zone. */
const filled = "main form[data-filled]";

/** What has no value of its own to compare, and got text: parts that are edited as they are. */
const typedInto = new WeakSet<EventTarget>();

/** Begins to watch where a person types. */
export function watchEdits(): void {
  document.addEventListener("input", ({ target }) => {
    if (target !== null) typedInto.add(target);
  });
}

/**
 * What a renewal leaves alone because a person works in it: the whole form of each field that differs from what was
 * served or has the cursor, such a field if it is in no form, and the form elsewhere that it is sent with. A form that a
 * script filled stays as well, also if a person has not touched it.
 */
export function editedParts(): ReadonlySet<Element> {
  const edited = [...document.querySelectorAll(fields)].filter(
    (field) => field === document.activeElement || isEdited(field),
  );
  const forms = edited.flatMap((field) => [field.closest("form") ?? field, ...formOf(field)]);
  return new Set([...forms, ...document.querySelectorAll(filled)]);
}

/** A box of a list is sent with the form of the bar below. */
const formOf = (field: Element): readonly Element[] =>
  field instanceof HTMLInputElement && field.form !== null ? [field.form] : [];

function isEdited(field: Element): boolean {
  if (field instanceof HTMLSelectElement) return isOtherChoice(field);
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  if (!(field instanceof HTMLInputElement)) return typedInto.has(field);
  if (field.type === "checkbox" || field.type === "radio")
    return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

/** Without a choice that was served, a list of one choice begins with its first. */
function isOtherChoice({ multiple, options, selectedIndex }: HTMLSelectElement): boolean {
  const all = [...options];
  if (multiple) return all.some((one) => one.selected !== one.defaultSelected);
  return (
    selectedIndex !==
    Math.max(
      0,
      all.findLastIndex((one) => one.defaultSelected),
    )
  );
}
