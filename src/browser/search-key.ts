/** Takes `/` to the search field, unless a person types it into another field. */
export function findBySlash(): void {
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (key !== "/" || ctrlKey || metaKey || altKey) return;
    if (target instanceof Element && target.matches("input, select, textarea")) return;
    const field = document.querySelector('input[type="search"]');
    if (!(field instanceof HTMLInputElement)) return;
    event.preventDefault();
    field.focus();
  });
}
