import { expect, test } from "vitest";
import type { Notice } from "#service/notify/event";
import { lineText } from "#service/notify/message/parts";
import { phoneText } from "#service/notify/phone-text";
import { say } from "#service/notify/message/say";
import { epochMillis, millis, minutes } from "#base/units";
import { at, notices, rendered, requestsOf, shop } from "../../../support/notices.ts";

const titles: { readonly [T in Notice["type"]]: string } = {
  "monitor.error": "Down: shop",
  "monitor.degraded": "Slow: shop",
  "monitor.recovered": "Up again: shop",
  "monitor.closed": "No longer watched: shop",
  "monitor.reminder": "Still down: shop",
  "monitor.flapping": "Down, flapping: shop",
  "monitor.settled": "Up and steady: shop",
  "location.offline": "Location offline: office",
  "location.online": "Location back: office",
  "location.trouble": "Agent trouble: office",
  "location.well": "Agent well again: office",
  "location.closed": "No longer watched: office",
  "maintenance.started": "Maintenance: Database upgrade",
  "maintenance.changed": "Maintenance changed: Database upgrade",
  "maintenance.ended": "Maintenance over: Database upgrade",
  "channel.failing": "Channel failing: ops",
  digest: "Down: 12 of 14 monitors at office",
  "page.news": "Investigating: Cards fail · Acme",
  test: "Test: ops",
};

test.each(Object.entries(titles))(
  "%s begins with state and name, within 40 characters",
  (type, title) => {
    const notice = Object.values(notices).find((one) => one.type === type);
    const message = notice && say(notice, "UTC");
    expect(message?.title).toBe(title);
    expect(title.length).toBeLessThanOrEqual(40);
  },
);

test("what a target answered is said as the pages say it; a webhook's errorMessage stays that of the wire", () => {
  const wire = "Request failed with status code 503";
  const failure = { code: "unexpected_status", phase: "assertion", message: wire } as const;
  const { "monitor.error": error, digest } = notices;
  const failing: Notice = { ...error, result: error.result && { ...error.result, failure } };
  const group: Notice = { ...digest, cause: digest.cause && { ...digest.cause, failure } };
  const sentence = "The target answered 503 Service Unavailable; only 200 to 299 counts as success";
  expect(say(failing, "UTC").reason).toBe(sentence);
  expect(say(group, "UTC").reason).toBe(sentence);
  expect(requestsOf("webhook", failing)[0]?.json).toMatchObject({ errorMessage: wire });
});

const facts = (notice: Notice, timeZone = "UTC") =>
  Object.fromEntries(say(notice, timeZone).facts.map(({ name, value }) => [name, value]));

test("an alert says since when, who sees it, what failed, the last good check, and when it is repeated", () => {
  expect(facts(notices["monitor.error"])).toEqual({
    Since: "22 Nov 2026, 14:02:10 UTC (5 s)",
    "Seen by": "office (1 of 3); attic is silent",
    Failure: "unexpected_status (receive)",
    "Status code": "503",
    Attempts: "3",
    "Last good check": "22 Nov 2026, 14:01:40 UTC",
    Target: "https://shop.internal/health",
    Labels: "team=shop",
    Incident: "17",
    Repeated: "every 4 h, until it is acknowledged",
  });
  expect(say(notices["monitor.error"], "UTC").note).toBe("Runbook: https://wiki.internal/shop");
});

test("planned work with other times says the times that were announced before", () => {
  expect(facts(notices["maintenance.changed"])).toMatchObject({
    From: "22 Nov 2026, 22:00:00 UTC",
    To: "22 Nov 2026, 23:30:00 UTC",
    Before: "22 Nov 2026, 22:00:00 to 23:00:00 UTC (1 h)",
  });
});

test("a time says its zone", () => {
  expect(facts(notices["monitor.error"], "Europe/Berlin")["Since"]).toContain("15:02:10 CET");
});

test("what is slow says the latency against its threshold", () => {
  expect(facts(notices["monitor.degraded"])["Latency"]).toBe(
    "1\u202f240\u00a0ms, degraded above 800\u00a0ms",
  );
});

