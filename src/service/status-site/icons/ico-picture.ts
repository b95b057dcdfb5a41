import type { Sides } from "#service/status-site/icons/picture-sides";
import { pngSides } from "#service/status-site/icons/png-picture";

const headBytes = 6;
const entryBytes = 16;
/** Of a bitmap without the head of its file. */
const bitmapHead = 40;

interface Entry {
  readonly begin: number;
  readonly end: number;
}

/** The largest picture of an ICO. Its pictures have to fill the file, one behind the other. */
export function icoSides(bytes: Buffer): Sides {
  const count = bytes.length < headBytes ? 0 : bytes.readUInt16LE(4);
  const first = headBytes + count * entryBytes;
  if (count === 0 || first > bytes.length) return "broken";
  const entries = Array.from({ length: count }, (_, index) => entryAt(bytes, index)).toSorted(
    (a, b) => a.begin - b.begin,
  );
  const isFilled = entries.every(
    ({ begin, end }, index) => begin < end && begin === (entries[index - 1]?.end ?? first),
  );
  if (!isFilled || entries.at(-1)?.end !== bytes.length) return "broken";
  let [width, height] = [0, 0];
  for (const { begin, end } of entries) {
    const sides = sidesOf(bytes.subarray(begin, end));
    if (sides === "broken") return "broken";
    width = Math.max(width, sides[0]);
    height = Math.max(height, sides[1]);
  }
  return [width, height];
}

function entryAt(bytes: Buffer, index: number): Entry {
  const at = headBytes + index * entryBytes;
  const begin = bytes.readUInt32LE(at + 12);
  return { begin, end: begin + bytes.readUInt32LE(at + 8) };
}

/** A bitmap has its mask below it, so it says twice its height. */
function sidesOf(picture: Buffer): Sides {
  if (picture[0] === 0x89) return pngSides(picture);
  if (picture.length < bitmapHead || picture.readUInt32LE(0) !== bitmapHead) return "broken";
  return [picture.readInt32LE(4), Math.floor(picture.readInt32LE(8) / 2)];
}
