import { isMapping } from "#base/json";

/** The text of each key of a mapping that a form wrote. */
export const stringRecord = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(isMapping(value) ? value : {}).map(([key, one]) => [key, String(one)]),
  );
