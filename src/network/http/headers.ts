/** The header fields of a response, in the order they came, names as they came. One byte of a value is one character. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** Whether a field has this name, which is in lower case. Few have its length, and only those are spelled alike. */
const isNamed = (field: string, name: string): boolean =>
  field.length === name.length && field.toLowerCase() === name;

/** The fields of this name. */
export const fieldsOf = (headers: HeaderPairs, name: string): HeaderPairs =>
  headers.filter(([key]) => isNamed(key, name));

/** The first value of a header; null when it is absent. */
export const firstValue = (headers: HeaderPairs, name: string): string | null =>
  headers.find(([key]) => isNamed(key, name))?.[1] ?? null;

/** Each value of a header. */
export function valuesOf(headers: HeaderPairs, name: string): readonly string[] {
  const values: string[] = [];
  for (const [key, value] of headers) if (isNamed(key, name)) values.push(value);
  return values;
}
