/** When a day begins in UTC, of `2026-11-03`; null for what is no day. The thirtieth of February is read as one of March. */
export function dayIn(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(text) ? null : at;
}
