import { typedQuestion } from "#check/kinds/dns/typed-question";
import { isCommand } from "#service/operator/pasted/pasted-command";
import { pastedMonitor } from "#service/operator/pasted/pasted-monitor";

/**
 * The targets of a text that has several: in lines, or apart by spaces or commas. Null: it is one, or none. A URL parser
 * drops the end of a line, so that two URLs in two lines would be read as one.
 */
export function severalTargets(text: string): readonly string[] | null {
  if (isOneCommand(text)) return null;
  const targets = text
    .split(/[\r\n]+/)
    .map((line) => line.trim().replace(/[,;]$/, ""))
    .filter((line) => line !== "")
    .flatMap(targetsIn);
  if (targets.length < 2) return null;
  return isList(targets) || targets.every((one) => pastedMonitor(one) !== null) ? targets : null;
}

/** A command in several lines is one, unless each of them is a whole one. */
function isOneCommand(text: string): boolean {
  if (!isCommand(text)) return false;
  const lines = text.trim().split(/[\r\n]+/);
  return !lines.every(
    (line) => isCommand(line) && pastedMonitor(line) !== null && !/\\\s*$/.test(line),
  );
}

/** The targets of one line: a URL may have a comma in it, and some questions and all commands have spaces. */
function targetsIn(line: string): readonly string[] {
  if (typedQuestion(line) !== null || isCommand(line)) return [line];
  const words = line
    .split(/\s+/)
    .map(withoutMarks)
    .flatMap((word) => (hasScheme(line) ? [word] : word.split(/[,;]/)))
    .flatMap(urlsIn)
    .filter((word) => word !== "");
  // A path may have a space in it.
  const isPath = hasScheme(line) && !/[,;]/.test(line);
  return isList(words) || (!isPath && words.every(isPlainly)) ? words : [line];
}

/** A run of marks is looked at once, from where it begins: a field may have a hundred thousand of them. */
const withoutMarks = (word: string): string =>
  word.replace(/^[,;]+/, "").replace(/(?<![,;])[,;]+$/, "");

/** URLs that follow each other with a comma or nothing between them. What is in a query stays there. */
function urlsIn(word: string): readonly string[] {
  const [path = "", ...query] = word.split("?");
  const urls = path
    .split(/,(?=https?:\/\/)/i)
    .flatMap((url) => (/^https?:/i.test(url) ? url.split(/(?<=\w)(?=https?:\/\/)/i) : [url]));
  return [...urls.slice(0, -1), [urls.at(-1) ?? "", ...query].join("?")];
}

/** Whoever writes two schemes means two addresses, though one of them is wrong. */
const isList = (parts: readonly string[]): boolean => parts.filter(hasScheme).length >= 2;

/** Words of a sentence are no names of hosts. */
const isPlainly = (word: string): boolean => /[.:]/.test(word) && pastedMonitor(word) !== null;

const hasScheme = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
