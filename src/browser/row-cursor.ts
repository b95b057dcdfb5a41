/** What lists have rows of: monitors, causes, incidents, and lines of tables. */
const rows =
  "main :is(.line, .cause, .incident, .one-line li, .figures tbody tr, .settled tbody tr)";
/** What of a row has the focus: the link to what it is, or what opens it. */
const leads = ":is(h3 a, summary, .one-line a, th a, td a)";

const shownRows = (): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(rows)].filter(
    (row) => row.checkVisibility() && row.querySelector(leads) !== null,
  );

/** The row that has the focus; null if none has. */
export const currentRow = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>(rows) ?? null;

/** Takes the focus to the next row, or the one before; from elsewhere to the first. */
export function moveRow(step: 1 | -1): void {
  const all = shownRows();
  const now = currentRow();
  const at = now === null ? -1 : all.indexOf(now);
  const next = all[at === -1 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)];
  next?.querySelector<HTMLElement>(leads)?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
