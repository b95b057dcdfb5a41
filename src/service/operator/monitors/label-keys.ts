import type { Mistake } from "#check/findings";
import { isMapping, type Mapping } from "#base/json";
import { rowCount } from "#service/operator/forms/form-rows";

/**
 * Labels are typed and shown as `key:value`, so a key with a colon reads as a shorter key. One that a program has
 * given stays. Each refusal is at the key, and says what would be taken.
 */
export function keyMistakes(typed: URLSearchParams, saved: Mapping): readonly Mistake[] {
  const labels = saved["labels"];
  const known = new Set(isMapping(labels) ? Object.keys(labels) : []);
  return Array.from({ length: rowCount(typed, "labels") }).flatMap((_, index) => {
    const field = `labels[${index}].key`;
    const [key, value] = [cellIn(typed, index, "key"), cellIn(typed, index, "value")];
    return !key.includes(":") || known.has(key) ? [] : [{ field, message: colonWords(key, value) }];
  });
}

/** The labels as they are typed; a row without a key is none. */
export const labelsIn = (typed: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: rowCount(typed, "labels") }, (_, index) => index)
      .map((index) => [cellIn(typed, index, "key"), cellIn(typed, index, "value")] as const)
      .filter(([key]) => key !== ""),
  );

const cellIn = (typed: URLSearchParams, index: number, column: "key" | "value"): string =>
  (typed.get(`labels[${index}].${column}`) ?? "").trim();

/** What follows “It” or the label of the key. */
export function colonWords(key: string, value: string): string {
  const parts = key.split(":").map((part) => part.trim());
  const [first = "", ...rest] = parts.filter((part) => part !== "");
  const may = "may have no colon, because labels are written as key:value";
  if (first === "") return `${may}: type a word, for example team`;
  return value === "" && rest.length > 0
    ? `${may}: type ${first} as the key and ${rest.join("-")} as the value`
    : `${may}: type ${[first, ...rest].join("-")}, for example`;
}
