import type { FormNotice } from "#service/operator/form-notice";
import { colourWords, fieldName } from "#service/operator/publishing/look-fields";
import { faintPairs, type FaintPair } from "#service/status-site/view/faint-colours";
import type { PageDefinition } from "#service/status-page/page-definition";

type Looks = Pick<PageDefinition, "theme" | "configuration" | "customTheme">;

/** The field of the colour, but that of what is behind it if that alone was typed. */
export function fieldOfPair({ scheme, colour, ground }: FaintPair, typed: URLSearchParams): string {
  const [own, behind] = [fieldName(scheme, colour), fieldName(scheme, ground)];
  const isTyped = (field: string): boolean => (typed.get(field) ?? "").trim() !== "";
  return !isTyped(own) && isTyped(behind) ? behind : own;
}

/** What is said at that field. */
export function faintNote({ scheme, colour, ground, ratio }: FaintPair, field: string): string {
  const isBehind = field === fieldName(scheme, ground);
  const pair = isBehind
    ? `${wordsOf(colour)} is hard to read on it`
    : `Hard to read on ${wordsOf(ground).toLowerCase()}`;
  return `${pair}: ${(Math.floor(ratio * 10) / 10).toFixed(1)} to 1.`;
}

/** What is hard to read, by the fields that it is about. */
export function faintNotes(page: Looks, typed: URLSearchParams): Readonly<Record<string, string>> {
  const fields = Map.groupBy(faintPairs(page), (pair) => fieldOfPair(pair, typed));
  return Object.fromEntries(
    [...fields].map(([field, pairs]) => [
      field,
      pairs.map((pair) => faintNote(pair, field)).join(" "),
    ]),
  );
}

/** After a look was saved; null if all of it is easy to read. */
export function faintNotice(page: Looks): FormNotice | null {
  const pairs = faintPairs(page).map(
    ({ scheme, colour, ground }) =>
      `${wordsOf(colour).toLowerCase()} on ${wordsOf(ground).toLowerCase()} in ${scheme}`,
  );
  const [first] = pairs;
  if (first === undefined) return null;
  const more = pairs.length === 1 ? "" : ` and ${pairs.length - 1} more`;
  const words = `Saved, but hard to read: ${first}${more}. Choose colours that differ more.`;
  return { words, isFault: false, isDoubtful: true };
}

const wordsOf = (variable: string): string => colourWords.get(variable) ?? variable;
