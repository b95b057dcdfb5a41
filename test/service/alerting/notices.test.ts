import { expect, test } from "vitest";
import { noticeOf } from "#service/alerting/notices";
import type { Surroundings } from "#service/alerting/surroundings";
import { say } from "#service/notify/message/say";
import { after, composed, fault, noon, queue, snapshot } from "./waiting.ts";
import { type EpochMillis, millis, minutes } from "#base/units";

const around: Surroundings = {
  service: { name: "Picket", url: null },
  now: after(60),
  channel: "team",
  stop: null,
  channelFails: false,
  delay: millis(0),
  remindsAfter: null,
  links: {
    incident: () => null,
    acknowledge: () => null,
    monitor: () => null,
    location: () => null,
    maintenance: () => null,
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

test("a group's title counts the monitors that it names, whatever else fails in the same way", () => {
  const two = [1, 2].map((number) =>
    queue({ number, events: [["opened", 40]], seen: { fails: fault(56) } }),
  );
  const recent = [{ at: after(5), isDigest: true, cause: "7 dns_timeout dns" }];
  const [letter] = composed(two, 75, { recent }).letters;
  if (letter === undefined) throw new Error("there is a letter");
  const notice = noticeOf(letter, { ...around, countOf: () => 8 });
  expect(notice.type === "digest" ? notice.entries.length : 0).toBe(2);
  expect(say(notice, "UTC").title).toBe("Down: 2 of 56 monitors at office");
  expect(say(notice, "UTC").reason).toBe("No name server answered");
});

const lateness = (
  waits: Parameters<typeof queue>[0],
  changes: Partial<Surroundings> = {},
  at = 600,
): string | null => {
  const [letter] = composed([queue(waits)], at).letters;
  const notice =
    letter === undefined ? null : noticeOf(letter, { ...around, now: after(at), ...changes });
  if (notice === null || notice.late === null) return null;
  const second = (instant: number): number => (instant - noon) / 1_000;
  return `${notice.late.away} ${second(notice.late.from)} ${second(notice.late.to)}`;
};

test("a late message names what held it, and the service only for the time that it was not there", () => {
  const opened = [["opened", 0]] as const;
  const events = { events: opened };
  const stop = { from: after(20), to: after(595) };
  expect(lateness(events, { stop })).toBe("service 20 595");
  // It was running, and something else held the message.
  expect(lateness(events, { stop: { from: after(-900), to: after(-600) } })).toBe(null);
  expect(lateness({ ...events, waiting: { held: "quiet_hours" } })).toBe("quiet-hours 0 600");
  expect(lateness({ ...events, waiting: { held: "silence" } })).toBe("silence 0 600");
  expect(lateness({ ...events, waiting: { held: "pace" } })).toBe("pace 0 600");
  expect(lateness({ ...events, waiting: { firstTriedAt: after(10) } }, { stop })).toBe(
    "channel 10 600",
  );
  expect(lateness(events, { channelFails: true })).toBe("channel 0 600");
  // What was asked for is no lateness, and a restart within quiet hours is not what held it.
  expect(lateness({ ...events, waiting: { held: "delay" } })).toBe(null);
  const delay = minutes(2);
  expect(lateness({ ...events, waiting: { held: "pace" } }, { delay })).toBe("pace 120 600");
  expect(lateness({ ...events, waiting: { held: "pace" } }, { delay }, 150)).toBe(null);
  const short = { from: after(100), to: after(200) };
  expect(lateness({ ...events, waiting: { held: "quiet_hours" } }, { stop: short })).toBe(
    "quiet-hours 0 600",
  );
  expect(lateness({ ...events, waiting: { held: "quiet_hours" } }, { stop })).toBe(
    "service 20 595",
  );
  expect(lateness(events, { stop: { from: after(1), to: after(30) } }, 31)).toBe(null);
});

test("a message that waited says how long it has lasted as it is sent", () => {
  const delay = minutes(2);
  const [letter] = composed([queue({ events: [["opened", 0]] })], 120, {
    rules: { delay },
  }).letters;
  if (letter === undefined) throw new Error("no message");
  const since = (now: number): string | undefined =>
    say(noticeOf(letter, { ...around, delay, now: after(now) }), "UTC").facts.find(
      ({ name }) => name === "Since",
    )?.value;
  expect(since(120)).toBe("12 Aug 2026, 12:00:00 UTC (2 min)");
  // It is tried again.
  expect(since(600)).toBe("12 Aug 2026, 12:00:00 UTC (10 min)");
});

test("a message of several counts what is steady and down as failing still, and what is up as steady", () => {
  const titleOf = (ended: { readonly at: EpochMillis; readonly because: "recovered" } | null) => {
    const settled = [1, 2, 3, 4, 5].map((number) =>
      queue({ number, events: [["settled", 0]], sent: { kind: "flapping" }, ended }),
    );
    const [letter] = composed(settled, 60).letters;
    return letter === undefined ? null : say(noticeOf(letter, around), "UTC").title;
  };
  expect(titleOf(null)).toBe("5 still failing");
  expect(titleOf({ at: after(0), because: "recovered" })).toBe("5 steady");
});

test("a group that is said again says that it fails still, and of how many", () => {
  const two = [1, 2].map((number) =>
    queue({
      number,
      events: [["reminder", 900]],
      sent: { together: 2 },
      seen: { fails: fault(56) },
    }),
  );
  const [letter] = composed(two, 930).letters;
  if (letter === undefined) throw new Error("there is a letter");
  const { title, lines } = say(noticeOf(letter, around), "UTC");
  expect(title).toBe("Still failing: 2 of 56 monitors at office");
  expect(lines[0]).toMatch(/^Still failing: shop 1, /);
});
