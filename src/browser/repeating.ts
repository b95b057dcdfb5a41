/** A rule that is typed is the rule by which the work repeats: it chooses that by itself. */
export function chooseTypedRule(): void {
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== "recurrence") return;
    const repeat = target.form?.querySelector<HTMLSelectElement>('select[name="repeat"]');
    if (repeat === null || repeat === undefined || target.value.trim() === "") return;
    repeat.value = "rule";
  });
}
