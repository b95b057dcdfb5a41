import * as limits from "#limits/probes-limits";
import type { ParserFault } from "#network/http/response-parser";
import type { Mark } from "#probes/socket/marker";
import { type FrameHead, FrameHeads, frameTypes } from "#probes/http/frame-heads";

/**
 * Looks over the frames of HTTP/2 that a peer sends, before they are parsed: it refuses a head without an end, and a flood of
 * frames that carry nothing. It knows when each head began and when the newest bytes of an answer came: the session reports
 * them a moment later, when other frames may have come already.
 */
export class FrameWatch {
  readonly #frames = new FrameHeads();
  /** When those heads came that the session has yet to report. */
  readonly #heads: Mark[] = [];
  #newest: Mark | null = null;
  /** Whether the frame that passes is of an answer. */
  #isAnswer = false;
  #headFrames = 0;
  #headBytes = 0;
  #idleFrames = 0;
  #wasReset = false;
  #isFirst = true;
  #fault: ParserFault | null = null;

  /** Whether the peer reset the stream; otherwise the session itself did. */
  get wasReset(): boolean {
    return this.#wasReset;
  }

  /** What the peer is refused for. */
  get fault(): ParserFault | null {
    return this.#fault;
  }

  /** When the newest bytes of a head or a body came. */
  get newest(): Mark | null {
    return this.#newest;
  }

  /** When the head began that the session reports now; null if it reports more than came. */
  nextHead(): Mark | null {
    return this.#heads.shift() ?? null;
  }

  /** How many of the bytes the session may read: fewer than all where the frame that follows them is the fault. */
  push(bytes: Uint8Array, came: Mark): number {
    if (this.#isAnswer) this.#newest = came;
    if (this.#isFirst && isHttp1(bytes)) this.#fault = otherVersion;
    this.#isFirst = false;
    if (this.#fault === otherVersion) return 0;
    const passed = this.#frames.push(bytes, (frame) => {
      this.#fault = this.#onFrame(frame, came);
      return this.#fault === null;
    });
    this.#isAnswer &&= !this.#frames.isWhole;
    return passed;
  }

  #onFrame(frame: FrameHead, came: Mark): ParserFault | null {
    const { type, length } = frame;
    const isHead = type === frameTypes.headers || type === frameTypes.continuation;
    this.#isAnswer = isHead || type === frameTypes.data;
    if (this.#isAnswer) this.#newest = came;
    if (isHead) return this.#onHead(type, length, came);
    if (type === frameTypes.data && length > 0) return null;
    if (type === frameTypes.reset) this.#wasReset = true;
    this.#idleFrames += 1;
    return this.#idleFrames > limits.http2IdleFramesMax ? flood : null;
  }

  #onHead(type: number, length: number, came: Mark): ParserFault | null {
    if (type === frameTypes.headers) {
      this.#heads.push(came);
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

/** What speaks HTTP/1.1 answers so to a greeting that it does not understand. */
const isHttp1 = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 7)).toString() === "HTTP/1.";
const otherVersion: ParserFault = {
  code: "protocol_error",
  why: "it is HTTP/1.1, and HTTP/2 was asked for",
};
const tooLarge: ParserFault = { code: "headers_too_large", max: limits.http2HeadBytesMax };
const inPieces: ParserFault = {
  code: "protocol_error",
  why: `its head comes in more than ${limits.http2HeadFramesMax} frames`,
};
const flood: ParserFault = {
  code: "protocol_error",
  why: `more than ${limits.http2IdleFramesMax} frames carry nothing of it`,
};
