/** What a folded group says of its values is what was served: once they change, it says that. */
export function sayChanges(): void {
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof Element)) return;
    const summed = target.closest("details.group")?.querySelector(".summed");
    if (summed instanceof HTMLElement) summed.textContent = "Changed";
  });
}
