import { shownDuration } from "#base/duration";
import { notTaken } from "#check/kinds/command-parts";
import { kindTable } from "#check/kinds/kind-table";
import type { CommandFault, TypedTarget } from "#check/kinds/typed-kind";
import { type Kind, kinds } from "#check/monitor";
import { feedersMax } from "#limits/lines-limits";
import { curlRequest } from "#service/operator/pasted/curl-command";
import { commandLine } from "#service/operator/pasted/command-line";
import { httpieRequest } from "#service/operator/pasted/httpie-command";
import { judgedAfter } from "#service/operator/pasted/piped-words";
import type { HttpRequest } from "#service/operator/pasted/http-request";
import { wgetRequest } from "#service/operator/pasted/wget-command";
import type { CommandMonitor, PastedMonitor } from "#service/operator/pasted/pasted-fields";

/** The monitor that a command line stands for, or why it cannot be read; null for a text that is meant as none. */
export function pastedCommand(text: string, feeding = 0): PastedMonitor | CommandFault | null {
  const { program, words, after, variables, timeout } = commandLine(text);
  if (feeders.has(program) && /^\|[^|]/.test(after) && feeding < feedersMax)
    return fed(program, after, feeding);
  const read = readers.get(program);
  // A host may be called as some of the programs are.
  if (read === undefined || (hostNames.has(program) && text === program)) return null;
  if (words === null)
    return { fault: `is a ${program} command with a quote that does not end: close the quote` };
  const monitor = read(words, program);
  if ("fault" in monitor) return monitor;
  const { rows, leftOut } = judgedAfter(after, monitor);
  const fields = new Map(monitor.fields);
  if (timeout !== null && !fields.has("timeout")) fields.set("timeout", shownDuration(timeout));
  return {
    ...monitor,
    fields,
    program,
    rows: [...monitor.rows, ...rows],
    leftOut: [
      ...monitor.leftOut,
      ...variables.map((name) => withoutValue(name, monitor.kind)),
      ...leftOut,
    ],
  };
}

/** Programs whose output people pass to a command that is checked. */
const feeders: ReadonlySet<string> = new Set(["echo", "printf", "yes", "cat"]);

/** `echo quit | telnet …`: nothing is sent after a connection is made. */
function fed(program: string, after: string, feeding: number): PastedMonitor | CommandFault | null {
  const command = pastedCommand(after.slice(1).trim(), feeding + 1);
  if (command === null || "fault" in command) return command;
  const said = notTaken(`“${program}”`, "a monitor runs the command after it alone");
  return { ...command, leftOut: [said, ...command.leftOut] };
}

/** Of HTTP, a value may be a secret. */
const withoutValue = (name: string, kind: Kind): string =>
  `$${name} has no value here: type its value${kind === "http" ? `, or {{secret:${name}}} for a secret of the location` : ""}.`;

/** Whether a text is meant as a command line, also if it is not finished. */
export const isCommand = (text: string): boolean => pastedCommand(text.trim()) !== null;

/** Why a command line cannot be read, after the name of its field; empty: it can be, or the text is none. */
export function commandFault(text: string): string {
  const command = pastedCommand(text.trim());
  return command !== null && "fault" in command ? command.fault : "";
}

type CommandReader = (words: readonly string[], program: string) => CommandMonitor | CommandFault;

const hostNames: ReadonlySet<string> = new Set(["host", "ping", "telnet", "http", "https", "xh"]);

const readers: ReadonlyMap<string, CommandReader> = new Map([
  ["curl", (words) => ofRequest(curlRequest(words))],
  ["wget", (words) => ofRequest(wgetRequest(words))],
  ...["http", "https", "xh", "xhs"].map((name): readonly [string, CommandReader] => [
    name,
    (words, program) => ofRequest(httpieRequest(words, program)),
  ]),
  ...kinds.flatMap((kind) =>
    kindTable[kind].typed.commands.flatMap(({ programs, read }) =>
      programs.map((program) => [program, readerOf(kind, read)] as const),
    ),
  ),
]);

type KindReader = TypedTarget<Kind>["commands"][number]["read"];

function readerOf(kind: Kind, read: KindReader): CommandReader {
  return (words, program) => {
    const target = read(words, program);
    if ("fault" in target) return target;
    return { kind, ...target, followRedirects: null, prints: "other" };
  };
}

function ofRequest(request: HttpRequest | CommandFault): CommandMonitor | CommandFault {
  if ("fault" in request) return request;
  const { url, method, body, timeout, retry, headers, followRedirects, leftOut, prints } = request;
  const fields = new Map([
    ["url", url],
    ["method", method],
    ["body", body],
    ...(timeout === null ? [] : [["timeout", shownDuration(timeout)] as const]),
    ...(retry === null ? [] : [["retry", String(retry)] as const]),
  ]);
  const rows = [{ field: "headers", values: headers }];
  return { kind: "http", fields, rows, followRedirects, leftOut, note: "", prints };
}
