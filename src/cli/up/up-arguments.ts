import { parseDuration } from "#base/duration";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { upGrammar } from "#cli/up/up-grammar";
import { parseNotify } from "#cli/up/notify-option";
import type { UrlChannel } from "#service/notify/recognised-url";
import { UsageError } from "#cli/edge/usage-error";
import * as limits from "#limits/cli-limits";
import { type ListenAddress, parseListenAddress } from "#network/listen-address";
import type { Millis } from "#base/units";

/** What `picket up` was asked. */
export interface UpArguments {
  /** Null watches the machine that it runs on. */
  readonly monitorsFile: string | null;
  /** Null runs until it is asked to stop. */
  readonly runFor: Millis | null;
  readonly json: boolean;
  readonly listen: ListenAddress;
  /** Null keeps nothing. */
  readonly dataDirectory: string | null;
  /** Where messages go. */
  readonly notify: readonly UrlChannel[];
}

/** Null if help was asked for, which then has been written. */
export function parseUpArguments(args: readonly string[], io: Io): UpArguments | null {
  const typed = readWords(upGrammar, args, io);
  if (typed === null) return null;
  const { values } = typed;
  for (const name of ["monitors", "data"] as const)
    if (values[name] === "") throw new UsageError(`--${name} needs a path`);
  return {
    monitorsFile: values.monitors,
    runFor: values.for === null ? null : parseFor(values.for),
    json: values.json,
    listen: listenOf(values.listen ?? "127.0.0.1:0"),
    dataDirectory: values.data,
    notify: values.notify.map(parseNotify),
  };
}

function parseFor(text: string): Millis {
  const duration = parseDuration(text);
  if (duration === null || duration === 0)
    throw new UsageError(`--for must be a duration, e.g. 500ms, 20s, 5m or 1h, not "${text}"`);
  if (duration > limits.upRunMax)
    throw new UsageError("--for is at most 576h; without it, picket up runs until it is stopped");
  return duration;
}

function listenOf(text: string): ListenAddress {
  const listen = parseListenAddress(text);
  if (listen === null)
    throw new UsageError(
      `--listen must be HOST:PORT, e.g. 127.0.0.1:8787 or [::1]:8787, not "${text}"`,
    );
  return listen;
}
