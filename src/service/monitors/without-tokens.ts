import { isCredentialHeader } from "#check/credential-header";
import { removed, withoutQueries } from "#check/shown-header";

/**
 * A text of a server without what is a credential by its form: a token of RFC 7519, the query and fragment of a URL, and the
 * value of what is named like a credential, in JSON, in settings, in a form and in the tags of a page.
 */
export const withoutTokens = (text: string): string =>
  withoutNamedValues(
    text
      .replaceAll(/\beyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*)?/g, removed)
      .replaceAll(/\bhttps?:\/\/[^\s"'<>]+/gi, withoutQueries)
      .replaceAll(namedTag, (whole, before: string, name: string, between: string) =>
        isCredentialHeader(name) ? `${before}${name}${between}${removed}` : whole,
      ),
  );

/** `<input name="csrf_token" value="…">` and `<meta name="csrf-token" content="…">`. */
const namedTag =
  /(\bname\s?=\s?["']?)([\w.-]{1,64})(["']?[^<>]{0,100}?\b(?:value|content)\s?=\s?["']?)[^"'<>\s]+/gi;

const quote = String.raw`(?:\\?["']|&quot;|&#3[49];)`;
/** The name and what is between it and its value: `"name": "`, `"names": ["`, `NAME=`, `Name: `, `'name' => '`. */
const nameBefore = new RegExp(
  String.raw`([\w.-]{1,64})${quote}?\s{0,8}(?:=>|[=:])\s{0,8}(?!\[removed)\[?\s{0,8}`,
  "g",
);
/** A value in quotes, which the end of the text may cut off, also in JSON that is a string itself; or a word, after a scheme. */
const valueAfter = new RegExp(
  [
    String.raw`"(?:[^"\\]|\\.)*"?`,
    String.raw`'(?:[^'\\]|\\.)*'?`,
    String.raw`\\"(?:[^"\\]|\\(?!"))*(?:\\")?`,
    String.raw`&quot;(?:(?!&quot;)[^])*(?:&quot;)?`,
    String.raw`(?:(?:bearer|basic|digest|token)\s{1,8})?[^\s"'<>&,;(){}[\]\\]+`,
  ].join("|"),
  "iy",
);

function withoutNamedValues(text: string): string {
  let open = "";
  let at = 0;
  for (const { index, 0: found, 1: name = "" } of text.matchAll(nameBefore)) {
    const begins = index + found.length;
    if (index < at || !isCredentialHeader(name)) continue;
    valueAfter.lastIndex = begins;
    const [value = ""] = valueAfter.exec(text) ?? [];
    if (value === "") continue;
    const [sign = ""] = /^(?:\\?["']|&quot;)/.exec(value) ?? [];
    open += `${text.slice(at, begins)}${sign}${removed}${sign}`;
    at = begins + value.length;
  }
  return open + text.slice(at);
}
