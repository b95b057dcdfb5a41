import * as limits from "#limits/probes-limits";

/**
 * The memory that OpenSSL reads and writes for one thread. It is made once and lives as long as the thread. Every
 * address that OpenSSL gets is one of `pointers`, and no call gets a length beyond that of its place.
 */
export class TlsArena {
  readonly pointers: Readonly<
    Record<
      "cell" | "cellLength" | "text" | "received" | "sealed" | "plain" | "written" | "certificate",
      bigint
    >
  >;
  /** What came from the peer, as it came. */
  readonly received: Buffer;
  /** What is to be sent to it, as it leaves. */
  readonly sealed: Buffer;
  /** What the peer said. */
  readonly plain: Buffer;
  /** What is said to it. */
  readonly written: Buffer;
  readonly certificate: Buffer;
  readonly #view: DataView;
  readonly #text: Buffer;

  constructor(addressOf: (memory: ArrayBuffer) => bigint) {
    const memory = new ArrayBuffer(arenaBytes);
    const base = addressOf(memory);
    const pointer = ({ at }: Place): bigint => base + BigInt(at);
    const buffer = ({ at, length }: Place): Buffer => Buffer.from(memory, at, length);
    this.#view = new DataView(memory);
    this.#text = buffer(text);
    this.received = buffer(received);
    this.sealed = buffer(sealed);
    this.plain = buffer(plain);
    this.written = buffer(written);
    this.certificate = buffer(certificate);
    this.pointers = {
      cell: pointer(cell),
      cellLength: pointer(cellLength),
      text: pointer(text),
      received: pointer(received),
      sealed: pointer(sealed),
      plain: pointer(plain),
      written: pointer(written),
      certificate: pointer(certificate),
    };
  }

  /** Writes a text for C, with the zero that ends it. Throws for one that C would read otherwise. */
  setText(written: string): void {
    if (Buffer.byteLength(written) >= text.length || written.includes("\0"))
      throw new Error("a text for OpenSSL is too long, or has a zero in it");
    this.#text.writeUInt8(0, this.#text.write(written));
  }

  /** Writes names, each behind its length (RFC 7301 §3.1), and gives how long they are. */
  setNames(names: readonly string[]): number {
    const written = namesInBytes.getOrInsertComputed(names, inBytes);
    if (written.length > text.length) throw new Error("too many names for OpenSSL");
    return written.copy(this.#text);
  }

  setCell(pointer: bigint): void {
    this.#view.setBigUint64(cell.at, pointer, true);
  }

  cell(): bigint {
    return this.#view.getBigUint64(cell.at, true);
  }

  cellLength(): number {
    return this.#view.getUint32(cellLength.at, true);
  }
}

/** The same few lists are offered again and again. */
const namesInBytes = new WeakMap<readonly string[], Buffer>();

const inBytes = (names: readonly string[]): Buffer =>
  Buffer.concat(names.map((name) => Buffer.from([Buffer.byteLength(name), ...Buffer.from(name)])));

interface Place {
  readonly at: number;
  readonly length: number;
}

const cell: Place = { at: 0, length: 8 };
const cellLength: Place = { at: 8, length: 8 };
const text: Place = { at: 16, length: 2_032 };
const received: Place = { at: 2_048, length: limits.rawTlsTurnBytesMax };
const sealed: Place = { at: received.at + received.length, length: limits.rawTlsTurnBytesMax };
const plain: Place = { at: sealed.at + sealed.length, length: limits.rawTlsTurnBytesMax };
const written: Place = { at: plain.at + plain.length, length: limits.rawTlsTurnBytesMax };
const certificate: Place = {
  at: written.at + written.length,
  length: limits.certificateBytesMax,
};
const arenaBytes = certificate.at + certificate.length;
