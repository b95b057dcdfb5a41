import { describe, expect, test } from "vitest";
import { pageIconSideMax } from "#limits/status-limits";
import { pictureIn } from "#service/status-site/icons/picture-kind";
import { pngOf } from "../../../support/png-picture.ts";

const kindOf = (bytes: Buffer): string => {
  const read = pictureIn(bytes);
  return read.is === "picture" ? read.kind : read.message;
};

/** The smallest files of their kinds. */
const jpeg = Buffer.from("ffd8ffc0000b080010001001011100ffda0008010100003f0012ff0034ffd9", "hex");
const webp = Buffer.concat([
  Buffer.from("RIFF"),
  Buffer.from([18, 0, 0, 0]),
  Buffer.from("WEBPVP8L"),
  Buffer.from([5, 0, 0, 0, 0x2f, 15, 0xc0, 3, 0, 0]),
]);
const ico = (picture: Buffer): Buffer => {
  const head = Buffer.alloc(22);
  head.set([0, 0, 1, 0, 1, 0, 16, 16]);
  head.writeUInt32LE(picture.length, 14);
  head.writeUInt32LE(22, 18);
  return Buffer.concat([head, picture]);
};
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1"/></svg>';

describe("a picture is known by its bytes", () => {
  test.each([
    ["png", pngOf(16, 16)],
    ["jpg", jpeg],
    ["webp", webp],
    ["ico", ico(pngOf(16, 16))],
    ["svg", Buffer.from(svg)],
    ["svg", Buffer.from(`\ufeff<?xml version="1.0"?>\n<!-- By hand --><!DOCTYPE svg>\n${svg}\n`)],
  ])("%s", (kind, bytes) => expect(kindOf(bytes)).toBe(kind));
});

const script = Buffer.from("<script>alert(1)</script>");
const isNone = "must be a PNG, JPEG, WebP, ICO or SVG picture: choose another file";

describe("what is not a picture from its first byte to its last is refused", () => {
  test.each([
    ["nothing", Buffer.alloc(0), "is empty: choose another file"],
    ["a text", Buffer.from("icon.png"), isNone],
    ["a page", Buffer.from(`<html>${svg}</html>`), isNone],
    ["an SVG picture with a page behind it", Buffer.from(`${svg}<html></html>`), isNone],
    // Each would take minutes if it were searched anew from each of its begins.
    ["comments without an end", Buffer.from("<!--".repeat(65_000)), isNone],
    ["document types without an end", Buffer.from("<!DOCTYPE ".repeat(26_000)), isNone],
    [
      "an SVG picture with entities",
      Buffer.from(`<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg}`),
      isNone,
    ],
    ["a page before a PNG", Buffer.concat([script, pngOf(16, 16)]), isNone],
    ["a PNG with a page behind it", Buffer.concat([pngOf(16, 16), script]), "begins as a PNG"],
    ["half a PNG", pngOf(16, 16).subarray(0, 50), "begins as a PNG"],
    ["a JPEG with a page behind it", Buffer.concat([jpeg, script]), "begins as a JPEG"],
    ["a WebP with a page behind it", Buffer.concat([webp, script]), "begins as a WebP"],
    ["an ICO with a page in it", ico(script), "begins as an ICO"],
    [
      "an ICO with a page behind it",
      Buffer.concat([ico(pngOf(16, 16)), script]),
      "begins as an ICO",
    ],
    ["more pixels than a phone likes", pngOf(pageIconSideMax + 1, 1), "is 2049 × 1 pixels"],
  ])("%s", (_what, bytes, message) => expect(kindOf(bytes)).toContain(message));
});
