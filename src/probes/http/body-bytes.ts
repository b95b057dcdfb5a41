import * as limits from "#limits/probes-limits";
import { bytes, type Bytes } from "#base/units";

/** The bytes of a body in one buffer that grows: however small its pieces come, what is kept is its size. */
export class BodyBytes {
  readonly #max: Bytes;
  #buffer: Uint8Array<ArrayBuffer> = new Uint8Array();
  #size = 0;
  #first = limits.bodyBytesFirst;

  constructor(max: Bytes) {
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  /** How long it will be as it is announced: the first memory is no more, and no more than it would be without. */
  expect(length: Bytes): void {
    this.#first = bytes(Math.min(length, limits.bodyBytesFirst));
  }

  /** What came, in memory of just its size. What is added later takes new memory. */
  take(): Uint8Array<ArrayBuffer> {
    if (this.#buffer.length > this.#size) this.reserve(this.#size);
    return this.#buffer;
  }

  /** Keeps `bytes` from `from` up to `to`; false when not all of it found room under the limit. */
  add(bytes: Uint8Array, from: number, to: number): boolean {
    const end = Math.min(to, from + this.#max - this.#size);
    this.#grow(this.#size + end - from);
    // Setting up a copy costs more than copying a few bytes.
    if (end - from < copiedByHandMax)
      for (let at = from; at < end; at += 1) this.#buffer[this.#size++] = bytes[at] ?? 0;
    else {
      this.#buffer.set(bytes.subarray(from, end), this.#size);
      this.#size += end - from;
    }
    return end === to;
  }

  /** Makes room for this much at once, so that nothing is copied later; or gives back what is not needed. */
  reserve(size: number): void {
    const length = Math.max(this.#size, Math.min(this.#max, size));
    this.#buffer =
      this.#buffer.length === 0
        ? new Uint8Array(length)
        : new Uint8Array(this.#buffer.buffer.transfer(length));
  }

  #grow(size: number): void {
    if (size > this.#buffer.length)
      this.reserve(Math.max(size, 2 * this.#buffer.length, this.#first));
  }
}

const copiedByHandMax = 32;
