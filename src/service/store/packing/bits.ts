import { PackedFault } from "#service/store/packing/packed-fault";

/** Numbers as bits, the highest first; what is read past the end is a fault, so hostile bytes never run on. */

/** A number of so many times its unit is written plainly: one that is far out costs some bits, not thousands. */
const runMax = 12;
/** Numbers up to 2 ** 53 - 1. */
const lengthBits = 6;

export class BitWriter {
  #bytes = new Uint8Array(256);
  #length = 0;
  #current = 0;
  #free = 8;

  /** The lowest `count` bits of a whole number that is not negative. */
  bits(value: number, count: number): void {
    let left = count;
    while (left > 0) {
      const taken = Math.min(left, this.#free);
      // No shifts: they stop at 32 bits.
      const part = Math.floor(value / 2 ** (left - taken)) % 2 ** taken;
      this.#current = this.#current * 2 ** taken + part;
      this.#free -= taken;
      left -= taken;
      if (this.#free === 0) this.#flush();
    }
  }

  /** In as many bits as it needs, after their number. */
  plain(value: number): void {
    const count = bitsOf(value);
    this.bits(count, lengthBits);
    this.bits(value, count);
  }

  signed(value: number): void {
    this.bits(Number(value < 0), 1);
    this.plain(Math.abs(value));
  }

  /** A code of Rice: how often 2 ** `low` goes into it, a bit each, then the rest. */
  rice(value: number, low: number): void {
    const run = Math.floor(value / 2 ** low);
    if (run >= runMax) {
      this.bits(2 ** runMax - 1, runMax);
      return this.plain(value);
    }
    this.bits(2 ** (run + 1) - 2, run + 1);
    this.bits(value, low);
  }

  finish(): Uint8Array {
    if (this.#free < 8) this.bits(0, this.#free);
    return this.#bytes.slice(0, this.#length);
  }

  #flush(): void {
    if (this.#length === this.#bytes.length) {
      const grown = new Uint8Array(this.#length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[this.#length] = this.#current;
    this.#length += 1;
    this.#current = 0;
    this.#free = 8;
  }
}

export class BitReader {
  readonly #bytes: Uint8Array;
  #place: number;
  #left = 8;

  constructor(bytes: Uint8Array, from: number) {
    this.#bytes = bytes;
    this.#place = from;
  }

  bits(count: number): number {
    let value = 0;
    let wanted = count;
    while (wanted > 0) {
      const byte = this.#bytes[this.#place];
      if (byte === undefined) throw new PackedFault("its bytes end too early");
      const taken = Math.min(wanted, this.#left);
      const part = (byte >> (this.#left - taken)) & ((1 << taken) - 1);
      value = value * 2 ** taken + part;
      wanted -= taken;
      this.#left -= taken;
      if (this.#left > 0) continue;
      this.#left = 8;
      this.#place += 1;
    }
    return value;
  }

  plain(): number {
    const count = this.bits(lengthBits);
    if (count > 53) throw new PackedFault("a number in it is too long");
    return this.bits(count);
  }

  signed(): number {
    const isNegative = this.bits(1) === 1;
    const value = this.plain();
    return isNegative && value !== 0 ? -value : value;
  }

  rice(low: number): number {
    let run = 0;
    while (run < runMax && this.bits(1) === 1) run += 1;
    return run === runMax ? this.plain() : run * 2 ** low + this.bits(low);
  }
}

/** How many bits a whole number has. */
export const bitsOf = (value: number): number => {
  if (value < 2 ** 31) return 32 - Math.clz32(value);
  return 32 - Math.clz32(Math.floor(value / 2 ** 31)) + 31;
};

export const plainCost = (value: number): number => lengthBits + bitsOf(value);
export function riceCost(value: number, low: number): number {
  const run = Math.floor(value / 2 ** low);
  return run >= runMax ? runMax + plainCost(value) : run + 1 + low;
}
