import { describe, expect, test } from "vitest";
import type { Severity } from "#service/alerting/incident";
import { recentLetter } from "#service/alerting/letters";
import type { Fault } from "#service/alerting/snapshot";
import { epochMillis, minutes } from "#base/units";
import {
  after,
  composed,
  dropped,
  fault,
  held,
  manners,
  noon,
  queue,
  snapshot,
  words,
} from "./waiting.ts";

const opened = (number: number, second = 0, of = 14): ReturnType<typeof queue> =>
  queue({ number, events: [["opened", second]], seen: { fails: fault(of) } });

describe("the first message", () => {
  test("waits five seconds", () => {
    const waiting = [queue({ events: [["opened", 0]] })];
    expect(held(composed(waiting, 4))).toEqual(["first_wait 5"]);
    expect(words(composed(waiting, 5))).toEqual(["opened"]);
  });
  test("of what got worse meanwhile is one, and says how it is", () => {
    const events = [
      ["opened", 0, "degraded"],
      ["worsened", 3],
    ] as const;
    const { letters } = composed([queue({ events })], 5);
    expect(letters[0]?.plans[0]?.lead.severity).toBe("error");
    expect(letters[0]?.plans[0]?.covers).toHaveLength(2);
  });
});

describe("what has a cause in common", () => {
  test("waits up to thirty seconds for more of it, and is one message for half of a location", () => {
    const two = [opened(1, 0), opened(2, 4)];
    expect(held(composed(two, 9))).toEqual(["group 30", "group 30"]);
    const twelve = Array.from({ length: 12 }, (_, index) => opened(index + 1, index * 2));
    expect(words(composed(twelve, 29))).toEqual([]);
    expect(words(composed(twelve, 30))).toEqual(["12 same-cause"]);
  });
  test("is not a group when it is two, or fewer than half", () => {
    expect(words(composed([opened(1), opened(2)], 30))).toEqual(["opened", "opened"]);
    const three = [opened(1, 0, 100), opened(2, 0, 100), opened(3, 0, 100)];
    expect(words(composed(three, 30))).toEqual(["opened", "opened", "opened"]);
  });
  test("is not a group when it is many monitors of one host, unless their agent says that they share it", () => {
    const one = snapshot("shop").monitor;
    const onOne = (
      number: number,
      second: number,
      shared: Partial<Fault>,
    ): ReturnType<typeof queue> =>
      queue({
        number,
        events: [["opened", second]],
        seen: { monitor: one, fails: { ...fault(4), ...shared } },
      });
    const silent = [1, 2, 3].map((number) => onOne(number, 0, {}));
    expect(words(composed(silent, 30))).toEqual(["opened", "opened", "opened"]);
    const shared = { sentence: "host 10.0.0.9 does not answer", affected: 2 };
    const both = [onOne(1, 0, {}), onOne(2, 3, { shared })];
    expect(words(composed(both, 8))).toEqual(["2 same-cause"]);
    // A third that fails in the same way is none of the two.
    expect(words(composed([...both, onOne(3, 4, {})], 33))).toEqual(["opened", "opened", "opened"]);
  });
  test("is of one server if servers answer: what another answers, or the same one otherwise, is apart", () => {
    const answers = (number: number, server: string, statusCode: number) =>
      queue({
        number,
        events: [["opened", 0]],
        seen: {
          fails: {
            location: { id: "7", name: "office" },
            failure: { code: "unexpected_status", phase: "assertion", message: `${statusCode}` },
            of: 10,
            whose: { is: "server", server, statusCode },
          },
        },
      });
    const shop = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => answers(number, "10.0.0.1:9001", 500));
    const all = [...shop, answers(9, "10.0.0.1:9001", 503), answers(10, "10.0.0.1:9002", 500)];
    expect(words(composed(all, 35))).toEqual(["8 same-cause", "opened", "opened"]);
    const cause = "7 unexpected_status assertion of 10.0.0.1:9001 500";
    const [group] = composed(shop, 35).letters;
    expect(group && recentLetter(group, after(35))).toMatchObject({ cause });
    const recent = [{ at: after(5), isDigest: true, cause }];
    expect(words(composed([answers(11, "10.0.0.1:9002", 500)], 40, { recent }))).toEqual([
      "opened",
    ]);
  });
  test("is sent at once when it is more than anyone would call chance", () => {
    const many = Array.from({ length: 167 }, (_, index) => opened(index + 1, 0, 1_000));
    expect(words(composed(many, 5))).toEqual(["167 same-cause"]);
  });
  test("joins for five minutes: at half a minute after the last message, as one", () => {
    const cause = "7 dns_timeout dns";
    const recent = [{ at: after(5), isDigest: true, cause }];
    const more = [opened(1, 10), opened(2, 12), opened(3, 20)];
    expect(held(composed(more, 30, { recent }))).toEqual(["group 35", "group 35", "group 35"]);
    expect(words(composed(more, 35, { recent }))).toEqual(["3 same-cause"]);
    expect(words(composed([opened(9, 60)], 66, { recent }))).toEqual(["opened"]);
  });
  test("joins for two periods where these are longer than five minutes", () => {
    const recent = [{ at: after(5), isDigest: true, cause: "7 dns_timeout dns" }];
    const late = (period: number) =>
      [1, 2].map((number) =>
        queue({
          number,
          events: [["opened", 1_000]],
          seen: { fails: fault(), period: minutes(period) },
        }),
      );
    expect(words(composed(late(10), 1_006, { recent }))).toEqual(["2 same-cause"]);
    expect(held(composed(late(5), 1_006, { recent }))).toEqual(["group 1030", "group 1030"]);
  });
  test("joins a group, and no message about one monitor", () => {
    const alone = [{ at: after(5), isDigest: false, cause: "7 dns_timeout dns" }];
    const two = [opened(1, 40, 56), opened(2, 42, 56)];
    expect(words(composed(two, 75, { recent: alone }))).toEqual(["opened", "opened"]);
  });
  test("joins a group of what shares one thing only if it shares that", () => {
    const shared = { sentence: "host 10.0.0.9 does not answer", affected: 8 };
    const recent = [
      { at: after(5), isDigest: true, cause: "7 dns_timeout dns", shared: shared.sentence },
    ];
    const other = [opened(1, 40, 56), opened(2, 42, 56)];
    expect(words(composed(other, 75, { recent }))).toEqual(["opened", "opened"]);
    const same = [3, 4].map((number) =>
      queue({ number, events: [["opened", 40]], seen: { fails: { ...fault(56), shared } } }),
    );
    expect(words(composed([...other, ...same], 75, { recent }))).toEqual([
      "2 same-cause",
      "opened",
      "opened",
    ]);
  });
  test("is remembered as a group by what it shares, unless it is wide", () => {
    const shared = { sentence: "host 10.0.0.9 does not answer", affected: 2 };
    const of = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        queue({
          number: index + 1,
          events: [["opened", 0]],
          seen: { fails: { ...fault(56), shared } },
        }),
      );
    const remembered = (count: number, at: number) =>
      composed(of(count), at).letters.map((letter) => recentLetter(letter, after(at)));
    const cause = "7 dns_timeout dns";
    expect(remembered(2, 5)).toEqual([
      { at: after(5), isDigest: true, cause, shared: shared.sentence },
    ]);
    expect(remembered(30, 5)).toEqual([{ at: after(5), isDigest: true, cause }]);
    // One alone is remembered as well: others may follow it.
    expect(remembered(1, 5)).toEqual([
      { at: after(5), isDigest: false, cause, shared: shared.sentence },
    ]);
  });
  test("takes in what opens again, which waits for company as well", () => {
    const again = (number: number) =>
      queue({
        number,
        events: [["reopened", 0]],
        sent: { kind: "closed" },
        seen: { fails: fault() },
      });
    expect(held(composed([again(1)], 4))).toEqual(["first_wait 5"]);
    const mixed = [...[1, 2, 3].map(again), ...[4, 5, 6, 7].map((number) => opened(number))];
    expect(words(composed(mixed, 30))).toEqual(["7 same-cause"]);
  });
  test("is sent as soon as it is a group, though three messages have just gone or are about to", () => {
    const many = Array.from({ length: 40 }, (_, index) => opened(index + 1, 0, 56));
    const single = (second: number) => ({ at: after(second), isDigest: false, cause: "" });
    const recent = [single(1), single(2), single(3)];
    expect(words(composed(many, 6, { recent }))).toEqual(["40 same-cause"]);
    const loose = [41, 42, 43, 44].map((number) => queue({ number, events: [["opened", 0]] }));
    expect(words(composed([...many, ...loose], 6))).toEqual(["40 same-cause", "4 many"]);
  });
  test("ends as one message if it was announced as one", () => {
    const up = (number: number, second: number): ReturnType<typeof queue> =>
      queue({
        number,
        events: [["closed", second]],
        sent: { together: 30 },
        seen: { fails: fault() },
      });
    const some = Array.from({ length: 12 }, (_, index) => up(index + 1, index));
    expect(held(composed(some, 20))).toContain("group 30");
    expect(words(composed(some, 30))).toEqual(["12 same-cause"]);
    const all = Array.from({ length: 40 }, (_, index) => up(index + 1, 0));
    expect(words(composed(all, 1))).toEqual(["40 same-cause"]);
  });
});

