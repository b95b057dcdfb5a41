/** A rule that is typed is the rule by which the work repeats: it chooses that by itself. Whoever chooses that gets its field. */
export function chooseTypedRule(): void {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || target.name !== "repeat") return;
    const rule = target.form?.querySelector<HTMLInputElement>('input[name="recurrence"]');
    if (target.value !== "rule" || rule === null || rule === undefined) return;
    rule.focus();
  });
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== "recurrence") return;
    const repeat = target.form?.querySelector<HTMLSelectElement>('select[name="repeat"]');
    if (repeat === null || repeat === undefined || target.value.trim() === "") return;
    repeat.value = "rule";
  });
}
