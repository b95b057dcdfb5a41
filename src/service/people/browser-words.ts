/** A browser in words that its owner knows again, e.g. `Firefox on Linux`, by what it says of itself. */
export function browserWords(userAgent: string): string {
  const [, program] = programs.find(([mark]) => userAgent.includes(mark)) ?? [];
  const [, system] = systems.find(([mark]) => userAgent.includes(mark)) ?? [];
  if (program === undefined && system === undefined) return "a program";
  if (system === undefined) return program ?? "a program";
  return `${program ?? "A browser"} on ${system}`;
}

/** The first that is found: most browsers name others in addition to themselves. */
const programs: readonly (readonly [mark: string, words: string])[] = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["HeadlessChrome/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
];
const systems: typeof programs = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
];
