/** Has buttons copy the text that they name. The style shows them to those alone who have a script. */
export function offerCopies(): void {
  document.documentElement.classList.add("scripted");
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("[data-copies]") : null;
    const copied = document.getElementById(button?.getAttribute("data-copies") ?? "");
    if (button !== null && copied !== null) void copy(copied, button);
  });
}

async function copy(copied: HTMLElement, button: Element): Promise<void> {
  if (copied instanceof HTMLInputElement) copied.select();
  else getSelection()?.selectAllChildren(copied);
  try {
    await navigator.clipboard.writeText(
      // The text of a list as it is seen: each entry is a line.
      copied instanceof HTMLInputElement ? copied.value : copied.innerText,
    );
    button.textContent = "Copied";
    getSelection()?.removeAllRanges();
  } catch {
    // Over plain http a browser lets no page copy: the text is selected.
    button.textContent = "Selected: press Ctrl+C";
  }
}