describe("what one server answers to several monitors, one check after the other", () => {
  const cause = "7 unexpected_status assertion of 10.0.0.1:9001 502";
  const fails: Fault = {
    location: { id: "7", name: "office" },
    failure: { code: "unexpected_status", phase: "assertion", message: "502" },
    of: 10,
    whose: { is: "server", server: "10.0.0.1:9001", statusCode: 502 },
  };
  const one = (
    number: number,
    [kind, second]: readonly ["opened" | "reminder" | "closed" | "flapping", number],
    seen: Fault = fails,
  ) =>
    queue({
      number,
      events: [[kind, second]],
      seen: { fails: seen },
      ...(kind === "opened" ? {} : { sent: {} }),
    });
  const opens = (number: number, second: number, seen?: Fault) =>
    one(number, ["opened", second], seen);
  const lone = { at: after(5), isDigest: false, cause };
  const recent = [lone];
  test("is a first message after five seconds, and one of those that follow it in half a minute", () => {
    const first = composed([opens(1, 0)], 5);
    expect(words(first)).toEqual(["opened"]);
    expect(first.letters.map((letter) => recentLetter(letter, after(5)))).toEqual(recent);
    const rest = [opens(2, 8), opens(3, 15), opens(4, 23)];
    expect(held(composed(rest.slice(0, 1), 13, { recent }))).toEqual(["group 35"]);
    expect(held(composed(rest, 28, { recent }))).toEqual(["group 35", "group 35", "group 35"]);
    expect(words(composed(rest, 35, { recent }))).toEqual(["3 same-cause"]);
    expect(words(composed(rest.slice(0, 1), 35, { recent }))).toEqual(["opened"]);
    for (const manner of ["pager", "webhook"] as const)
      expect(words(composed(rest, 28, { recent, manner }))).toHaveLength(3);
  });
  test("that joins a group minutes later is a first message and one more, also if it comes one by one", () => {
    const group = { at: after(5), isDigest: true, cause };
    expect(words(composed([opens(1, 120)], 125, { recent: [group] }))).toEqual(["opened"]);
    const both = [group, { at: after(125), isDigest: false, cause }];
    const rest = [opens(2, 121), opens(3, 127)];
    expect(held(composed(rest, 132, { recent: both }))).toEqual(["group 155", "group 155"]);
    expect(words(composed(rest, 155, { recent: both }))).toEqual(["2 same-cause"]);
  });
  test("flaps in one message: the first at once, and those that follow in half a minute", () => {
    const flaps = (number: number, second: number) => one(number, ["flapping", second]);
    const first = composed([flaps(1, 0)], 0);
    expect(words(first)).toEqual(["flapping"]);
    const just = first.letters.map((letter) => recentLetter(letter, after(0)));
    const rest = [flaps(2, 8), flaps(3, 15)];
    expect(held(composed(rest, 15, { recent: just }))).toEqual(["group 30", "group 30"]);
    expect(words(composed(rest, 30, { recent: just }))).toEqual(["2 same-cause"]);
  });
  test("holds up nothing that began later, fails otherwise, or may have another cause", () => {
    expect(words(composed([opens(2, 36)], 41, { recent }))).toEqual(["opened"]);
    const whose = { is: "server", server: "10.0.0.1:9001", statusCode: 503 } as const;
    expect(words(composed([opens(2, 8, { ...fails, whose })], 13, { recent }))).toEqual(["opened"]);
    const refused = [{ ...lone, cause: "7 dns_timeout dns" }];
    expect(words(composed([opens(2, 8, fault())], 13, { recent: refused }))).toEqual(["opened"]);
    const shared = { sentence: "host 10.0.0.9 does not answer", affected: 2 };
    const tied = opens(2, 8, { ...fault(), shared });
    expect(held(composed([tied], 13, { recent: refused }))).toEqual(["group 35"]);
  });
  test("is one message after a delay for all whose delay is over, and one for those that follow", () => {
    const rules = { delay: minutes(1) };
    const four = [opens(1, 0), opens(2, 0), opens(3, 8), opens(4, 15)];
    expect(words(composed(four, 60, { rules }))).toEqual(["2 same-cause"]);
    const after60 = [{ ...lone, at: after(60) }];
    expect(held(composed(four.slice(2), 76, { rules, recent: after60 }))).toEqual([
      "group 90",
      "group 90",
    ]);
    expect(words(composed(four.slice(2), 90, { rules, recent: after60 }))).toEqual([
      "2 same-cause",
    ]);
  });
  test.each(["reminder", "closed"] as const)(
    "is one message of each %s that comes with or soon after another",
    (kind) => {
      const all = [1, 2, 3].map((number) => one(number, [kind, 900 + number]));
      const first = composed(all.slice(0, 1), 901);
      expect(words(first)).toHaveLength(1);
      const after901 = first.letters.map((letter) => recentLetter(letter, after(901)));
      expect(held(composed(all.slice(1), 904, { recent: after901 }))).toEqual([
        "group 931",
        "group 931",
      ]);
      expect(words(composed(all.slice(1), 931, { recent: after901 }))).toEqual(["2 same-cause"]);
      expect(words(composed(all, 931))).toEqual(["3 same-cause"]);
      for (const manner of ["pager", "webhook"] as const)
        expect(words(composed(all, 931, { manner }))).toHaveLength(3);
    },
  );
  test("is said again apart for what shares another thing", () => {
    const tied = (number: number, host: string) =>
      one(number, ["reminder", 900], {
        ...fault(),
        shared: { sentence: `host ${host} does not answer`, affected: 2 },
      });
    const all = [tied(1, "a"), tied(2, "a"), tied(3, "b")];
    expect(words(composed(all, 930))).toEqual(["2 same-cause", "reminder"]);
  });
});

