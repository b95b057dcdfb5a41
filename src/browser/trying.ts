/** A location where a monitor is tried is ticked at once: it is to run there, too. The answer says whether it was tried. */
export function tickTried(): void {
  document.addEventListener("submit", ({ target, submitter }) => {
    if (!(target instanceof HTMLFormElement) || !(submitter instanceof HTMLButtonElement)) return;
    if (submitter.name !== "try") return;
    const place = new FormData(target).get("at");
    for (const box of target.querySelectorAll<HTMLInputElement>('[name="locations"]'))
      if (box.value === place) box.checked = true;
  });
}
