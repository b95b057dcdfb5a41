/** How many columns of a terminal a text takes: none for a combining mark, two for a wide character. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

/** The text in exactly `columns` columns: filled up with spaces, or cut with an ellipsis. */
export function fitText(text: string, columns: number): string {
  const width = columnsOf(text);
  return width <= columns ? text + " ".repeat(columns - width) : cutColumns(text, columns);
}

/** The text in at most `columns` columns; what is cut off is shown by an ellipsis. */
export function cutColumns(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  if (columns <= 0) return "";
  let kept = "";
  let width = 0;
  for (const character of text) {
    width += columnsOfCharacter(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return kept + "…" + " ".repeat(Math.max(0, columns - 1 - columnsOf(kept)));
}

const combining = /^[\p{Mn}\p{Me}]$/u;
/** The wide and full-width ranges of Unicode's East Asian Width, and the emoji that terminals draw wide. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

const columnsOfCharacter = (character: string): number =>
  combining.test(character) ? 0 : wide.test(character) ? 2 : 1;