test("a recovery says how long it was down and how many checks failed", () => {
  expect(facts(notices["monitor.recovered"])).toMatchObject({
    Down: "22 Nov 2026, 14:02:10 to 14:06:20 UTC (4 min 10 s)",
    "Failed checks": "8",
  });
});

test("one message says both when the alert never went out, and why it is late", () => {
  const late = { away: "channel", name: "ops", from: at("14:00:00"), to: at("14:40:00") } as const;
  const notice = { ...notices["monitor.recovered"], announced: false, late };
  expect(say(notice, "UTC").title).toBe("Was down: shop");
  expect(say(notice, "UTC").reason).toContain("503");
  expect(facts(notice)["Late"]).toBe(
    "this channel took no messages from 22 Nov 2026, 14:00:00 to 14:40:00 UTC",
  );
  const away = { ...late, away: "location", name: "office" } as const;
  expect(facts({ ...notice, late: away })["Late"]).toMatch(/^office was cut off from /);
});

test("a target is written as its page writes it", () => {
  const notice = notices["monitor.error"];
  const monitor = { ...notice.monitor, target: "dns:a.test?type=TXT", shownTarget: "a.test TXT" };
  expect(facts({ ...notice, monitor })["Target"]).toBe("a.test TXT");
});

test("others that fail the same way, maintenance and dependency are named", () => {
  const { failure } = notices["monitor.error"].result ?? { failure: null };
  if (failure === null) throw new Error("no failure");
  const cause = { key: "k", location: { id: "1", name: "office" }, failure, failing: 4, of: 14 };
  expect(facts({ ...notices["monitor.error"], cause })["Also"]).toBe(
    "3 more of 14 monitors at office fail the same way",
  );
  const after = { why: "maintenance-ended", title: "Upgrade" } as const;
  const still = { ...notices["monitor.error"], occasion: after };
  expect(say(still, "UTC").title).toBe("Still down: shop");
  expect(facts(still)["Maintenance"]).toBe('"Upgrade" has ended');
  const waited = { why: "parent-recovered", parent: { id: "9", name: "edge" } } as const;
  expect(facts({ ...still, occasion: waited })["Depends on"]).toBe("edge, which is up again");
});

test("what opens again is said to be so again only if it was so before, else how it was", () => {
  const { "monitor.error": down, "monitor.degraded": slow } = notices;
  const again = (notice: typeof down | typeof slow, from: "error" | "degraded") => {
    const saying = { ...notice, occasion: { why: "reopened", from } } as const;
    return [say(saying, "UTC").title, facts(saying)["Before"]];
  };
  expect(again(down, "error")).toEqual(["Down again: shop", undefined]);
  expect(again(slow, "degraded")).toEqual(["Slow again: shop", undefined]);
  expect(again(slow, "error")).toEqual(["Slow: shop", "it was down, then up"]);
  expect(again(down, "degraded")).toEqual(["Down: shop", "it was slow, then fast"]);
});

test("a name is on one line, and its hidden characters are shown", () => {
  const monitor = { ...shop, name: "shop\nUp again: mail \u202eevil" };
  expect(say({ ...notices["monitor.error"], monitor }, "UTC").title).toBe(
    String.raw`Down: shop Up again: mail \u{202e}evil`,
  );
});

test("a recovery after two outages says how long it was down, not from the first to the last", () => {
  const { "monitor.recovered": whole } = notices;
  const recovered = { ...whole, lasted: { ...whole.lasted, inTrouble: minutes(3) } };
  expect(facts(recovered)).toMatchObject({
    Lasted: "22 Nov 2026, 14:02:10 to 14:06:20 UTC (4 min 10 s)",
    Down: "3 min",
  });
  expect(facts(notices["monitor.recovered"])).toMatchObject({
    Down: "22 Nov 2026, 14:02:10 to 14:06:20 UTC (4 min 10 s)",
  });
});