describe("more than three in half a minute", () => {
  test("of one code are a list, not a group: they need not have a cause in common", () => {
    const five = [1, 2, 3, 4, 5].map((number) => opened(number, 0, 56));
    expect(words(composed(five, 30))).toEqual(["5 many"]);
  });
  const four = [1, 2, 3, 4].map((number) => queue({ number, events: [["opened", 0]] }));
  test("are one message; three are three", () => {
    expect(words(composed(four, 5))).toEqual(["4 many"]);
    expect(words(composed(four.slice(1), 5))).toEqual(["opened", "opened", "opened"]);
  });
  test("wait when three or a digest have just gone", () => {
    const single = (second: number) => ({ at: after(second), isDigest: false, cause: "" });
    const three = [single(0), single(2), single(4)];
    expect(held(composed(four.slice(3), 10, { recent: three }))).toEqual(["digest 30"]);
    expect(words(composed(four.slice(3), 30, { recent: three }))).toEqual(["opened"]);
    const digest = [{ at: after(8), isDigest: true, cause: "" }];
    expect(held(composed(four, 10, { recent: digest }))).toHaveLength(4);
    expect(words(composed(four, 38, { recent: digest }))).toEqual(["4 many"]);
  });
  test("are one list once they have waited for it, also if they are few by then; one alone is itself", () => {
    const waited = [1, 2].map((number) =>
      queue({ number, events: [["opened", 0]], waiting: { held: "digest" } }),
    );
    expect(words(composed(waited, 38))).toEqual(["2 many"]);
    expect(words(composed([...waited, ...four.slice(3)], 38))).toEqual(["opened", "2 many"]);
    expect(words(composed(waited.slice(1), 38))).toEqual(["opened"]);
  });
  test("are as many messages to a pager or a webhook", () => {
    expect(words(composed(four, 5, { manner: "pager" }))).toHaveLength(4);
    expect(words(composed(four, 5, { manner: "webhook" }))).toHaveLength(4);
    expect(words(composed(four, 5, { manner: "phone" }))).toEqual(["4 many"]);
  });
});

