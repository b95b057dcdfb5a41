/** Whole numbers in as few bytes as they need: seven bits a byte, the lowest first (as protobuf and SQLite's kin do). */
export function writeVarints(values: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const value of values) {
    let rest = value;
    while (rest >= 0x80) {
      // No bit operators: they stop at 32 bits.
      bytes.push((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** The numbers again; what is cut off in the middle of one is left out. */
export function readVarints(bytes: Uint8Array): readonly number[] {
  const values: number[] = [];
  let value = 0;
  let factor = 1;
  for (const byte of bytes) {
    value += (byte % 0x80) * factor;
    factor *= 0x80;
    if (byte >= 0x80) continue;
    values.push(value);
    value = 0;
    factor = 1;
  }
  return values;
}