test("the end of what is no longer watched says how long it was down, as a recovery does", () => {
  const { "monitor.closed": whole } = notices;
  const paused = { ...whole, lasted: { ...whole.lasted, inTrouble: minutes(3) } };
  expect(facts(paused)).toMatchObject({
    Lasted: "22 Nov 2026, 14:02:10 to 14:06:20 UTC (4 min 10 s)",
    Down: "3 min",
    "Failed checks": "8",
  });
  // The checks of a monitor that was deleted are gone.
  const deleted = { ...paused, lasted: { ...paused.lasted, failedChecks: 0 } };
  expect(facts(deleted)).not.toHaveProperty("Failed checks");
});

test("a recovery says apart how long it was slow, and for how long no location could say anything", () => {
  const { "monitor.recovered": whole } = notices;
  const lasted = {
    inTrouble: minutes(2),
    slow: minutes(1),
    unknown: millis(30_000),
    failedChecks: 4,
    slowChecks: 2,
  };
  expect(facts({ ...whole, lasted })).toMatchObject({
    Down: "2 min",
    Slow: "1 min",
    "Not known": "30 s: no location saw it meanwhile",
    "Failed checks": "4",
    "Slow checks": "2",
  });
  const slow = facts({ ...whole, was: "degraded", lasted: { ...lasted, slow: millis(0) } });
  expect(slow).toMatchObject({ Slow: "2 min" });
  expect(slow).not.toHaveProperty("Failed checks");
});

test("flapping says how it is now, why, and how often it was down", () => {
  const { "monitor.flapping": flapping } = notices;
  const incident = {
    ...flapping.incident,
    downSince: epochMillis(Date.parse("2026-11-22T14:05:00Z")),
    asOf: epochMillis(Date.parse("2026-11-22T14:06:10Z")),
  };
  expect(facts({ ...flapping, incident })).toMatchObject({
    Since: "22 Nov 2026, 14:05:00 UTC (1 min 10 s)",
    "Flapping since": "22 Nov 2026, 14:02:10 UTC",
    Down: "3 times, 1 min 30 s of 4 min",
  });
  const sentence = "The status code is 503, which does not count as success.";
  expect(say(flapping, "UTC").reason).toContain(`${sentence} It was down 3 times: no more`);
  const times = { down: 0, slow: 1 };
  expect(facts({ ...flapping, incident, times })).toMatchObject({
    Slow: "once, 1 min 30 s of 4 min",
  });
  expect(say({ ...flapping, times }, "UTC").reason).toContain("It was slow once: no more");
  const up = say({ ...flapping, status: "active" }, "UTC");
  expect([up.title, up.reason.includes(sentence)]).toEqual(["Up, flapping: shop", false]);
});

