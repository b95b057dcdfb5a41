import type { Sides } from "#service/status-site/icons/picture-sides";

/** Walks through the chunks of a WebP (RFC 9649 §2), whose length is in its head. */
export function webpSides(bytes: Buffer): Sides {
  if (bytes.length < 20 || bytes.readUInt32LE(4) + 8 !== bytes.length) return "broken";
  let sides: Sides = "broken";
  let hasPixels = false;
  for (let at = 12; at < bytes.length;) {
    if (at + 8 > bytes.length) return "broken";
    const kind = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (data.length < length) return "broken";
    const own = sidesOf(kind, data);
    // The canvas of an extended file is first, and the largest.
    if (own !== null && sides === "broken") sides = own;
    if (kind === "VP8 " || kind === "VP8L" || kind === "ANMF") hasPixels = true;
    at += 8 + length + (length % 2);
  }
  return hasPixels ? sides : "broken";
}

/** Null for a chunk that does not say how large the picture is. */
function sidesOf(kind: string, data: Buffer): Sides | null {
  switch (kind) {
    case "VP8X":
      return data.length < 10 ? "broken" : [data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1];
    case "VP8 ":
      return data.length < 10
        ? "broken"
        : [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff];
    case "VP8L": {
      if (data.length < 5 || data[0] !== 0x2f) return "broken";
      const bits = data.readUInt32LE(1);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    default:
      return null;
  }
}
