/* Texts and numbers as SSH writes them (RFC 4251 §5): a length of four bytes, then the bytes. */

export const sshString = (bytes: Uint8Array | string): Buffer => {
  const content = Buffer.from(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};

/** Reads what SSH wrote; throws a sentence if it ends too early. */
export class SshReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new Error("is cut off");
    const part = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return part;
  }

  number(): number {
    return this.take(4).readUInt32BE();
  }

  bytes(): Buffer {
    return this.take(this.number());
  }

  text(): string {
    return this.bytes().toString("latin1");
  }

  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at);
  }
}
