import { expect, test } from "vitest";
import { audienceSentence } from "#service/operator/publishing/subscriber-count";

test("a form says whether no one has subscribed yet, or no one is left", () => {
  const none = { confirmed: 0, unconfirmed: 0, ended: 0 };
  expect(audienceSentence(none)).toBe("No one has subscribed to the page yet.");
  expect(audienceSentence({ ...none, ended: 3 })).toBe(
    "The page has no subscriber now: 3 have ended.",
  );
});
