import { cutText } from "#base/text";

/** A written target without what may hold a password. */
export const shownUri = (uri: string): string =>
  cutText(uri.replace(/[?#].*$/s, "").replace(/^.*@/s, ""), charsMax);

const charsMax = 256;
