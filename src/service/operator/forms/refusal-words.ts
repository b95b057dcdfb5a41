import type { Control } from "#check/form-field";

/** What a refusal says first, everywhere: of a form that saves what was typed, and of one that does something. */
const refusedWords = (isAct: boolean): string =>
  isAct ? "This was not done." : "Nothing was saved.";

/** The same above a list of what is wrong: `Nothing was saved. 2 things need another look:`, if a field can be looked at. */
export function mistakesHead(
  count: number,
  { isAct, isAtField }: { readonly isAct: boolean; readonly isAtField: boolean },
): string {
  if (!isAtField) return refusedWords(isAct);
  const things = count === 1 ? "One thing needs" : `${count} things need`;
  return `${refusedWords(isAct)} ${things} another look:`;
}

/** Whether a field's label names several things, e.g. “Monitors”: a refusal of it has the verb of many. */
export const isOfMany = ({ is }: Control): boolean =>
  is === "several" || is === "rows" || is === "pairs";

/** What follows the label of a list: “Labels have …” instead of “Labels has …”. */
export const saidOfMany = (message: string): string =>
  message.replace(/^(?:is|has|was|needs|holds)\b/, (verb) => verbsOfMany.get(verb) ?? verb);

const verbsOfMany: ReadonlyMap<string, string> = new Map([
  ["is", "are"],
  ["has", "have"],
  ["was", "were"],
  ["needs", "need"],
  ["holds", "hold"],
]);

/** Whether a refusal is a sentence without its label: it says what to type, or begins with what was typed. */
const isWhole = (message: string): boolean => /^(?:"|Enter an? |This code )/.test(message);

/** Whether it only says that a text is empty: it no longer holds once something is typed. */
export const isLack = (message: string): boolean => /^Enter an? /.test(message);

/** A refusal after the label of its field, as one sentence without its end. */
export function afterLabel(label: string, message: string, isMany = false): string {
  if (message.startsWith("Enter ")) {
    const [row] = /^.*(?=: [^:]+$)/.exec(label) ?? [];
    return row === undefined ? message : `${row}: ${message.replace("Enter", "enter")}`;
  }
  if (message.startsWith("This code ")) return message;
  return `${label} ${isMany ? saidOfMany(message) : message}`;
}

/** A refusal as the sentence below its field. */
export function belowField(message: string, isMany = false): string {
  if (isWhole(message)) return `${message}.`;
  return isMany ? `They ${saidOfMany(message)}.` : `It ${message}.`;
}
