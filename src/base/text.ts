/** Text from the network, cut to a length; what is cut off is shown by an ellipsis. */
export function cutText(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).toWellFormed()}…`;
}

/** A name that was given elsewhere, made harmless for every output and cut to a length. */
export const shownName = (name: string, charsMax: number): string =>
  cutText(showText(cutText(name, charsMax)), charsMax);

/**
 * Text of unknown origin as a terminal may show it: control characters, and the characters that turn the direction of
 * writing or break a line, are written out, so that a name cannot move the cursor, forge a line or hide another.
 */
export const showText = (text: string): string =>
  text.toWellFormed().replace(unsafe, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    return code < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
  });

/** Whether a person sees anything of a name: marks need a letter, and some letters are blank. */
export const isSeen = (name: string): boolean =>
  nameAsRead(name).replaceAll(/[\p{M}\p{Z}\p{C}\u2800]/gu, "") !== "";

/** C0, C1, DEL; line and paragraph separators; the bidirectional controls; invisible joiners and the byte order mark. */
const unsafe =
  // eslint-disable-next-line no-control-regex -- these are the characters looked for.
  /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Why a text cannot be a name, which is one line of text; null if it can. */
export function lineFault(text: string): string | null {
  const [control] = controls.exec(text) ?? [];
  return control === undefined
    ? null
    : `must be one line of text without control characters, but has ${showText(control)}`;
}

/** Two names that read alike have the same: case, width, gaps and characters that no one sees make no difference. */
export const nameAsRead = (name: string): string =>
  name
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toUpperCase();

/** Whether a text has each of these words, in any order. */
export const hasWords = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.includes(word));

/** C0, C1, DEL; line and paragraph separators. */
// eslint-disable-next-line no-control-regex -- these are the characters looked for.
const controls = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;

/** Text of several lines as it is kept: browsers end each line of a form with CRLF, and files may, too. */
export const unixLines = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

/** What something says that was thrown; a library may throw what is no error. */
export const thrownText = (thrown: unknown): string =>
  Error.isError(thrown) ? thrown.message : String(thrown);

/** What is no percent-encoding stays as it is: a stray % in a password is itself. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The same as the beginning of a sentence. A name keeps its own letters: `eth0 has no carrier`. */
export const capital = (text: string): string =>
  text.replace(/^[a-z]+(?![\w.-]|:\S)/, (word) => word.charAt(0).toUpperCase() + word.slice(1));

/** `1 result`, `2 results`; `shown` is how the number is written. */
export const counted = (count: number, noun: string, shown: string = String(count)): string =>
  `${shown} ${noun}${count === 1 ? "" : "s"}`;
