/** What a cell says; null is an empty one. */
type Cell = string | number | null;

/** Lines of RFC 4180. A spreadsheet runs what begins with =, +, - or @: a text that does has a mark before it. */
export const csvText = (lines: readonly (readonly Cell[])[]): string =>
  lines.map((line) => `${line.map(cellText).join(",")}\r\n`).join("");

function cellText(value: Cell): string {
  const text = value === null ? "" : String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
