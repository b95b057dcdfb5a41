import type { Arguments } from "#check/argument";

/** Values by the names of a file's arguments, without those that are as they would be if nothing was said. */
export const unusualValues = (
  values: Readonly<Record<string, unknown>>,
  table: Arguments,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const usual = table[name]?.fallback;
      return value !== null && comparable(value) !== comparable(usual);
    }),
  );

/** An empty list and an empty mapping say nothing, as an empty text does. */
const comparable = (value: unknown): string => {
  const text = JSON.stringify(value ?? "");
  return text === "[]" || text === "{}" ? '""' : text;
};
