/** What was said of a trial before. */
let before: readonly Node[] = [];

/** An attempt that did not reach the service is none. */
export function sayUntried(form: HTMLFormElement): void {
  form.querySelector("#tried")?.replaceChildren(...before);
}

/**
 * While a monitor is tried, the form says so. The location is ticked at once, for it is to run there, too; the answer says
 * whether it was tried.
 */
export function sayTrying(): void {
  document.addEventListener("submit", ({ target, submitter }) => {
    if (!(target instanceof HTMLFormElement) || !(submitter instanceof HTMLButtonElement)) return;
    if (submitter.name !== "try") return;
    const place = target.querySelector<HTMLSelectElement>('[name="at"]');
    for (const box of target.querySelectorAll<HTMLInputElement>('[name="locations"]:enabled'))
      if (box.value === place?.value) box.checked = true;
    const said = target.querySelector<HTMLElement>("#tried");
    const words = place?.selectedOptions[0]?.textContent.trim() ?? "";
    if (said !== null) before = [...said.childNodes];
    said?.replaceChildren(`${said.dataset["busy"] ?? ""} ${words} …`);
  });
}
