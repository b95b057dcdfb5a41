/**
 * Finds the heads of HTTP/2's frames in one direction of a connection, however its bytes are cut (RFC 9113 §4.1):
 *
 *     length (3 bytes) │ type │ flags │ stream (4 bytes) │ payload …
 */
export class FrameHeads {
  readonly #head = new Uint8Array(9);
  #headBytes = 0;
  /** What is missing of the frame's payload, or of what is skipped. */
  #left: number;

  /** What comes first is no frame: a client's preface. */
  constructor(skipped: number = 0) {
    this.#left = skipped;
  }

  /** Whether the last frame is there to its end. */
  get isWhole(): boolean {
    return this.#left === 0 && this.#headBytes === 0;
  }

  /**
   * Gives each head that is complete to `onHead`, with its frame's length, until that returns false. Returns how many of the bytes
   * stand before the frame that was refused so, or all.
   */
  push(bytes: Uint8Array, onHead: (frame: FrameHead) => boolean): number {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const passed = Math.min(this.#left, bytes.length - at);
        this.#left -= passed;
        at += passed;
        continue;
      }
      this.#head[this.#headBytes++] = bytes[at++] ?? 0;
      if (this.#headBytes < this.#head.length) continue;
      this.#headBytes = 0;
      const [high = 0, middle = 0, low = 0, type = 0, flags = 0] = this.#head;
      this.#left = (high << 16) | (middle << 8) | low;
      if (!onHead({ type, flags, length: this.#left })) return Math.max(0, at - this.#head.length);
    }
    return bytes.length;
  }
}

export interface FrameHead {
  readonly type: number;
  readonly flags: number;
  readonly length: number;
}

/** RFC 9113 §6. */
export const frameTypes = { data: 0, headers: 1, reset: 3, continuation: 9 } as const;
export const frameFlags = { endStream: 1, endHeaders: 4 } as const;
