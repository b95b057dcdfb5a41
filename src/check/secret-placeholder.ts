/**
 * `{{secret:NAME}}` in a text of a monitor stands for a secret of the location, which only its agent knows. With `!` it is
 * meant as it stands: `{{!secret:NAME}}` is sent as `{{secret:NAME}}`.
 */
const pattern = /\{\{(!?)secret:([^{}]*)\}\}/g;

const namePattern = /^[A-Za-z0-9._-]+$/;

/** Whether a text has anything to fill in. */
export const holdsReference = (text: string): boolean =>
  text.includes("secret:") && /\{\{!?secret:/.test(text);

/** The names of the secrets that a text refers to, once each. */
export const secretNamesIn = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(pattern)].flatMap(([, escape, name = ""]) => (escape === "" ? [name] : [])),
  ),
];

/** Why a reference of a text is none; null if all of them can be read. */
export function referenceMistake(text: string): string | null {
  const left = text.replaceAll(pattern, (whole, escape: string, name: string) =>
    escape === "!" || namePattern.test(name) ? "" : whole,
  );
  return /\{\{secret:/.test(left)
    ? "names a secret in a way that cannot be read: write {{secret:NAME}}, with letters, digits, dots, - and _ in the name"
    : null;
}

/** The text with each secret in place of its reference. What is put in is not looked at again. */
export const filledText = (text: string, valueOf: (name: string) => string): string =>
  text.replaceAll(pattern, (_, escape: string, name: string) =>
    escape === "!" ? `{{secret:${name}}}` : valueOf(name),
  );
