/**
 * Whether bytes are a text that begins and ends as an SVG picture. It is not read any further: what is in it cannot run,
 * since it is sent with a policy that allows nothing, and shown by `<img>` alone. Entities are refused: a few lines of
 * them become gigabytes in a browser.
 */
export function isSvg(bytes: Buffer): boolean {
  const text = utf8In(bytes);
  if (text === null || /<!ENTITY/i.test(text)) return false;
  const body = withoutComments(text).trim();
  return /^(?:<\?xml[^>]*\?>\s*)?(?:<!DOCTYPE\s[^>]*>\s*)?<svg[\s>][\s\S]*<\/svg>$/.test(body);
}

/** Read once from begin to end, however many comments are begun and not ended. */
function withoutComments(text: string): string {
  const [before = "", ...commented] = text.split("<!--");
  return before + commented.map((one) => one.slice((one + "-->").indexOf("-->") + 3)).join("");
}

/** Null if it is no text. */
function utf8In(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
