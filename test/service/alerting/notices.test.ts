import { expect, test } from "vitest";
import { noticeOf } from "#service/alerting/notices";
import type { MonitorSnapshot } from "#service/alerting/snapshot";
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
    acknowledgeAll: () => null,
    incidents: () => null,
    monitor: () => null,
    location: () => null,
    maintenance: () => null,
    channel: () => null,
    key: ({ kind, id }) => `${kind} ${id}`,
  },
  openOf: () => [],
};

const openOnes = (...numbers: readonly number[]) =>
  numbers.map((number) => ({ number, isAcknowledged: false, isFailing: true }));

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

test("a group's title counts the monitors that it names, and all that fail in the same way now", () => {
  const two = [1, 2].map((number) =>
    queue({ number, events: [["opened", 40]], seen: { fails: fault(56) } }),
  );
  const recent = [{ at: after(5), isDigest: true, cause: "7 dns_timeout dns" }];
  const [letter] = composed(two, 75, { recent }).letters;
  if (letter === undefined) throw new Error("there is a letter");
  const notice = noticeOf(letter, { ...around, openOf: () => openOnes(1, 2, 3, 4, 5, 6, 7, 8) });
  expect(notice.type === "digest" ? notice.entries.length : 0).toBe(2);
  expect(say(notice, "UTC").title).toBe("Down: 2 monitors at office, 8 of 56 fail the same way");
  expect(say(notice, "UTC").reason).toBe("No name server answered");
});

test.each([
  { of: 12, failing: 2, what: "two ports that refuse, each for itself", says: [] },
  { of: 3, failing: 2, what: "two of three monitors", says: [] },
  { of: 12, failing: 5, what: "fewer than half of a location's monitors", says: [] },
  {
    of: 12,
    failing: 6,
    what: "half of a location's monitors",
    says: ["5 more of 12 monitors at office fail the same way"],
  },
  {
    of: 90,
    failing: 20,
    what: "twenty monitors",
    says: ["19 more of 90 monitors at office fail the same way"],
  },
  {
    of: 12,
    failing: 2,
    shared: { sentence: "host 10.0.0.9 does not answer", affected: 2 },
    what: "two that their agent finds to share a host",
    says: ["1 more of 12 monitors at office fails the same way"],
  },
])("a message about one counts what fails the same way as a group would: $what", (row) => {
  const { of, failing, says } = row;
  const shared = "shared" in row ? { shared: row.shared } : {};
  const fails = { ...fault(of, "connection_refused"), ...shared };
  const [letter] = composed([queue({ events: [["opened", 0]], seen: { fails } })], 60).letters;
  if (letter === undefined) throw new Error("there is a letter");
  const open = Array.from({ length: failing }, (_, index) => index + 1);
  const { facts } = say(noticeOf(letter, { ...around, openOf: () => openOnes(...open) }), "UTC");
  expect(facts.filter(({ name }) => name === "Also").map(({ value }) => value)).toEqual(says);
  const passing = openOnes(...open).map((one) => ({ ...one, isFailing: one.number === 1 }));
  const alone = say(noticeOf(letter, { ...around, openOf: () => passing }), "UTC");
  expect(alone.facts.filter(({ name }) => name === "Also")).toEqual([]);
});

