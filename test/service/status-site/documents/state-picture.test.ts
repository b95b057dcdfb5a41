import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { statePicture } from "#service/status-site/documents/state-picture";
import { pageStates } from "#service/status-page/component-state";

/** What a reader of PNG sees: sizes, the two colours, and where the second one is. */
function decoded(bytes: Uint8Array) {
  const file = Buffer.from(bytes);
  expect(file.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    chunks.set(file.toString("latin1", at + 4, at + 8), file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const [head, colours, points] = ["IHDR", "PLTE", "IDAT"].map((name) => chunks.get(name));
  const rows = inflateSync(points ?? Buffer.alloc(0));
  const width = head?.readUInt32BE(0) ?? 0;
  return {
    names: [...chunks.keys()].join(" "),
    size: [width, head?.readUInt32BE(4), rows.length / (width + 1)],
    colours: colours?.toString("hex"),
    at: (x: number, y: number) => rows[y * (width + 1) + 1 + x],
  };
}

test("each state is a picture that a reader of PNG takes, small and always the same", () => {
  for (const state of pageStates) {
    const bytes = statePicture(state);
    const { names, size } = decoded(bytes);
    expect([state, names, size]).toEqual([state, "IHDR PLTE IDAT IEND", [1_200, 630, 630]]);
    expect(bytes.length).toBeLessThan(8_000);
    expect(statePicture(state)).toBe(bytes);
  }
});

test("what works is a green disc with a hook, and what is down a red octagon with a cross", () => {
  const fine = decoded(statePicture("operational"));
  // The ground, the disc, the hook within it.
  expect([fine.colours, fine.at(10, 10), fine.at(600, 180), fine.at(575, 373)]).toEqual([
    "f8f8f61f6b3b",
    0,
    1,
    0,
  ]);
  const down = decoded(statePicture("major_outage"));
  expect([down.colours, down.at(600, 180), down.at(600, 315), down.at(450, 165)]).toEqual([
    "f8f8f6b01f24",
    1,
    0,
    0,
  ]);
});
