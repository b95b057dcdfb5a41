import { expect, test } from "vitest";
import type { DigestEntry } from "#service/notify/event";
import { lineText } from "#service/notify/message/parts";
import { say } from "#service/notify/message/say";
import { notices } from "../../../support/notices.ts";

const { digest } = notices;
const of = (...sayings: readonly DigestEntry["saying"][]) => {
  const [first] = digest.entries;
  if (first === undefined) throw new Error("the digest is empty");
  const entries = sayings.map((saying) => ({ ...first, saying }));
  return say({ ...digest, cause: null, count: entries.length, entries }, "UTC");
};

test.each([
  ["location.online", "1 location back", "2 locations back"],
  ["location.offline", "1 location offline", "2 locations offline"],
  ["location.well", "1 agent well again", "2 agents well again"],
  ["channel.failing", "1 channel failing", "2 channels failing"],
  ["monitor.error", "1 down", "2 down"],
] as const)("the title counts one %s as a person would", (type, one, two) => {
  const saying = notices[type];
  expect(of(saying).title).toBe(one);
  expect(of(saying, saying).title).toBe(two);
});

const settled = {
  ...notices["monitor.settled"],
  status: "error",
  wellSince: null,
  times: { down: 3, slow: 2 },
} as const;

test("a list of two has the whole reason of what flapped", () => {
  const { lines } = of(settled, settled);
  expect(lines.map(lineText)[0]).toMatch(
    /It was down 3 times, slow 2 times\. Since .* it is down without a break\.$/,
  );
});

test("a list of twenty cuts each reason between two words", () => {
  const { lines } = of(...Array.from({ length: 20 }, () => settled));
  expect(lines.map(lineText)[0]).toMatch(/ slow 2 times\. Since…$/);
});