test("a group leads to the list of its incidents, and one link acknowledges those that wait for a person", () => {
  const links: Surroundings["links"] = {
    ...around.links,
    acknowledge: ({ number }) => `one ${number}`,
    acknowledgeAll: (numbers, until) => `all ${numbers.join()} until ${until}`,
    incidents: (numbers) => `list ${numbers.join()}`,
  };
  let openBefore: ReturnType<Surroundings["openOf"]> = [];
  const linksIn = (numbers: readonly number[], acknowledged: readonly number[]) => {
    const [letter] = composed(
      numbers.map((number) => {
        const one = queue({ number, events: [["opened", 0]], seen: { fails: fault(4) } });
        const by = acknowledged.includes(number)
          ? { at: noon, by: "ann", severity: "error" as const }
          : null;
        return { ...one, incident: { ...one.incident, acknowledged: by } };
      }),
      40,
    ).letters;
    const notice = letter && noticeOf(letter, { ...around, links, openOf: () => openBefore });
    const said = notice && say(notice, "UTC");
    return [said?.links[0]?.url, said?.acknowledgeUrl, said?.acknowledgeLabel];
  };
  const list = "list 1,2,3";
  const all = `all 1,2,3 until ${after(60)}`;
  expect(linksIn([1, 2, 3], [])).toEqual([list, all, "Acknowledge all 3"]);
  expect(linksIn([1, 2, 3], [2])).toEqual([list, all, "Acknowledge 2 of 3"]);
  expect(linksIn([1, 2, 3], [1, 2])).toEqual([list, all, "Acknowledge 1 of 3"]);
  expect(linksIn([1, 2, 3], [1, 2, 3])).toEqual([list, null, undefined]);
  // Others of the cause were in messages before: one of them waits, and someone has acknowledged the other.
  openBefore = [...openOnes(4), { number: 5, isAcknowledged: true, isFailing: true }];
  const five = `all 1,2,3,4,5 until ${after(60)}`;
  expect(linksIn([1, 2, 3], [])).toEqual(["list 1,2,3,4,5", five, "Acknowledge 4 of 5"]);
});

test("a list begins with what is down, then what is slow, then certificates, and what is over comes last", () => {
  const certificate = { end: after(86_400 * 13 + 60), threshold: 14, since: after(0) };
  const result: MonitorSnapshot["result"] = {
    startedAt: after(30),
    latency: millis(31),
    threshold: null,
    statusCode: 503,
    attempts: 3,
    failure: {
      code: "unexpected_status",
      phase: "receive",
      message: "Request failed with status code 503",
    },
  };
  const waiting = { held: "quiet_hours" } as const;
  const sent = { kind: "opened" } as const;
  const queues = [
    queue({
      number: 1,
      events: [["closed", 20]],
      ended: { at: after(50), because: "recovered" },
      sent,
      waiting,
    }),
    queue({ number: 2, events: [["opened", 20, "degraded"]], seen: { certificate }, waiting }),
    queue({ number: 3, events: [["opened", 20, "degraded"]], waiting }),
    queue({ number: 4, events: [["opened", -60 * 60 * 15]], seen: { result }, waiting }),
  ];
  const [letter] = composed(queues, 60).letters;
  const links = {
    ...around.links,
    incident: (number: number) => `https://picket.test/incidents/${number}`,
  };
  const notice = letter && noticeOf(letter, { ...around, links });
  expect(notice).toMatchObject({ type: "digest", because: "quiet-hours" });
  const message = notice && say(notice, "Europe/Berlin");
  expect(message?.title).toBe("1 down, 1 slow, 1 with a certificate that ends, 1 up again");
  expect(message?.lines).toEqual([
    {
      lead: "Down: shop 4",
      rest: ", since 11 Aug, 23:00 CEST. The target answered 503 Service Unavailable; only 200 to 299 counts as success",
      url: "https://picket.test/incidents/4",
    },
    { lead: "Slow: shop 3", rest: ", since 14:00 CEST", url: "https://picket.test/incidents/3" },
    {
      lead: "Certificate ends: shop 2",
      rest: ". Its certificate ends in 13 days, on 25 August: renew it.",
      url: "https://picket.test/incidents/2",
    },
    {
      lead: "Up again: shop 1",
      rest: ", since 14:00 CEST, down for 30 s",
      url: "https://picket.test/incidents/1",
    },
  ]);
});

test("a list that is cut leaves out what is least severe", () => {
  const waiting = { held: "quiet_hours" } as const;
  const queues = Array.from({ length: 25 }, (_, index) =>
    queue({
      number: index + 1,
      events: [["opened", 20, index < 20 ? "degraded" : "error"]],
      waiting,
    }),
  );
  const [letter] = composed(queues, 60).letters;
  const message = letter && say(noticeOf(letter, around), "UTC");
  expect(message?.title).toBe("5 down, 15 slow, 5 more");
  expect(message?.lines).toHaveLength(21);
  expect(message?.lines[0]?.lead).toBe("Down: shop 21");
  expect(message?.lines.at(-1)?.lead).toBe("and 5 more");
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
  expect(titleOf(null)).toBe("5 still down");
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
  expect(lines[0]?.lead).toBe("Still down: shop 1");
});
