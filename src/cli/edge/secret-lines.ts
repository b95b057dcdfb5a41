import { on } from "node:events";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { ReadStream } from "node:tty";
import type { Io } from "#cli/edge/io";

/** Lines that no one else may see, from whoever runs the command. */
interface SecretLines extends Disposable {
  /** Whether a person types them; nothing of it appears on the terminal. */
  readonly isTyped: boolean;
  /** Null if no line comes: the input ended, or the command is to stop. */
  next(prompt: string): Promise<string | null>;
}

/** Asks at a terminal; from anything else a line is read without a prompt, and not much further than `charsMax`. */
export const readSecretLines = (io: Io, charsMax: number): SecretLines =>
  io.stdin instanceof ReadStream ? typedLines(io.stdin, io) : pipedLine(io, charsMax);

function typedLines(stdin: ReadStream, { stderr, signal }: Io): SecretLines {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Without a history: the arrow up would bring the first line as the second.
  const reader = createInterface({
    input: stdin,
    output: unseen,
    terminal: true,
    historySize: 0,
    signal,
  });
  const lines = reader[Symbol.asyncIterator]();
  return {
    isTyped: true,
    next: async (prompt) => {
      stderr.write(prompt);
      const line = await lines.next();
      stderr.write("\n");
      return line.done === true ? null : line.value;
    },
    [Symbol.dispose]: () => reader.close(),
  };
}

const pipedLine = ({ stdin, signal }: Io, charsMax: number): SecretLines => ({
  isTyped: false,
  next: async () => {
    const decoder = new TextDecoder();
    let text = "";
    try {
      for await (const [chunk] of on(stdin, "data", { signal, close: ["end", "close"] })) {
        text += decoder.decode(chunk, { stream: true });
        if (text.includes("\n") || text.length > charsMax + "\r\n".length) break;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      return null;
    }
    const [line = ""] = text.split(/\r?\n/, 1);
    return line === "" ? null : line;
  },
  [Symbol.dispose]: () => {},
});
