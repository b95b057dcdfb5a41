/** A label as pages show it: its key alone, if it has no value. A search names it by `key:value`, also then. */
export const labelWords = (key: string, value: string): string =>
  value === "" ? key : `${key}:${value}`;
