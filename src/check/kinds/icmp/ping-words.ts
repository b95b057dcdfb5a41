import { shownDuration } from "#base/duration";
import {
  type CommandOption,
  commandParts,
  namedOptions,
  notTaken,
  secondsTyped,
  valueOf,
} from "#check/kinds/command-parts";
import type { CommandFault, CommandTarget } from "#check/kinds/typed-kind";
import { timeoutMax } from "#limits/check-limits";
import * as limits from "#limits/kinds-limits";

/** What a ping command sends, as a ping monitor. */
export function pingTarget(
  words: readonly string[],
  program: string,
): CommandTarget | CommandFault {
  const { options, rest } = commandParts(words, valued);
  // In `ping -n 4 HOST`, as Windows writes it, the number comes before the host.
  const host = rest.at(-1) ?? "";
  if (host === "" || /^\d+$/.test(host))
    return {
      fault: `is an unfinished ${program} command: it needs a host, for example ${program} router.example`,
    };
  const windows = options.some(({ name }) => name === "-n") ? (rest.at(-2) ?? null) : null;
  const packets = numberIn(valueOf(options, "-c", "--count") ?? windows);
  const interval = secondsTyped(valueOf(options, "-i", "--interval"));
  const timeout = waitIn(valueOf(options, "-w", "-W", "--deadline", "--timeout"));
  const isPackets = packets !== null && packets >= 1 && packets <= limits.icmpPacketsMax;
  const isInterval =
    interval !== null && interval >= limits.icmpIntervalMin && interval <= limits.icmpIntervalMax;
  return {
    fields: new Map([
      ["uri", host.replaceAll(/^\[|\]$/g, "")],
      ...(isPackets ? [["packets", String(packets)] as const] : []),
      ...(isInterval ? [["interval", shownDuration(interval)] as const] : []),
      ...(timeout === null ? [] : [["timeout", shownDuration(timeout)] as const]),
    ]),
    rows: [],
    leftOut: [
      ...(packets === null || isPackets ? [] : [notTaken(`-c ${packets}`, packetsMax)]),
      ...(interval === null || isInterval ? [] : [notTaken(`-i ${interval / 1000}`, intervals)]),
      ...new Set(options.flatMap(leftOutWords)),
    ],
    note: "",
  };
}

const packetsMax = `one check sends 1 to ${limits.icmpPacketsMax} packets`;
const intervals = `packets are ${shownDuration(limits.icmpIntervalMin)} to ${shownDuration(limits.icmpIntervalMax)} apart`;

const numberIn = (text: string | null): number | null =>
  text !== null && /^\d+$/.test(text) ? Number(text) : null;

/** Seconds on Linux; on macOS and Windows milliseconds, which are more than any timeout in seconds. */
function waitIn(text: string | null): number | null {
  const wait = secondsTyped(text);
  return wait !== null && wait > timeoutMax ? wait / 1000 : wait;
}

const valued = namedOptions(
  "-c --count -i --interval -w -W --deadline --timeout -s --size -I -m -M -p -Q -S -t --ttl -l -F -T -e",
);

/** Options that are taken over, and those that are only about what is printed. */
const idle = namedOptions(
  "-c --count -i --interval -w -W --deadline --timeout -n -q --quiet -v -V -D -O -a -A -U --numeric",
);

const leftOutWords = ({ name }: CommandOption): readonly string[] =>
  idle.has(name) ? [] : [notTaken(name)];
