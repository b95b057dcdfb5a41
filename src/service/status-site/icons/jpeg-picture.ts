import type { Sides } from "#service/status-site/icons/picture-sides";

/** Walks through the segments of a JPEG (ITU-T T.81 §B.1) up to the end of its picture, which is the end of the file. */
export function jpegSides(bytes: Buffer): Sides {
  let at = 2;
  let sides: Sides = "broken";
  let hasPixels = false;
  while (at + 2 <= bytes.length) {
    if (bytes[at] !== 0xff) return "broken";
    const marker = bytes[at + 1] ?? 0;
    // Any number of fill bytes may be before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) return hasPixels && at + 2 === bytes.length ? sides : "broken";
    if (at + 4 > bytes.length) return "broken";
    const length = bytes.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) return "broken";
    if (isFrame(marker)) {
      if (length < 8) return "broken";
      sides = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    }
    if (marker === startOfScan) hasPixels = true;
    at = marker === startOfScan ? afterScan(bytes, end) : end;
  }
  return "broken";
}

const endOfImage = 0xd9;
const startOfScan = 0xda;

/** SOF0 to SOF15, among which are three other markers: DHT, JPG and DAC. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** The next marker that is none of the scan's own: a stuffed zero, or a restart. */
function afterScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}