test("what flapped and stays down says since when, and is not called steady", () => {
  const settled = notices["monitor.settled"];
  const { result } = notices["monitor.flapping"];
  const incident = {
    ...settled.incident,
    downSince: epochMillis(Date.parse("2026-11-22T14:05:00Z")),
  };
  const down = {
    ...settled,
    status: "error",
    times: { down: 4, slow: 0 },
    incident,
    result,
  } as const;
  expect(say(down, "Europe/Berlin")).toMatchObject({
    title: "Still down: shop",
    reason:
      "The status code is 503, which does not count as success. It was down 4 times. Since 15:05 CET it is down without a break.",
  });
  expect(facts(down)).toMatchObject({
    Since: expect.stringMatching(/^22 Nov 2026, 14:05:00 UTC \(/),
    "First down": "22 Nov 2026, 14:02:10 UTC",
  });
  const unseen = { ...down, unknown: minutes(3) };
  expect(say(unseen, "Europe/Berlin").reason).toMatch(/ Since 15:05 CET it is down\.$/);
  expect(facts(unseen)).toMatchObject({ "Not known": "3 min: no location saw it meanwhile" });
  expect(say(settled, "UTC").reason).toMatch(/^It was down \d+ times, and is steady now\.$/);
});

test("maintenance that was deleted is said to be cancelled, and not to be over", () => {
  const over = notices["maintenance.ended"];
  if (over.type !== "maintenance.ended") throw new Error("the notice has another type");
  const message = say({ ...over, isCancelled: true }, "UTC");
  expect(message.title).toBe("Maintenance cancelled: Database upgrade");
  expect(message.reason).toBe("It was deleted before its end.");
});

const list: Notice = {
  ...notices.digest,
  because: "quiet-hours",
  cause: null,
  entries: notices.digest.entries.map((entry) => ({
    ...entry,
    url: "https://picket.test/incidents/17",
  })),
};

test("a group of monitors that flap is called that, and each line says how often it was down", () => {
  const saying = notices["monitor.flapping"];
  const { digest } = notices;
  const entries = digest.entries.map((entry) => ({ ...entry, saying }));
  const { title, lines } = say({ ...digest, entries }, "UTC");
  expect(title).toBe("Flapping: 12 of 14 monitors at office");
  expect(lines[0]).toMatchObject({
    lead: "Down, flapping: shop",
    rest: ", down 3 times, 1 min 30 s in all",
  });
});

test("several that are up again are named in the title, as one is, three at most", () => {
  const saying = notices["monitor.recovered"];
  const digest = { ...notices.digest, cause: null };
  const [entry] = digest.entries;
  const titleOf = (...names: readonly string[]): string => {
    const entries = names.flatMap((name) =>
      entry === undefined ? [] : [{ ...entry, saying, name }],
    );
    return say({ ...digest, entries, count: names.length }, "UTC").title;
  };
  expect(titleOf("shop", "cart")).toBe("Up again: shop and cart");
  expect(titleOf("shop", "cart", "login")).toBe("Up again: shop, cart and login");
  expect(titleOf("shop", "cart", "login", "wiki")).toBe("Up again: shop, cart and 2 more");
  expect(titleOf("s".repeat(200), "c".repeat(200), "wiki").length).toBeLessThan(110);
});

/** A line of it as it arrives in each chat, and in a push message. */
const linesSent = {
  slack: "<https://picket.test/incidents/17|Down: shop>, since 14:02 UTC. The status",
  discord: "[Down: shop](https://picket.test/incidents/17), since 14:02 UTC. The status",
  google_chat: "• <https://picket.test/incidents/17|Down: shop>, since 14:02 UTC. The status",
  ms_teams: "[Down: shop](https://picket.test/incidents/17), since 14:02 UTC. The status",
  telegram:
    '• <a href="https://picket.test/incidents/17">Down: shop</a>, since 14:02 UTC. The status',
  ntfy: "503, which does not count as success https://picket.test/incidents/17",
} as const;
const providers = ["slack", "discord", "google_chat", "ms_teams", "telegram", "ntfy"] as const;

test("each line of a list has its reason and leads to its incident in every chat, in a push message and in a mail", () => {
  for (const provider of providers) {
    const words = linesSent[provider];
    const body = JSON.stringify(requestsOf(provider, list)[0]?.json ?? null);
    expect(body).toContain(JSON.stringify(words).slice(1, -1));
  }
  const made = rendered("email", list);
  const mail = made.is === "mail" ? made.mail : null;
  expect(mail?.text).toContain(
    "- Down: shop, since 14:02 UTC. The status code is 503, which does not count as success https://picket.test/incidents/17\n",
  );
  expect(mail?.html).toContain(
    '<a href="https://picket.test/incidents/17">Down: shop</a>, since 14:02 UTC. The status',
  );
});

test("a text message of several names the first, which are the worst", () => {
  expect(phoneText(say(list, "UTC"))).toContain(
    ", 14:02 UTC. Down: shop; Down: mail; and 10 more https:",
  );
});

test.each(Object.entries(notices))("every time in %s names its zone", (_type, notice) => {
  const { title, reason, facts, lines, brief } = say(notice, "Europe/Berlin");
  const texts = [
    title,
    reason,
    brief.since,
    ...facts.map(({ value }) => value),
    ...(notice.type === "page.news" ? [] : lines.map(lineText)),
  ];
  for (const text of texts.filter((one) => /\d{2}:\d{2}/.test(one)))
    expect(text).toMatch(/\d{2}:\d{2}(:\d{2})? (to [^:]*\d{2}:\d{2}(:\d{2})? )?CET/);
});
