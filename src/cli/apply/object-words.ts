import { type Kind, kinds } from "#check/monitor";

/** What files describe, as a person names it: each kind of monitor, and the rest. */
export type ObjectWord = Kind | "location" | "notification" | "page" | "maintenance";
export const objectWords: readonly ObjectWord[] = [
  ...kinds,
  "location",
  "notification",
  "page",
  "maintenance",
];

/** The service's own word for the same. */
export const serviceWordOf = (word: ObjectWord): string => ownWords.get(word) ?? `${word}_monitor`;

const ownWords: ReadonlyMap<ObjectWord, string> = new Map([
  ["location", "private_location"],
  ["notification", "notification"],
  ["page", "status_page"],
  ["maintenance", "maintenance"],
]);
