import { expect, test } from "vitest";
import { type FrameHead, FrameHeads } from "#probes/http/frame-heads";

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const frame = (type: number, flags: number, payload: string): Buffer => {
  const { length } = payload;
  return Buffer.concat([
    Buffer.from([length >> 16, (length >> 8) & 255, length & 255, type, flags, 0, 0, 0, 1]),
    Buffer.from(payload),
  ]);
};
const headers = { type: 1, flags: 4, length: 300 };
const data = { type: 0, flags: 1, length: 2 };
const sent = Buffer.concat([preface, frame(1, 4, "h".repeat(300)), frame(0, 1, "ok")]);

test.each([1, 7, 24, 33, sent.length])(
  "heads of frames are found behind a preface, in pieces of %i bytes",
  (size) => {
    const frames = new FrameHeads(preface.length);
    const found: FrameHead[] = [];
    const whole: number[] = [];
    for (let at = 0; at < sent.length; at += size) {
      frames.push(sent.subarray(at, at + size), (head) => found.push(head) > 0);
      if (frames.isWhole) whole.push(Math.min(at + size, sent.length));
    }
    expect(found).toEqual([headers, data]);
    // A piece may end where the preface does, or a frame.
    expect(whole.at(-1)).toBe(sent.length);
    expect(whole.every((end) => [24, 333, sent.length].includes(end))).toBe(true);
  },
);

test("nothing is looked at behind a head that is refused", () => {
  const found: FrameHead[] = [];
  const frames = new FrameHeads();
  const whole = sent.subarray(preface.length);
  expect(frames.push(whole, (head) => found.push(head) === 0)).toBe(0);
  expect(found).toEqual([headers]);
});

test.each([1, 7, sent.length])(
  "bytes before a head that is refused are counted, in pieces of %i bytes",
  (size) => {
    const frames = new FrameHeads();
    const whole = sent.subarray(preface.length);
    const second = 9 + headers.length;
    let passed = 0;
    for (let at = 0; at < whole.length; at += size) {
      const piece = whole.subarray(at, at + size);
      const before = frames.push(piece, ({ type }) => type !== data.type);
      passed = at + before;
      if (before < piece.length) break;
    }
    // What of the head came in earlier pieces had passed already.
    expect(passed).toBe(Math.max(second, Math.floor((second + 8) / size) * size));
  },
);
