/* JSON that another program wrote, or that lay in a file: what cannot be read is nothing, and no fault of ours. */

/** Null for a text that is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The fields of a JSON object; none for any other text. */
export function jsonFields(text: string): Mapping {
  const value = parsedJson(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

export type Mapping = Readonly<Record<string, unknown>>;

/** A list is none. */
export const isMapping = (value: unknown): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value);
