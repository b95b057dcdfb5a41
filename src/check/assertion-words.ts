import { capital } from "#base/text";
import { comparatorWords, failedComparator } from "#check/kinds/comparator-words";

/**
 * An assertion as reports, files and the command line write it, e.g. `A eq "10.0.0.1"`, within a sentence: what of the
 * answer, the comparator, and what it is compared with. A path of RFC 9535 may have spaces in its quotes.
 */
const subject =
  String.raw`status|body|latency|certificate days|loss|A|AAAA|CNAME|MX|TXT|NS|header \S+|` +
  String.raw`json (?:length\(\s*)?\$(?:\[(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\]"'])*\]|[^\s[)])*(?:\s*\))?`;
const comparator = "eq|neq|gte?|lte?|contains|not_contains|empty|not_empty|exists|not_exists";
const target = String.raw`"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*(?: (?:ms|%))?|true|false|null`;
const assertion = new RegExp(`(${subject}) (${comparator})\\b(?: (${target}))?`);
const whole = new RegExp(`^${assertion.source}$`);
const within = (before: string, after: string): RegExp =>
  new RegExp(`${before}(${assertion.source})${after}`);

const failedIn = within("Assertion failed: ", String.raw`(?: \(and (\d+) more\))?`);
const statusIn = / \((status [^()]+) does not hold\)/;
const unknownIn = within("it is not known whether ", "");

/** What a person reads of an assertion: that it is wanted, or that the answer was otherwise. */
type AssertionMood = "wanted" | "failed";

/** `A record is 10.0.0.1` of `A eq "10.0.0.1"`, by the words of the form; `A record is not 10.0.0.1` if it failed. */
export function assertionWords(text: string, said: AssertionMood = "wanted"): string {
  const [, name = "", compares = "", value = ""] = whole.exec(text) ?? [];
  if (name === "") return text;
  const words = said === "wanted" ? comparatorWords(compares) : failedComparator(compares);
  return `${subjectWords(name)} ${words.replace("…", () => targetWords(name, value))}`;
}

/** The names in what an assertion is of, e.g. of `json $.user.name eq "ann"`: json, user, name. */
export const namesIn = (text: string): readonly string[] =>
  (whole.exec(text)?.[1] ?? text).split(/[^\w-]+/).filter(Boolean);

/** The same of an assertion whose value is not shown. */
export const withoutTarget = (text: string): string =>
  text.replace(whole, (_, name: string, compares: string) => `${name} ${compares}`);

/** The sentence of a check that quotes an assertion, in the same words. */
export const withAssertionWords = (message: string): string =>
  message
    .replace(failedIn, (_, text: string, ...groups: readonly (string | undefined)[]) => {
      const more = groups[3];
      const others = more === undefined ? "" : `, and ${more} more failed`;
      return `${assertionWords(text, "failed")}${others}`;
    })
    .replace(
      statusIn,
      (_, texts: string) => `: ${texts.split(", ").map(failedStatus).join(", and ")}`,
    )
    .replace(unknownIn, (_, text: string) => `it is not known whether ${lower(text)}`);

/** The first one names what it is of. */
function failedStatus(text: string, index: number): string {
  const words = assertionWords(text, "failed");
  return words.replace(/^Status code /, index === 0 ? "status code " : "");
}

const lower = (text: string): string => {
  const words = assertionWords(text);
  return words.startsWith("JSON") ? words : words.charAt(0).toLowerCase() + words.slice(1);
};

/** What each is called by the label of its field. */
const subjects: Readonly<Record<string, string>> = {
  status: "Status code",
  header: "Response header",
  json: "JSON value",
  latency: "Mean round trip",
  "certificate days": "Days left of the certificate",
};

function subjectWords(name: string): string {
  const plain = subjects[name];
  if (plain !== undefined) return plain;
  const [first = "", ...rest] = name.split(" ");
  if (rest.length > 0) return `${subjects[first] ?? first} ${rest.join(" ")}`;
  return /^[A-Z]+$/.test(name) ? `${name} record` : capital(name);
}

/** As it was typed: a value of a record without its quotes, if it is one word. */
function targetWords(name: string, value: string): string {
  if (value === "") return "the hidden value";
  const [word] = /^[A-Z]/.test(name) ? (/^[^\s"\\]+$/.exec(value.slice(1, -1)) ?? []) : [];
  return word ?? value;
}
