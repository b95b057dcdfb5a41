import { crc32 } from "node:zlib";
import type { Sides } from "#service/status-site/icons/picture-sides";

/** Walks through the chunks of a PNG (ISO/IEC 15948 §5): IHDR is the first, and the file ends with IEND. */
export function pngSides(bytes: Buffer): Sides {
  let at = 8;
  let sides: Sides = "broken";
  let hasPixels = false;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) return "broken";
    const kind = bytes.toString("latin1", at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return "broken";
    if (at === 8) {
      if (kind !== "IHDR" || length !== 13) return "broken";
      sides = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
    }
    if (kind === "IDAT") hasPixels = true;
    if (kind === "IEND")
      return hasPixels && length === 0 && end === bytes.length ? sides : "broken";
    at = end;
  }
  return "broken";
}
