/**
 * The words of the contract's enums. Both halves of the contract number them alike, from 1 in the order of the
 * vocabulary's lists; 0 is UNSPECIFIED.
 */

/** A number that has no word is shown as itself, to be refused with its field's name. */
export const wordOf = (words: readonly string[], number: number, noun: string): string =>
  words[number - 1] ?? (number === 0 ? "unspecified" : `${noun} ${number}`);

/** 0 for a word that has no number. */
export const numberOf = (words: readonly string[], word: string): number => words.indexOf(word) + 1;

/** The methods as the contract numbers them. A monitor may not have every one of them. */
export const methodWords: readonly string[] = [
  "GET",
  "POST",
  "HEAD",
  "PUT",
  "PATCH",
  "DELETE",
  "TRACE",
  "CONNECT",
  "OPTIONS",
];

/** The last one is no request's: picket up runs its own monitors so. */
const periodicityNumbers: Readonly<Record<string, number>> = {
  "30s": 1,
  "1m": 2,
  "5m": 3,
  "10m": 4,
  "30m": 5,
  "1h": 6,
  "10s": 100,
};
export const periodicityNumber = (word: string): number => periodicityNumbers[word] ?? 0;
export const periodicityWord = (number: number): string =>
  Object.keys(periodicityNumbers).find((word) => periodicityNumbers[word] === number) ??
  (number === 0 ? "" : `period ${number}`);
