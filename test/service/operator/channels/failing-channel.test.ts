import { expect, test } from "vitest";
import { rulesDefault } from "#service/alerting/channel-rules";
import { type LaneHealth, laneAtFirst } from "#service/alerting/attempts";
import { type ChannelHealth, healthWord } from "#service/operator/channels/channel-health";
import { channelTrouble, troubleLine } from "#service/operator/channels/failing-channel";
import type { KnownReader } from "#service/operator/page-request";
import type { DeliveryRow } from "#service/store/alert-store";
import { channelId } from "#service/store/ids";
import {
  after,
  epochMillis,
  type EpochMillis,
  hours,
  type Millis,
  minutes,
  seconds,
} from "#base/units";

const noon = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const before = (at: EpochMillis, length: Millis): EpochMillis => epochMillis(at - length);
const owner: KnownReader = { kind: "local", formToken: "t", timeZone: "" };
const reader: KnownReader = {
  kind: "signed in",
  timeZone: "",
  name: "Bo",
  role: "reader",
  who: "person 2",
  session: "s",
  formToken: "t",
};

const channel = (some: Partial<Omit<ChannelHealth, "row">>, file = ""): ChannelHealth => ({
  row: {
    id: channelId(2),
    uid: "u",
    name: "Tickets",
    provider: "webhook",
    rules: { ...rulesDefault, allMonitors: true },
    monitors: [],
    sealed: "",
    fingerprint: "",
    owner: file,
    labels: {},
    createdAt: noon,
    updatedAt: noon,
  },
  lane: laneAtFirst,
  standing: { waiting: 0, lastSentAt: null, lastTest: null },
  trouble: "",
  destination: "",
  ...some,
});

const failing: LaneHealth = {
  ...laneAtFirst,
  failures: 5,
  restUntil: after(noon, hours(1)),
  failing: { since: before(noon, minutes(13)), message: "the provider answers 503" },
};
const failed: DeliveryRow = {
  id: 1,
  channel: 2,
  incident: 7,
  event: 1,
  kind: "opened",
  about: "monitor",
  name: "shop",
  state: "waiting",
  reason: "retry",
  message: "the provider did not answer in time",
  said: "",
  createdAt: before(noon, minutes(3)),
  attempts: 1,
  letter: 1,
  firstTriedAt: before(noon, minutes(2)),
  settledAt: null,
  retryAt: null,
  saidBefore: null,
};

const text = (of: { readonly text: string } | null): string =>
  (of?.text ?? "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

test("a channel that takes no messages says why, since when, how many wait, and what to do", () => {
  const standing = { waiting: 3, lastSentAt: null, lastTest: null };
  const health = channel({ lane: failing, trouble: "the provider answers 503", standing });
  const said = channelTrouble(health, [], owner, noon);
  expect(text(said)).toBe(
    "Messages do not arrive: the provider answers 503. Since 22 Nov, 11:47:00 UTC, for 13 min. 3 messages wait. Picket tries again in 1 h. Check the channel's data, then send a test message.",
  );
  expect(said?.text).toContain('<a href="/channels/2/edit">');
  expect(text(troubleLine(health, owner, noon))).toBe(
    "Messages do not arrive: the provider answers 503. For 13 min. Picket tries again in 1 h. Check the channel's data, then send a test message.",
  );
  expect(healthWord(health)).toBe("Failing");
});

test("what a reader may not change, or a file changes, the next step says", () => {
  const trouble = "the provider answers 503";
  const step = (file: string, who: KnownReader): string =>
    text(channelTrouble(channel({ lane: failing, trouble }, file), [], who, noon));
  expect(step("", reader)).toMatch(/1 h\. Ask an editor to check the channel's data\.$/);
  expect(step("shop", owner)).toMatch(/data in the files of shop, then send a test message\.$/);
});

test("a channel fails since its first failure, also once a newer message failed", () => {
  const lane = { ...laneAtFirst, failures: 2, restUntil: after(noon, seconds(30)) };
  const newer = { ...failed, id: 2, firstTriedAt: before(noon, seconds(5)) };
  // What failed before the channel last took a message is another episode.
  const older = { ...failed, id: 3, firstTriedAt: before(noon, minutes(20)) };
  const lastSentAt = before(noon, minutes(9));
  const health = channel({ lane, standing: { waiting: 3, lastSentAt, lastTest: null } });
  expect(text(channelTrouble(health, [newer, failed, older], owner, noon))).toContain(
    "Since 22 Nov, 11:58:00 UTC, for 2 min.",
  );
});

test("one failed message is said at once, before the channel counts as failing", () => {
  const lane = { ...laneAtFirst, failures: 1, restUntil: after(noon, seconds(30)) };
  const health = channel({ lane, standing: { waiting: 1, lastSentAt: noon, lastTest: null } });
  expect(healthWord(health)).toBe("Retrying");
  expect(text(channelTrouble(health, [failed], owner, noon))).toMatch(
    /^The last message did not arrive: the provider did not answer in time\. Since 22 Nov, 11:58:00 UTC, for 2 min\. 1 message waits\. Picket tries again in 30 s\./,
  );
  expect(text(troubleLine(health, owner, noon))).toBe(
    "The last message did not arrive. Picket tries again in 30 s. Check the channel's data, then send a test message.",
  );
});

test("a failed test is a failure until something arrives after it", () => {
  const lastTest = { at: before(noon, minutes(5)), trouble: "the provider answers 403" };
  const at = (lastSentAt: typeof noon | null): ChannelHealth =>
    channel({ standing: { waiting: 0, lastSentAt, lastTest } });
  expect(healthWord(at(null))).toBe("Test failed");
  expect(text(troubleLine(at(null), owner, noon))).toBe(
    "The last test message did not arrive: the provider answers 403. Check the channel's data, then send a test message.",
  );
  expect(healthWord(at(noon))).toBe("Working");
  expect(channelTrouble(at(noon), [failed], owner, noon)).toBeNull();
});

test("what the service lacks says itself what to do, and a disabled channel is not tried", () => {
  const lacking = channel({ trouble: "the service has no mail server: set PICKET_SMTP_URL" });
  expect(text(channelTrouble(lacking, [], owner, noon))).toBe(
    "Messages do not arrive: the service has no mail server: set PICKET_SMTP_URL. Then send a test message.",
  );
  const gone = channel({ lane: { ...failing, isDisabled: true }, trouble: "no such webhook" });
  expect(healthWord(gone)).toBe("Disabled");
  expect(text(troubleLine(gone, owner, noon))).toContain(
    "Nothing is tried until its data is changed or a delivery is retried.",
  );
});
