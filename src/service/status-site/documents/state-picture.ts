import { crc32, deflateSync } from "node:zlib";
import type { PageState } from "#service/status-page/component-state";

/**
 * How a page stands as a picture of 1,200 × 630 points, for chats that show one next to a link: they take PNG and no SVG.
 * It has the shape of the page's own mark, and no word, so that it is right in every language.
 */
export const statePicture = (state: PageState): Uint8Array<ArrayBuffer> =>
  known.getOrInsertComputed(state, () => png(looks[state]));

const known = new Map<PageState, Uint8Array<ArrayBuffer>>();
const [width, height] = [1_200, 630];
/** The mark is drawn on a sheet of 16 × 16, and so large in points. */
const markSize = 360;

interface Look {
  readonly colour: string;
  /** Whether a place of the sheet is in the shape, or in what is cut out of it. */
  readonly shape: (x: number, y: number) => boolean;
  readonly cuts: readonly Line[];
}
type Line = readonly [fromX: number, fromY: number, toX: number, toY: number];

const disc = (x: number, y: number): boolean => Math.hypot(x - 8, y - 8) <= 7;
const ring = (x: number, y: number): boolean => Math.abs(Math.hypot(x - 8, y - 8) - 6.2) <= 0.8;
const octagon = (x: number, y: number): boolean =>
  Math.max(Math.abs(x - 8), Math.abs(y - 8)) <= 7 && Math.abs(x - 8) + Math.abs(y - 8) <= 10;
const triangle = (x: number, y: number): boolean =>
  y >= 1.2 && y <= 14.6 && Math.abs(x - 8) <= ((y - 1.2) / 13.4) * 7.4;

const warning: Look = {
  colour: "844a00",
  shape: triangle,
  cuts: [
    [8, 6, 8, 9.4],
    [8, 12, 8, 12.6],
  ],
};
const alarm: Look = {
  colour: "b01f24",
  shape: octagon,
  cuts: [
    [5.2, 5.2, 10.8, 10.8],
    [10.8, 5.2, 5.2, 10.8],
  ],
};
const looks: { readonly [S in PageState]: Look } = {
  operational: {
    colour: "1f6b3b",
    shape: disc,
    cuts: [
      [4.6, 8.2, 6.9, 10.6],
      [6.9, 10.6, 11.4, 5.6],
    ],
  },
  degraded: warning,
  partial_outage: alarm,
  major_outage: alarm,
  maintenance: { colour: "0b57a4", shape: ring, cuts: [] },
  unknown: { colour: "555b65", shape: ring, cuts: [] },
};
const ground = "f8f8f6";

/** How far a place is from a line. */
function distance(x: number, y: number, [fromX, fromY, toX, toY]: Line): number {
  const [alongX, alongY] = [toX - fromX, toY - fromY];
  const part = ((x - fromX) * alongX + (y - fromY) * alongY) / (alongX ** 2 + alongY ** 2);
  const place = Math.min(1, Math.max(0, part));
  return Math.hypot(x - fromX - place * alongX, y - fromY - place * alongY);
}

/** Lines of points, each behind a byte that says how it is written; 1 is the colour, 0 the ground. */
function pointsOf({ shape, cuts }: Look): Uint8Array {
  const rows = new Uint8Array((width + 1) * height);
  const [left, top] = [(width - markSize) / 2, (height - markSize) / 2];
  for (let row = 0; row < markSize; row += 1)
    for (let column = 0; column < markSize; column += 1) {
      const [x, y] = [(column / markSize) * 16, (row / markSize) * 16];
      if (!shape(x, y) || cuts.some((line) => distance(x, y, line) <= 0.95)) continue;
      rows[(top + row) * (width + 1) + 1 + left + column] = 1;
    }
  return rows;
}

/** The PNG specification, chapters 5 and 11: a head, two colours, points and an end. */
function png(look: Look): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a point, by a list of colours.
  head.writeUInt8(8, 8);
  head.writeUInt8(3, 9);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(ground + look.colour, "hex")),
    chunk("IDAT", deflateSync(pointsOf(look), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
