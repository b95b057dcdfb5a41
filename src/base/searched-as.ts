/** A text as people search for it: `muller` finds `Müller`. Most texts have nothing to fold. */
export const searchedAs = (text: string): string =>
  (beyondAscii.test(text) ? text.normalize("NFD").replaceAll(/\p{M}/gu, "") : text).toLowerCase();

// eslint-disable-next-line no-control-regex -- these are the characters that may have marks.
const beyondAscii = /[^\x00-\x7f]/;
