/** The header fields of a response, in the order they came, names as they came. One byte of a value is one character. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** The first value of a header; null when it is absent. */
export const firstValue = (headers: HeaderPairs, name: string): string | null =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? null;

/** Each value of a header. */
export const valuesOf = (headers: HeaderPairs, name: string): readonly string[] =>
  headers.flatMap(([key, value]) => (key.toLowerCase() === name ? [value] : []));
