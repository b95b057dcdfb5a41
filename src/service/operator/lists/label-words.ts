/** A label as pages show it: its key alone, if it has no value. A search names it by `key:value`, also then. */
export const labelWords = (key: string, value: string): string =>
  value === "" ? key : `${key}:${value}`;

/** The same of a label as a search names it. */
export const pairWords = (pair: string): string =>
  pair.indexOf(":") === pair.length - 1 ? pair.slice(0, -1) : pair;
