import * as limits from "#limits/status-limits";
import { icoSides } from "#service/status-site/icons/ico-picture";
import { jpegSides } from "#service/status-site/icons/jpeg-picture";
import type { Sides } from "#service/status-site/icons/picture-sides";
import { pngSides } from "#service/status-site/icons/png-picture";
import { isSvg } from "#service/status-site/icons/svg-picture";
import { webpSides } from "#service/status-site/icons/webp-picture";
import type { IconKind } from "#service/status-page/icon-name";

type ReadPicture =
  | { readonly is: "picture"; readonly kind: IconKind }
  | { readonly is: "fault"; readonly message: string };

/**
 * What kind of picture some bytes are. What a file is called, and what a browser says of it, counts for nothing. A picture
 * has to be one from its first byte to its last: nothing else is hidden before, between or behind.
 */
export function pictureIn(bytes: Buffer): ReadPicture {
  if (bytes.length === 0) return fault("is empty: choose another file");
  for (const [kind, begin, sidesOf] of pixelKinds)
    if (begins(bytes, begin)) return judged(kind, sidesOf(bytes));
  if (isSvg(bytes)) return { is: "picture", kind: "svg" };
  return fault("must be a PNG, JPEG, WebP, ICO or SVG picture: choose another file");
}

type PixelKind = readonly [
  kind: IconKind,
  begin: readonly (number | null)[],
  sidesOf: (bytes: Buffer) => Sides,
];

/** By their first bytes; null is any. */
const pixelKinds: readonly PixelKind[] = [
  ["png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], pngSides],
  ["jpg", [0xff, 0xd8, 0xff], jpegSides],
  ["webp", [...Buffer.from("RIFF"), null, null, null, null, ...Buffer.from("WEBP")], webpSides],
  ["ico", [0, 0, 1, 0], icoSides],
];

const kindWords: Readonly<Record<IconKind, string>> = {
  png: "a PNG",
  jpg: "a JPEG",
  webp: "a WebP",
  ico: "an ICO",
  svg: "an SVG",
};

const begins = (bytes: Buffer, begin: readonly (number | null)[]): boolean =>
  begin.every((one, index) => one === null || bytes[index] === one);

function judged(kind: IconKind, sides: Sides): ReadPicture {
  if (sides === "broken")
    return fault(
      `begins as ${kindWords[kind]} picture and is not one to its end: save the picture as a new PNG file`,
    );
  const max = limits.pageIconSideMax;
  if (Math.min(...sides) < 1 || Math.max(...sides) > max)
    return fault(`is ${sides.join(" × ")} pixels: save it with at most ${max} on each side`);
  return { is: "picture", kind };
}

const fault = (message: string): ReadPicture => ({ is: "fault", message });
