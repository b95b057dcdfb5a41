import { expect, test } from "vitest";
import { kinds } from "#check/monitor";
import type { FormFields } from "#check/form-field";
import { providers } from "#service/notify/channel";
import { channelFields } from "#service/operator/channels/channel-fields";
import { durationMistakes, withTimesAgain } from "#service/operator/forms/form-durations";
import { typedFor, writtenIn } from "#service/operator/forms/form-reading";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";

const form = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields);
const ping = monitorFields("icmp");
const channel = channelFields("slack");

test("a monitor takes a duration as people type it, which files write in milliseconds", () => {
  const typed = form({
    timeout: "5s",
    degraded_at: "0.5 s",
    interval: "250ms",
    "latency_assertions[0].comparator": "lt",
    "latency_assertions[0].target": "1 s",
  });
  expect(writtenIn(ping, typed, {})).toMatchObject({
    timeout: 5000,
    degraded_at: 500,
    interval: 250,
    latency_assertions: [{ comparator: "lt", target: 1000 }],
  });
  expect(Object.fromEntries(withTimesAgain(ping, typed))).toEqual({
    timeout: "5 s",
    degraded_at: "500 ms",
    interval: "250 ms",
    "latency_assertions[0].comparator": "lt",
    "latency_assertions[0].target": "1 s",
  });
});

test("a channel takes the same, which files write in words, and no number without its unit", () => {
  const typed = form({ delay: "90 s", reminder: "5" });
  expect(writtenIn(channel, typed, {})).toMatchObject({ delay: "90s", reminder: "5" });
  expect(Object.fromEntries(withTimesAgain(channel, typed))).toEqual({
    delay: "90 s",
    reminder: "5",
  });
});

test("a number without its unit is not taken, since it may be seconds or milliseconds, and zero is", () => {
  const typed = form({ timeout: "5", degraded_at: "0", interval: "1.5" });
  expect(writtenIn(ping, typed, {})).toMatchObject({
    timeout: "5",
    degraded_at: 0,
    interval: "1.5",
  });
  expect(withTimesAgain(ping, typed).get("timeout")).toBe("5");
});

test("what is saved is shown as the form writes it", () => {
  expect(typedFor(ping, { timeout: 45_000, degraded_at: 1500 }).get("timeout")).toBe("45 s");
  expect(typedFor(ping, { timeout: 45_000, degraded_at: 1500 }).get("degraded_at")).toBe("1500 ms");
  expect(typedFor(channel, { delay: "2m" }).get("delay")).toBe("2 min");
  expect(typedFor(channel, { delay: "" }).get("delay")).toBe("");
});

test("a refusal says limits and examples as the form writes them", () => {
  const refused = (field: string, text: string, message: string, fields: FormFields = ping) =>
    durationMistakes(fields, form({ [field]: text }), [{ field, message }])[0]?.message;
  expect(refused("timeout", "soon", "must be a number of milliseconds, not text")).toBe(
    "must be a time with its unit, for example 45 s, 5 s or 1 min",
  );
  expect(refused("timeout", "5", "must be a number of milliseconds, not text")).toBe(
    "needs its unit: 5 s or 5 ms",
  );
  expect(refused("reminder", "5", "must be a duration from 5m to 168h", channel)).toBe(
    "needs its unit: 5 min or 5 h",
  );
  expect(refused("timeout", "5 min", "must be in 0 to 120000, not 300000")).toBe(
    "must be at most 2 min, not 5 min",
  );
  expect(refused("timeout", "0.5 ms", "must be a whole number, not 0.5")).toBe(
    "must be in whole milliseconds, for example 45 s",
  );
  const target = "latency_assertions[0].target";
  expect(refused(target, "3 min", "must be in 0 to 120000 ms, not 180000")).toBe(
    "must be at most 2 min, not 3 min",
  );
  expect(
    refused("reminder", "5 d", "must be a duration from 5m to 168h, for example 30m", channel),
  ).toBe("must be a duration from 5 min to 168 h, for example 30 min");
  expect(refused("timeout", "2 h", "must be in 0 to 120\u202f000, not 7\u202f200\u202f000")).toBe(
    "must be at most 2 min, not 2 h",
  );
  expect(refused("retry", "11", "must be in 0 to 10, not 11")).toBe("must be in 0 to 10, not 11");
});

test("no field of a monitor or channel asks for a number of milliseconds or seconds", () => {
  const all = [...kinds.map(monitorFields), ...providers.map(channelFields)];
  const units = all.flatMap((fields) =>
    Object.values(fields).flatMap(({ control }) => (control.is === "number" ? [control.unit] : [])),
  );
  expect(units.filter((unit) => /^m?s$/.test(unit))).toEqual([]);
});
