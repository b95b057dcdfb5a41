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
    const key = (typed.get(field) ?? "").trim();
    const value = (typed.get(`labels[${index}].value`) ?? "").trim();
    return !key.includes(":") || known.has(key) ? [] : [{ field, message: colonWords(key, value) }];
  });
}

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