describe("what ends", () => {
  test("is said where its alert went", () => {
    const waiting = [queue({ events: [["closed", 60]], sent: {} })];
    const { letters } = composed(waiting, 60);
    expect(letters[0]?.plans[0]?.occasion).toEqual({ is: "ended", announced: true });
  });
  test("before its alert went is one late message, and nothing to pagers and phones", () => {
    const events = [
      ["opened", 0],
      ["closed", 60],
    ] as const;
    const waiting = [queue({ events, waiting: { attempts: 3, held: "retry" } })];
    const { letters } = composed(waiting, 61);
    expect(letters[0]?.plans[0]?.occasion).toEqual({ is: "ended", announced: false });
    for (const manner of ["pager", "phone"] as const)
      expect(dropped(composed(waiting, 61, { manner }))).toEqual(["opened over", "closed over"]);
  });
  test("is not said of what is open again, though the event that says so was not read yet", () => {
    const whole = queue({
      events: [
        ["opened", 0],
        ["closed", 60],
      ],
    });
    const again = { ...whole, incident: { ...whole.incident, ended: null } };
    expect(dropped(composed([again], 61))).toEqual([
      "opened nothing_changed",
      "closed nothing_changed",
    ]);
  });
  test("resolves a pager that may have taken the alert, because its answer was lost", () => {
    const events = [
      ["opened", 0],
      ["closed", 60],
    ] as const;
    const waiting = [queue({ events, waiting: { attempts: 1, isInDoubt: true } })];
    const { letters } = composed(waiting, 61, { manner: "pager" });
    expect(letters[0]?.plans[0]?.occasion).toEqual({ is: "ended", announced: true });
    expect(dropped(composed(waiting, 61, { manner: "phone" }))).toHaveLength(2);
  });
  test("resolves a pager that may have taken an alert that was dropped", () => {
    const end = [queue({ events: [["closed", 60]], droppedInDoubt: ["opened"] })];
    for (const manner of manners) {
      const said = composed(end, 61, { manner });
      expect(words(said)).toEqual(manner === "pager" ? ["ended"] : []);
      expect(dropped(said)).toEqual(manner === "pager" ? [] : ["closed alert_unsent"]);
    }
  });
  test("that was dropped and may have been taken is followed by that it is down again", () => {
    const whole = queue({ events: [["reopened", 90]], sent: {}, droppedInDoubt: ["closed"] });
    for (const manner of manners)
      expect(words(composed([whole], 200, { manner }))).toEqual(["reopened"]);
  });
  test("resolves a pager that may have taken that it is down again, though it was resolved before", () => {
    const events = [
      ["reopened", 0],
      ["closed", 60],
    ] as const;
    const waiting = { attempts: 1, isInDoubt: true };
    const again = [queue({ events, waiting, sent: { kind: "closed" } })];
    expect(words(composed(again, 61, { manner: "pager" }))).toEqual(["ended"]);
    expect(dropped(composed(again, 61))).toEqual([
      "reopened nothing_changed",
      "closed nothing_changed",
    ]);
  });
  test("keeps the doubt of a pager until the event that says it is down again was read", () => {
    const whole = queue({
      events: [
        ["opened", 0],
        ["closed", 60],
      ],
      waiting: { attempts: 1, isInDoubt: true },
    });
    const again = { ...whole, incident: { ...whole.incident, ended: null } };
    const { letters, dropped: drops } = composed([again], 61, { manner: "pager" });
    expect({ letters, drops }).toEqual({ letters: [], drops: [] });
  });
  test("is followed by that it is down again, if it may have been said and its answer was lost", () => {
    const events = [
      ["closed", 60],
      ["reopened", 90],
    ] as const;
    const waiting = { attempts: 1, isInDoubt: true };
    const open = [queue({ events, waiting, sent: {}, ended: null })].map((one) => ({
      ...one,
      incident: { ...one.incident, ended: null },
    }));
    for (const manner of ["chat", "pager"] as const)
      expect(words(composed(open, 200, { manner }))).toEqual(["reopened"]);
  });
  test("of what flaps is said to a pager that may have taken that it flaps", () => {
    const events = [
      ["flapping", 0],
      ["settled", 60],
    ] as const;
    const ended = { at: after(60), because: "recovered" } as const;
    const flapped = (isInDoubt: boolean) => [queue({ events, ended, waiting: { isInDoubt } })];
    expect(words(composed(flapped(true), 61, { manner: "pager" }))).toEqual(["settled"]);
    expect(dropped(composed(flapped(false), 61, { manner: "pager" }))).toEqual([
      "flapping alert_unsent",
      "settled alert_unsent",
    ]);
  });
  test("is not said where its alert never arrived", () => {
    expect(dropped(composed([queue({ events: [["closed", 60]] })], 60))).toEqual([
      "closed alert_unsent",
    ]);
  });
  test("has changed nothing if it comes back before it was said", () => {
    const events = [
      ["closed", 60],
      ["reopened", 90],
    ] as const;
    const waiting = [queue({ events, sent: {}, ended: null })];
    const open = waiting.map((one) => ({ ...one, incident: { ...one.incident, ended: null } }));
    expect(dropped(composed(open, 95))).toEqual([
      "closed nothing_changed",
      "reopened nothing_changed",
    ]);
  });
  test("is followed by nothing older, though that was asked for again", () => {
    const late = queue({ events: [["opened", 0]], sent: { kind: "closed", event: 2 } });
    for (const manner of manners)
      expect(dropped(composed([late], 90, { manner }))).toEqual(["opened nothing_changed"]);
  });
  test("is every event, in order, to a webhook", () => {
    const events = [
      ["opened", 0],
      ["closed", 60],
    ] as const;
    const open = composed([queue({ events })], 61, { manner: "webhook" });
    expect(open.letters[0]?.plans[0]?.covers).toHaveLength(1);
    expect(words(open)).toEqual(["opened"]);
    const rest = queue({ events: [["closed", 60]], sent: {} });
    expect(words(composed([rest], 61, { manner: "webhook" }))).toEqual(["ended"]);
  });
  test("because it is no longer watched is not recovery: a pager is resolved, a late chat is not written", () => {
    const ended = { at: after(60), because: "deactivated" } as const;
    const sent = queue({ events: [["closed", 60]], sent: {}, ended });
    expect(words(composed([sent], 60, { manner: "pager" }))).toEqual(["ended"]);
    const events = [
      ["opened", 0],
      ["closed", 60],
    ] as const;
    const unsent = queue({ events, ended, waiting: { held: "retry" } });
    expect(dropped(composed([unsent], 61))).toEqual(["opened no_recovery", "closed no_recovery"]);
  });
  test("keeps the order of a monitor: the next incident waits for the last one's end", () => {
    const last = queue({
      number: 1,
      monitor: 9,
      events: [["closed", 0]],
      sent: {},
      waiting: { attempts: 1, retryAt: after(90) },
    });
    const next = queue({ number: 2, monitor: 9, events: [["opened", 60]] });
    expect(held(composed([next, last], 80))).toEqual(["retry 90", "order"]);
  });
});

