/*
 * The name of a zone after a time, in English: the abbreviation that people there use, or else what its clock is ahead of
 * Greenwich. src/browser/reader-zone.ts has the same rule.
 */

/** A written time with its zone by that name: `CST` in place of `GMT-6`, and `GMT−3`, with a minus, of a zone without one. */
export const withZoneName = (
  text: string,
  timeZone: string,
  instants: readonly (Date | number)[],
): string =>
  text.replaceAll(/GMT[+-][\d:]+/g, (offset) => {
    // Of two times, each may have its own: clocks change.
    const at = instants.find((one) => nameIn("en-GB", timeZone, one) === offset);
    const names = at === undefined ? [] : regions.map((tag) => nameIn(tag, timeZone, at));
    return names.find((name) => !name.startsWith("GMT")) ?? offset.replace("-", "−");
  });

/** Each region's English has the abbreviations of its own zones alone; that of Britain, which pages have, those of Europe. */
const regions = ["en-CA", "en-AU", "en-IN"];

const formats = new Map<string, Intl.DateTimeFormat>();

function nameIn(tag: string, timeZone: string, at: Date | number): string {
  const format = formats.getOrInsertComputed(
    `${tag} ${timeZone}`,
    () => new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: "short" }),
  );
  return format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
}
