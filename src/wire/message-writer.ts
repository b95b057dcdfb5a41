import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** A field as the contract's code describes it. */
export interface WireField {
  readonly number: number;
}

/**
 * Writes a message field by field, for what is written with every check: no message is made first, and the buffer is kept.
 * Call the fields in the order of their numbers. As the wire has it, a field without presence is left out if it is empty.
 */
export class MessageWriter {
  #writer = new BinaryWriter();

  /** The bytes of what `write` writes. After a failed one the writer starts again. */
  message(write: (writer: this) => void): Uint8Array {
    try {
      write(this);
      return this.#writer.finish();
    } catch (error) {
      this.#writer = new BinaryWriter();
      throw error;
    }
  }

  /** What is written until `end` is the message in this field. */
  begin(field: WireField): void {
    this.#writer.tag(field.number, WireType.LengthDelimited).fork();
  }

  end(): void {
    this.#writer.join();
  }

  text(field: WireField, value: string): void {
    if (value !== "") this.element(field, value);
  }

  texts(field: WireField, values: readonly string[]): void {
    for (const value of values) this.element(field, value);
  }

  /** One of a list, or of a message that is always whole: written if it is empty, too. */
  element(field: WireField, value: string): void {
    this.#writer.tag(field.number, WireType.LengthDelimited).string(value);
  }

  bytes(field: WireField, value: Uint8Array): void {
    this.#writer.tag(field.number, WireType.LengthDelimited).bytes(value);
  }

  flag(field: WireField, value: boolean): void {
    if (value) this.#writer.tag(field.number, WireType.Varint).bool(true);
  }

  /** An integer of 32 or 64 bits. */
  integer(field: WireField, value: number): void {
    if (value !== 0) this.present(field, value);
  }

  /** An integer with presence: zero is written, and null is left out. Throws where it is no integer. */
  present(field: WireField, value: number | null): void {
    if (value === null) return;
    this.#writer.tag(field.number, WireType.Varint);
    // Both forms are the same bytes; that of 64 bits takes two BigInts.
    if (value >= 0 && value <= uint32Max) this.#writer.uint32(value);
    else this.#writer.int64(value);
  }
}

const uint32Max = 0xffff_ffff;