describe("a channel's rules", () => {
  test("a delay sends only what is open still", () => {
    const rules = { delay: minutes(10) };
    const waiting = queue({ events: [["opened", 0]] });
    expect(held(composed([waiting], 5, { rules }))).toEqual(["delay 600"]);
    expect(words(composed([waiting], 600, { rules }))).toEqual(["opened"]);
    const events = [
      ["opened", 0],
      ["closed", 60],
    ] as const;
    const ended = queue({ events, waiting: { held: "delay" } });
    expect(dropped(composed([ended], 60, { rules }))).toEqual([
      "opened within_delay",
      "closed within_delay",
    ]);
  });
  test("a delay counts anew when an incident opens again after its end was sent", () => {
    const rules = { delay: minutes(2) };
    const again = queue({ events: [["reopened", 60]], sent: { kind: "closed" } });
    const healed = queue({
      events: [
        ["reopened", 60],
        ["closed", 90],
      ],
      sent: { kind: "closed" },
      waiting: { held: "delay" },
    });
    for (const manner of manners) {
      expect(held(composed([again], 70, { rules, manner }))).toEqual(["delay 180"]);
      expect(words(composed([again], 180, { rules, manner }))).toEqual(["reopened"]);
      expect(dropped(composed([healed], 91, { rules, manner }))).toEqual([
        "reopened within_delay",
        "closed within_delay",
      ]);
    }
  });
  test("a delay holds nothing of what a channel knows, because it was not sent the end", () => {
    const rules = { delay: minutes(2) };
    const worse = queue({ events: [["worsened", 60]], sent: { severity: "degraded" } });
    expect(words(composed([worse], 60, { rules }))).toEqual(["changed"]);
    const flaps = queue({ events: [["flapping", 60]], sent: {} });
    expect(words(composed([flaps], 60, { rules }))).toEqual(["flapping"]);
  });
  test("a delay of what flaps counts all that it was down since the last message", () => {
    const rules = { delay: minutes(2) };
    const flapping = (isDown: boolean) => {
      const one = queue({
        events: [["flapping", 180]],
        sent: { kind: "closed", at: after(30) },
      });
      const well = [
        { from: after(20), to: after(100) },
        { from: after(140), to: after(180) },
      ];
      const changes = { changes: 6, changedAt: after(isDown ? 180 : 200), isDown };
      const incident = { ...one.incident, startedAt: noon, well, flapping: changes };
      return { ...one, incident };
    };
    // It was down from 100 to 140, and from 180 on.
    expect(held(composed([flapping(true)], 190, { rules }))).toEqual(["delay 260"]);
    expect(words(composed([flapping(true)], 260, { rules }))).toEqual(["flapping"]);
    expect(held(composed([flapping(false)], 600, { rules }))).toEqual(["delay"]);
  });
  test("what flaps and is steady before a delay has passed is sent only if it is down", () => {
    const events = [
      ["flapping", 0],
      ["settled", 1_800],
    ] as const;
    const ended = { at: after(60), because: "recovered" } as const;
    const waiting = { held: "delay" } as const;
    for (const sent of [null, { kind: "closed" }] as const) {
      const up = queue({ events, sent, ended, waiting });
      const rules = { delay: minutes(10) };
      expect(dropped(composed([up], 1_801, { rules }))).toEqual([
        "flapping within_delay",
        "settled within_delay",
      ]);
      const down = queue({ events, sent, waiting });
      expect(words(composed([down], 1_801, { rules }))).toEqual([
        sent === null ? "opened" : "reopened",
      ]);
    }
  });
  test("what settled while it was down is not an opening when it worsens or is said again", () => {
    const sent = { kind: "settled", severity: "degraded" } as const;
    const rules = { delay: minutes(10) };
    const worse = queue({ events: [["worsened", 60]], sent });
    expect(words(composed([worse], 60, { rules }))).toEqual(["changed"]);
    const again = queue({ events: [["reminder", 60]], sent });
    expect(words(composed([again], 60, { rules }))).toEqual(["reminder"]);
    const over = queue({ events: [["closed", 60]], sent });
    expect(words(composed([over], 60, { rules }))).toEqual(["ended"]);
  });
  test("quiet hours hold, and end with one message of what is open still", () => {
    const rules = { quietHours: [{ days: [], from: "11:00", to: "13:00" }] };
    const two = [1, 2].map((number) => queue({ number, events: [["opened", 0]] }));
    expect(held(composed(two, 5, { rules }))).toEqual(["quiet_hours 3600", "quiet_hours 3600"]);
    const woken = [1, 2].map((number) =>
      queue({ number, events: [["opened", 0]], waiting: { held: "quiet_hours" } }),
    );
    expect(words(composed(woken, 3_600, { rules }))).toEqual(["2 quiet-hours"]);
    const events = [
      ["opened", 0],
      ["closed", 60],
    ] as const;
    const over = queue({ events, waiting: { held: "quiet_hours" } });
    expect(dropped(composed([over], 3_600, { rules }))).toContain("opened within_quiet_hours");
  });
  test("quiet hours let the end through to a pager, which calls people until it is resolved", () => {
    const rules = { quietHours: [{ days: [], from: "11:00", to: "13:00" }] };
    const over = queue({ events: [["closed", 60]], sent: {} });
    expect(words(composed([over], 60, { rules, manner: "pager" }))).toEqual(["ended"]);
    expect(held(composed([over], 60, { rules }))).toEqual(["quiet_hours 3600"]);
    const down = queue({ events: [["opened", 0]] });
    expect(held(composed([down], 5, { rules, manner: "pager" }))).toEqual(["quiet_hours 3600"]);
  });
  test("a silence holds alerts until it ends, and lets ends through", () => {
    const silence = {
      id: 1,
      monitors: [1],
      locations: [],
      labels: {},
      reason: "",
      by: "3",
      from: noon,
      until: after(600),
    };
    const silences = [silence];
    expect(held(composed([queue({ events: [["opened", 0]] })], 5, { silences }))).toEqual([
      "silence 600",
    ]);
    const up = queue({ events: [["closed", 60]], sent: {} });
    expect(words(composed([up], 60, { silences }))).toEqual(["ended"]);
    const other = { ...silence, monitors: [], labels: { team: "shop" } };
    expect(words(composed([queue({ events: [["opened", 0]] })], 5, { silences: [other] }))).toEqual(
      ["opened"],
    );
  });
  test("a pause holds alerts until it is over or the incident is, and what is over then is not sent", () => {
    const opened = queue({ events: [["opened", 0]], unwatchedSince: after(3) });
    for (const manner of ["chat", "pager", "webhook"] as const)
      expect(held(composed([opened], 6, { manner }))).toEqual(["pause"]);
    expect(words(composed([queue({ events: [["opened", 0]] })], 20))).toEqual(["opened"]);
    const over = queue({
      events: [
        ["opened", 0],
        ["closed", 33],
      ],
      ended: { at: after(3), because: "deactivated" },
      waiting: { held: "pause" },
    });
    for (const manner of ["chat", "pager", "webhook"] as const) {
      const { letters, ...rest } = composed([over], 40, { manner });
      expect([letters, dropped({ letters, ...rest })]).toEqual([
        [],
        ["opened paused", "closed paused"],
      ]);
    }
    const sent = queue({ events: [["closed", 33]], sent: {} });
    expect(words(composed([sent], 40))).toEqual(["ended"]);
  });
  test("silences of all locations that see it fail hold an alert until the first of them ends", () => {
    const silence = { monitors: [], labels: {}, reason: "", by: "3", from: noon };
    const office = { ...silence, id: 1, locations: [7], until: after(600) };
    const berlin = { ...silence, id: 2, locations: [8], until: after(900) };
    const seen = {
      locations: [
        { id: "7", name: "office", status: "error" as const },
        { id: "8", name: "berlin", status: "error" as const },
      ],
    };
    const down = queue({ events: [["opened", 0]], seen });
    expect(words(composed([down], 5, { silences: [office] }))).toEqual(["opened"]);
    expect(held(composed([down], 5, { silences: [office, berlin] }))).toEqual(["silence 600"]);
    // It is said as soon as one location may speak.
    expect(words(composed([down], 600, { silences: [office, berlin] }))).toEqual(["opened"]);
  });
  test("what it depends on is waited for, and two rounds more", () => {
    const parent = { id: 5, name: "router", until: null };
    const child = queue({ events: [["opened", 0]], parent });
    expect(held(composed([child], 600))).toEqual(["parent"]);
    const up = { ...child, parent: { ...parent, until: after(660) } };
    expect(held(composed([up], 650))).toEqual(["parent 660"]);
    expect(words(composed([up], 660))).toEqual(["opened"]);
    const events = [
      ["opened", 0],
      ["closed", 60],
    ] as const;
    expect(dropped(composed([queue({ events, waiting: { held: "parent" } })], 60))).toEqual([
      "opened parent_down",
      "closed parent_down",
    ]);
  });
  const webhook = { manner: "webhook" } as const;
  const brief = [
    ["opened", 0],
    ["closed", 60],
  ] as const;
  test("a webhook gets nothing of what was over while a rule held it", () => {
    const silence = { id: 1, monitors: [1], locations: [], labels: {}, reason: "", by: "3" };
    const silences = [{ ...silence, from: noon, until: after(600) }];
    const quietHours = [{ days: [], from: "11:00", to: "12:10" }];
    const cases = [
      ["within_delay", { rules: { delay: minutes(10) } }, {}],
      ["within_quiet_hours", { rules: { quietHours } }, {}],
      ["silenced", { silences }, {}],
      ["silenced", {}, { waiting: { held: "silence" } }],
      ["parent_down", {}, { parent: { id: 5, name: "router", until: null } }],
    ] as const;
    for (const [reason, lane, seen] of cases)
      for (const manner of manners)
        expect([
          manner,
          ...dropped(composed([queue({ events: brief, ...seen })], 700, { ...lane, manner })),
        ]).toEqual([manner, `opened ${reason}`, `closed ${reason}`]);
  });
  test("a webhook gets once what lasts when a rule ends, whatever happened meanwhile", () => {
    const events = [...brief, ["reopened", 90], ["eased", 95, "degraded"]] as const;
    const whole = queue({ events, waiting: { held: "quiet_hours" } });
    const open = { ...whole, incident: { ...whole.incident, ended: null } };
    const rules = { quietHours: [{ days: [], from: "11:00", to: "12:10" }] };
    const { letters } = composed([open], 700, { ...webhook, rules });
    expect(words({ letters })).toEqual(["opened"]);
    expect(letters[0]?.plans[0]?.covers).toHaveLength(4);
    expect(letters[0]?.plans[0]?.lead.severity).toBe("degraded");
    const known = queue({
      events: [
        ["worsened", 0],
        ["closed", 60],
      ],
      sent: {},
      waiting: { held: "quiet_hours" },
    });
    expect(words(composed([known], 700, webhook))).toEqual(["ended"]);
  });
  test("a webhook gets every event of what outlasted the rule, though the provider was away then", () => {
    const rules = { delay: minutes(10) };
    const events = [
      ["opened", 0],
      ["closed", 900],
    ] as const;
    const late = queue({ events, waiting: { held: "delay" } });
    expect(words(composed([late], 1_000, { ...webhook, rules }))).toEqual(["opened"]);
    expect(words(composed([late], 1_000, { rules }))).toEqual(["ended"]);
  });
  test("what fails again is not said to people if it was acknowledged as failing, except at pagers and programs", () => {
    const events = [
      ["eased", 0, "degraded"],
      ["worsened", 60],
    ] as const;
    const acknowledged = (severity: Severity) => ({ at: noon, by: "ann", severity });
    const failing = queue({ events, sent: {}, acknowledged: acknowledged("error") });
    expect(dropped(composed([failing], 100))).toEqual([
      "eased acknowledged",
      "worsened acknowledged",
    ]);
    const again = queue({
      events: [["worsened", 60]],
      sent: { severity: "degraded" },
      acknowledged: acknowledged("error"),
    });
    expect(words(composed([again], 100))).toEqual([]);
    expect(words(composed([again], 100, { manner: "pager" }))).toEqual(["changed"]);
    expect(words(composed([again], 100, webhook))).toEqual(["changed"]);
    const slow = { ...again.incident, acknowledged: acknowledged("degraded") };
    expect(words(composed([{ ...again, incident: slow }], 100))).toEqual(["changed"]);
  });
  test("a reminder is sent while it lasts and no person has acknowledged it", () => {
    const events = [["reminder", 900]] as const;
    expect(words(composed([queue({ events, sent: {} })], 900))).toEqual(["reminder"]);
    const acknowledged = { at: noon, by: "3", severity: "error" } as const;
    expect(dropped(composed([queue({ events, sent: {}, acknowledged })], 900))).toEqual([
      "reminder acknowledged",
    ]);
    const ended = { at: epochMillis(noon), because: "recovered" } as const;
    expect(dropped(composed([queue({ events, sent: {}, ended })], 900))).toEqual([
      "reminder nothing_changed",
    ]);
  });
});
