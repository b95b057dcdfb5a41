/** The zone whose times a person sees: the one that they chose in their profile, else that of the browser. */
export const readerZone: string =
  document.documentElement.dataset["zone"] ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A time in English, written in that zone, with the zone by its abbreviation or a minus: as src/web/page/zone-name.ts has it. */
export const withZoneName = (text: string, ...instants: readonly (Date | number)[]): string =>
  text.replaceAll(/GMT[+-][\d:]+/g, (offset) => {
    const at = instants.find((one) => british(one) === offset);
    const names = at === undefined ? [] : regions.map((name) => name(at));
    return names.find((name) => !name.startsWith("GMT")) ?? offset.replace("-", "−");
  });

const namesIn = (tag: string): ((at: Date | number) => string) => {
  const format = new Intl.DateTimeFormat(tag, { timeZone: readerZone, timeZoneName: "short" });
  return (at) => format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
};
const british = namesIn("en-GB");
const regions = ["en-CA", "en-AU", "en-IN"].map(namesIn);
