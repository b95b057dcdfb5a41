import * as limits from "#limits/probes-limits";
import type { ParserFault } from "#network/http/response-parser";

/**
 * Looks over the frames of HTTP/2 (RFC 9113 §4.1) that a peer sends, before they are parsed: it refuses a head without
 * an end, and a flood of frames that carry nothing.
 *
 *     length (3 bytes) │ type │ flags │ stream (4 bytes) │ payload …
 */
export class FrameWatch {
  readonly #header = new Uint8Array(9);
  #headerBytes = 0;
  /** What is missing of the frame's payload. */
  #left = 0;
  #headFrames = 0;
  #headBytes = 0;
  #idleFrames = 0;
  #wasReset = false;

  /** Whether the peer reset the stream; otherwise the session itself did. */
  get wasReset(): boolean {
    return this.#wasReset;
  }

  push(bytes: Uint8Array): ParserFault | null {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const passed = Math.min(this.#left, bytes.length - at);
        this.#left -= passed;
        at += passed;
        continue;
      }
      this.#header[this.#headerBytes++] = bytes[at++] ?? 0;
      if (this.#headerBytes < this.#header.length) continue;
      this.#headerBytes = 0;
      const fault = this.#onFrame();
      if (fault !== null) return fault;
    }
    return null;
  }

  #onFrame(): ParserFault | null {
    const [high = 0, middle = 0, low = 0, type = 0] = this.#header;
    const length = (high << 16) | (middle << 8) | low;
    this.#left = length;
    if (type === frame.headers || type === frame.continuation) return this.#onHead(type, length);
    if (type === frame.data && length > 0) return null;
    if (type === frame.reset) this.#wasReset = true;
    this.#idleFrames += 1;
    return this.#idleFrames > limits.http2IdleFramesMax ? flood : null;
  }

  #onHead(type: number, length: number): ParserFault | null {
    if (type === frame.headers) {
      // Interim heads are counted where they are understood.
      this.#headFrames = 0;
      this.#headBytes = 0;
    }
    this.#headFrames += 1;
    this.#headBytes += length;
    if (this.#headBytes > limits.http2HeadBytesMax) return tooLarge;
    return this.#headFrames > limits.http2HeadFramesMax ? inPieces : null;
  }
}

const frame = { data: 0, headers: 1, reset: 3, continuation: 9 } as const;

const tooLarge: ParserFault = { code: "headers_too_large", max: limits.http2HeadBytesMax };
const inPieces: ParserFault = {
  code: "protocol_error",
  why: `its head comes in more than ${limits.http2HeadFramesMax} frames`,
};
const flood: ParserFault = {
  code: "protocol_error",
  why: `more than ${limits.http2IdleFramesMax} frames carry nothing of it`,
};
