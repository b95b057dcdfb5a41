/* What the form of planned work does as it is typed. */

/** Whoever chooses that the work repeats by a rule gets its field. */
export function leadToRule(): void {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || target.name !== "repeat") return;
    const rule = target.form?.querySelector<HTMLInputElement>('input[name="recurrence"]');
    if (target.value !== "rule" || rule === null || rule === undefined) return;
    rule.focus();
  });
}

/** Work that begins at another time ends as much later as it did, or an hour later if it had no end that could be. */
export function keepLength(): void {
  let length = 0;
  const wallOf = (field: HTMLInputElement): number => Date.parse(`${field.value}Z`);
  for (const type of ["focusin", "change"])
    document.addEventListener(type, ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.name !== "from") return;
      const end = target.form?.querySelector<HTMLInputElement>('input[name="to"]');
      const begin = wallOf(target);
      if (end === null || end === undefined || Number.isNaN(begin)) return;
      if (type === "change") end.value = new Date(begin + length).toISOString().slice(0, 16);
      length = wallOf(end) - begin;
      if (!(length > 0)) length = 3_600_000;
    });
}
