import * as limits from "#limits/probes-limits";

/** Takes a piece of a body: `bytes` from `from` up to `to`. They may be overwritten once the call returns. */
export type BodySink = (bytes: Uint8Array, from: number, to: number) => void;

type State =
  | "size"
  | "padding"
  | "extension"
  | "size-end"
  | "data"
  | "data-end"
  | "data-newline"
  | "over";

/**
 * Takes the framing off a chunked body (RFC 9112 §7.1) as its bytes come, in whatever pieces. It keeps no bytes, and
 * each one costs the same, so a peer that sends tiny chunks only makes work for itself.
 */
export class ChunkedBody {
  #state: State = "size";
  /** The size that is being read, then what is missing of the chunk. */
  #left = 0;
  #lineBytes = 0;
  #fault: string | null = null;

  /** Whether the last chunk's line was read; trailers follow. */
  get isOver(): boolean {
    return this.#state === "over";
  }

  /** What is wrong with the framing; nothing is read after it. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Reads on at `from` and returns where it stopped: at the end of the bytes, behind the last chunk, or at a fault. */
  push(bytes: Uint8Array, from: number, sink: BodySink): number {
    let at = from;
    while (at < bytes.length && this.#state !== "over" && this.#fault === null) {
      if (this.#state === "data") at = this.#data(bytes, at, sink);
      else this.#framing(bytes[at++] ?? 0);
    }
    return at;
  }

  #data(bytes: Uint8Array, at: number, sink: BodySink): number {
    const to = Math.min(bytes.length, at + this.#left);
    sink(bytes, at, to);
    this.#left -= to - at;
    if (this.#left === 0) this.#state = "data-end";
    return to;
  }

  #framing(byte: number): void {
    switch (this.#state) {
      case "size":
        return this.#size(byte);
      case "padding":
        return this.#padding(byte);
      case "extension":
        return this.#extension(byte);
      case "size-end":
        if (byte !== newline) return this.#fail("the size of a chunk does not end with its line");
        this.#state = this.#left === 0 ? "over" : "data";
        return;
      case "data-end":
        if (byte !== carriageReturn) return this.#fail("a chunk is longer than it says");
        this.#state = "data-newline";
        return;
      case "data-newline":
        if (byte !== newline) return this.#fail("a chunk is longer than it says");
        this.#state = "size";
        this.#left = 0;
        this.#lineBytes = 0;
        return;
      case "data":
      case "over":
        return;
    }
  }

  #size(byte: number): void {
    this.#lineBytes += 1;
    const digit = hexDigit(byte);
    if (digit !== null) {
      this.#left = this.#left * 16 + digit;
      if (!Number.isSafeInteger(this.#left))
        this.#fail("the size of a chunk is too large a number");
      else if (this.#lineBytes > limits.chunkLineBytesMax) this.#fail(lineTooLong);
    } else if (this.#lineBytes === 1) this.#fail(notANumber);
    else this.#endSize(byte);
  }

  /** Some peers pad the size with spaces (RFC 9112 §7.1.1, BWS); a number behind them is no size, nor an extension. */
  #padding(byte: number): void {
    this.#lineBytes += 1;
    this.#endSize(byte);
    if (this.#lineBytes > limits.chunkLineBytesMax) this.#fail(lineTooLong);
  }

  #endSize(byte: number): void {
    if (byte === carriageReturn) this.#state = "size-end";
    else if (byte === semicolon) this.#state = "extension";
    else if (byte === space || byte === tab) this.#state = "padding";
    else this.#fail(notANumber);
  }

  /** Extensions are for peers that agreed on them: ours is none. */
  #extension(byte: number): void {
    this.#lineBytes += 1;
    if (byte === carriageReturn) this.#state = "size-end";
    else if (byte === newline) this.#fail("the size of a chunk does not end with its line");
    else if (this.#lineBytes > limits.chunkLineBytesMax) this.#fail(lineTooLong);
  }

  #fail(why: string): void {
    this.#fault = why;
  }
}

const notANumber = "the size of a chunk is not a number";
const lineTooLong = `the line before a chunk is over ${limits.chunkLineBytesMax / 1024} KiB`;

const newline = 0x0a;
const carriageReturn = 0x0d;
const semicolon = 0x3b;
const space = 0x20;
const tab = 0x09;

function hexDigit(byte: number): number | null {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : null;
}
