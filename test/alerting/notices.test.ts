import { expect, test } from "vitest";
import { noticeOf } from "#alerting/notices";
import type { Surroundings } from "#alerting/surroundings";
import { after, composed, fault, noon, queue, snapshot } from "./waiting.ts";

const around: Surroundings = {
  service: { name: "Picket", url: null },
  now: after(60),
  channel: "team",
  serviceSince: noon,
  remindsAfter: null,
  links: {
    incident: () => null,
    acknowledge: () => null,
    monitor: () => null,
    location: () => null,
    key: ({ kind, id }) => `${kind} ${id}`,
  },
  countOf: () => 2,
};

test.each([
  {
    what: "that no monitor's message has leads the message of all",
    message: "Timeout after 1500 ms",
    sentence: "host 10.0.0.9 does not answer",
    says: "Host 10.0.0.9 does not answer: Timeout after 1500 ms",
  },
  {
    what: "that a monitor's message has is said once, with how sure it is",
    message: "probably nothing in 10.0.2.0/24 answers; 1 more monitor is affected: Timeout",
    sentence: "nothing in 10.0.2.0/24 answers",
    says: "Probably nothing in 10.0.2.0/24 answers; 1 more monitor is affected: Timeout",
  },
])("a cause of several monitors $what", ({ message, sentence, says }) => {
  const { failure, ...rest } = fault(4);
  const fails = { ...rest, failure: { ...failure, message }, shared: { sentence, affected: 2 } };
  const { monitor } = snapshot("shop");
  const two = [1, 2].map((number) =>
    queue({ number, events: [["opened", 0]], seen: { monitor, fails } }),
  );
  const [letter] = composed(two, 8).letters;
  const notice = letter === undefined ? null : noticeOf(letter, around);
  expect(notice?.type === "digest" ? notice.cause?.failure.message : notice?.type).toBe(says);
});
