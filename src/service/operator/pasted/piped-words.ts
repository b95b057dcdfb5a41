import { commandParts, namedOptions, notTaken } from "#check/kinds/command-parts";
import type { CommandRows } from "#check/kinds/typed-kind";
import { commandLine } from "#service/operator/pasted/command-line";
import type { CommandMonitor } from "#service/operator/pasted/pasted-fields";

/** What follows a command in its line says of the monitor. */
interface JudgedAfter {
  readonly rows: readonly CommandRows[];
  /** One sentence at most. */
  readonly leftOut: readonly string[];
}

/** `| grep -q ok` and `| jq -e '.status == "ok"'` are assertions; anything else is named in one sentence. */
export function judgedAfter(after: string, { kind, prints }: CommandMonitor): JudgedAfter {
  if (isIdle(after)) return { rows: [], leftOut: [] };
  const { program, words, after: rest } = commandLine(after.slice(1));
  const rule = after.startsWith("|") ? ruleOf(program, words ?? [], prints) : null;
  if (rule !== null && isIdle(rest)) return { rows: [rule], leftOut: [] };
  const instead =
    kind !== "http"
      ? "a monitor runs the first command alone"
      : program === "jq"
        ? "to judge a value of the answer, add an assertion on a JSON value"
        : after.startsWith("||") || !after.startsWith("|")
          ? "a monitor runs the first command alone"
          : "to judge the answer, add an assertion";
  return { rows: [], leftOut: [notTaken(`“${shortened(after)}”`, instead)] };
}

/** A check fails without it, too. */
const isIdle = (after: string): boolean =>
  after === "" || /^(?:;|&|\|\|\s*(?:exit(?:\s+\d+)?|false)\s*;?)$/.test(after.trim());

/** As much of it as shows which part is meant. */
const shortened = (after: string): string => {
  const line = after.replaceAll(/\s+/g, " ").trim();
  return line.length > shownCharsMax ? `${line.slice(0, shownCharsMax)}…` : line;
};
const shownCharsMax = 60;

function ruleOf(
  program: string,
  words: readonly string[],
  prints: CommandMonitor["prints"],
): CommandRows | null {
  if (program === "jq") return prints === "body" ? jsonRule(words) : null;
  if (program !== "grep" && program !== "fgrep") return null;
  const { options, rest } = commandParts(words, new Set(["-e"]));
  const text = options.find(({ name }) => name === "-e")?.value ?? rest[0] ?? "";
  const isPlain =
    options.every(({ name }) => grepIdle.has(name)) &&
    rest.length <= 1 &&
    (!/[\\^$*[\]]/.test(text) || options.some(({ name }) => name === "-F"));
  if (text === "" || !isPlain) return null;
  if (prints === "status")
    return /^[1-5]\d\d$/.test(text)
      ? { field: "status_code_assertions", values: [{ comparator: "eq", target: text }] }
      : null;
  return prints === "body"
    ? { field: "body_assertions", values: [{ comparator: "contains", target: text }] }
    : null;
}

/** Options of grep with which it still looks for the text as it is. */
const grepIdle = namedOptions(
  "-q --quiet --silent -s --no-messages -F --fixed-strings -o -c --count --color -e -m -n -a",
);

/** `.status == "ok"` of jq. */
function jsonRule(words: readonly string[]): CommandRows | null {
  const { rest } = commandParts(words, new Set());
  const [, path, text, bare] =
    /^(\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*)\s*==\s*(?:"([^"\\]*)"|(\d+(?:\.\d+)?|true|false))$/.exec(
      rest.length === 1 ? (rest[0] ?? "").trim() : "",
    ) ?? [];
  if (path === undefined) return null;
  // In the form, "5" is a text and 5 a number.
  const target = bare ?? (/^[\d"tfn-]/.test(text ?? "") ? JSON.stringify(text) : (text ?? ""));
  return { field: "json_assertions", values: [{ path: `$${path}`, comparator: "eq", target }] };
}
