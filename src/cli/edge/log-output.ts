import { fstatSync } from "node:fs";
import * as limits from "#limits/process-limits";
import type { Logger, Severity } from "#base/log";

/** Takes one line of a log, without its line break. */
export type LogOutput = (line: string, severity: Severity) => void;

/**
 * Writes the lines of a log to a stream whose reader may be slow or gone: a log neither blocks the work nor fills the
 * memory. What finds no room is dropped and counted; `warn` gets the count once there is room again. With `journal`
 * each line begins with its priority, as sd-daemon(3) has it, by which journalctl -p selects.
 */
export function openLogOutput(
  stream: NodeJS.WritableStream,
  journal: boolean,
  warn: Logger["warn"],
): LogOutput {
  let waitingBytes = 0;
  let dropped = 0;
  const onWritten = (size: number): void => {
    waitingBytes -= size;
    if (dropped === 0 || waitingBytes > limits.unreadLogBytesMax / 2) return;
    const lines = dropped;
    dropped = 0;
    warn("log lines were dropped, because the reader of this log was away or slow", { lines });
  };
  return (line, severity) => {
    const text = `${journal ? priorities[severity] : ""}${line}\n`;
    const size = Buffer.byteLength(text);
    if (waitingBytes + size > limits.unreadLogBytesMax) {
      dropped += 1;
      return;
    }
    waitingBytes += size;
    stream.write(text, () => onWritten(size));
  };
}

const priorities: { readonly [S in Severity]: string } = {
  error: "<3>",
  warn: "<4>",
  info: "<6>",
  debug: "<7>",
};

/** Whether systemd's journal reads what is written to a descriptor: systemd names its device and inode (systemd.exec(5)). */
export function leadsToJournal(
  env: Readonly<Record<string, string | undefined>>,
  descriptor: number,
): boolean {
  const { JOURNAL_STREAM: journal = "" } = env;
  if (journal === "") return false;
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  return journal === `${dev}:${ino}`;
}
