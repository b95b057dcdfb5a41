import { expect, test } from "vitest";
import { fitMessage } from "#service/notify/message/fit-message";
import type { Message } from "#service/notify/message/message";
import { lineText, unlinked } from "#service/notify/message/parts";
import { say } from "#service/notify/message/say";
import { notices } from "../../../support/notices.ts";

const size = ({ title, reason, facts, lines, note }: Message): number =>
  [
    title,
    reason,
    note,
    ...lines.map(lineText),
    ...facts.flatMap(({ name, value }) => [name, value]),
  ].join("").length;

const message: Message = {
  ...say(notices["monitor.error"], "UTC"),
  reason: "r".repeat(500),
  lines: [unlinked("one"), unlinked("two")],
};

test("the end of the reason is cut first, then lines, note and facts; title and links stay", () => {
  const whole = size(message);
  expect(fitMessage(message, size, whole)).toEqual(message);
  const shorter = fitMessage(message, size, whole - 100);
  expect(shorter).toEqual({ ...message, reason: `${"r".repeat(399)}…` });
  const tiny = fitMessage(message, size, 30);
  expect(tiny).toMatchObject({ title: "Down: shop", reason: "", lines: [], note: "" });
  expect(tiny.links).toEqual(message.links);
  expect(size(tiny)).toBeLessThanOrEqual(30);
});
