import { expect, test } from "vitest";
import { audienceSentence } from "#service/operator/publishing/subscriber-count";

test("a form says whether no one has subscribed yet, or no one is left", () => {
  const none = { confirmed: 0, unconfirmed: 0, ended: 0, concerned: 0 };
  expect(audienceSentence(none)).toBe("No one has subscribed to the page yet.");
  expect(audienceSentence({ ...none, ended: 3 })).toBe(
    "The page has no subscriber now: 3 have ended.",
  );
});

test("a form says how many get it, of those who chose components and of those who have not confirmed", () => {
  const some = { confirmed: 5, unconfirmed: 0, ended: 1, concerned: 5 };
  const said = [
    some,
    { ...some, concerned: 2 },
    { ...some, concerned: 0 },
    { ...some, unconfirmed: 1 },
  ];
  expect(said.map(audienceSentence)).toEqual([
    "5 subscribers get it.",
    "2 of 5 subscribers get it: the others chose other components.",
    "None of the 5 subscribers gets it: they chose other components.",
    "5 subscribers get it. 1 has not confirmed yet, and gets nothing before that.",
  ]);
});
