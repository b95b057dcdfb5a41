import * as limits from "#limits/alerts-limits";
import { cutText, showText } from "#base/text";

/**
 * A foreign text on one line, harmless and cut to a length that leaves room for the rest. Each provider
 * escapes it in its way afterwards.
 */
export const plainText = (text: string, charsMax: number = limits.notifiedValueCharsMax): string =>
  cutText(
    showText(
      text
        .slice(0, charsMax * 2)
        .replace(/\s+/g, " ")
        .trim(),
    ),
    charsMax,
  );

/** The same, cut between two words if it is too long: an address that is cut says more than none. */
export function plainWords(text: string, charsMax: number): string {
  const cut = plainText(text, charsMax);
  if (!cut.endsWith("…") || plainText(text, charsMax + 1) === cut) return cut;
  return cut.replace(/\s+\S{0,24}…$/, "…");
}

/** The same, with its line breaks. */
export const plainLines = (text: string, charsMax: number): string =>
  cutText(
    text
      .slice(0, charsMax * 2)
      .split(/\r\n|\r|\n/)
      .map((line) => showText(line.replaceAll("\t", " ")))
      .join("\n")
      .trim(),
    charsMax,
  );
