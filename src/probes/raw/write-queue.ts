/** What is still to be sent, in the order in which it was handed over. */
export class WriteQueue {
  #pieces: Uint8Array[] = [];
  /** How much of the first piece is gone. */
  #gone = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Kept as they are until they are gone. */
  add(pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) {
      if (piece.length > 0) this.#pieces.push(piece);
      this.#size += piece.length;
    }
  }

  /** Copies the beginning, as much as fits, and gives how much that is. */
  copyTo(room: Uint8Array): number {
    let filled = 0;
    let skipped = this.#gone;
    for (const piece of this.#pieces) {
      if (filled === room.length) break;
      const part = piece.subarray(skipped, skipped + room.length - filled);
      room.set(part, filled);
      filled += part.length;
      skipped = 0;
    }
    return filled;
  }

  /** Forgets the first `count` bytes. */
  drop(count: number): void {
    this.#size -= count;
    this.#gone += count;
    for (
      let [first] = this.#pieces;
      first !== undefined && this.#gone >= first.length;
      [first] = this.#pieces
    ) {
      this.#gone -= first.length;
      this.#pieces.shift();
    }
  }

  clear(): void {
    this.#pieces = [];
    this.#gone = this.#size = 0;
  }
}
