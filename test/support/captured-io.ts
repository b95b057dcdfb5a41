import { PassThrough } from "node:stream";
import type { Io } from "#cli/edge/io";

/** An Io whose streams remember what was written, as one that a test hands to a command. */
export interface CapturedIo extends Io {
  /** What a person types; ended, nothing more comes. */
  readonly typing: PassThrough;
  readonly written: { stdout(): string; stderr(): string };
  readonly stop: AbortController;
  readonly giveUp: AbortController;
}

export function captureIo(
  env: Io["env"] = {},
  terminal: { readonly columns: number; readonly rows: number } | null = null,
): CapturedIo {
  const stop = new AbortController();
  const giveUp = new AbortController();
  const stdout = remember();
  const stderr = remember();
  if (terminal !== null) Object.assign(stdout.stream, terminal);
  const typing = new PassThrough();
  return {
    stdin: typing,
    typing,
    stdout: stdout.stream,
    stderr: stderr.stream,
    env,
    signal: stop.signal,
    abandon: giveUp.signal,
    interactive: terminal !== null,
    written: { stdout: stdout.text, stderr: stderr.text },
    stop,
    giveUp,
  };
}

function remember(): { readonly stream: PassThrough; readonly text: () => string } {
  const stream = new PassThrough();
  const chunks: string[] = [];
  stream.on("data", (chunk: Buffer) => void chunks.push(chunk.toString()));
  return { stream, text: () => chunks.join("") };
}
