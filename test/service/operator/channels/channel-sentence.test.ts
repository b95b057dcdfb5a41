import { expect, test } from "vitest";
import { type ChannelRules, rulesDefault } from "#service/alerting/channel-rules";
import { channelSentence } from "#service/operator/channels/channel-sentence";
import { hours, minutes, seconds } from "#base/units";

const names = (count: number): readonly string[] =>
  ["shop", "wiki", "mail", "db", "a", "b", "c", "d", "e", "f", "g", "h"].slice(0, count);

const rules = (some: Partial<ChannelRules>): ChannelRules => ({ ...rulesDefault, ...some });

test.each([
  [
    { events: ["error"], quietHours: [{ days: [], from: "22:00", to: "07:00" }] },
    12,
    "Notified of every failure of 12 monitors, not between 22:00 and 07:00 (UTC).",
  ],
  [{ allMonitors: true, events: ["error"] }, 0, "Notified of every failure of all monitors."],
  [
    {},
    1,
    "Notified of every failure, slowdown and recovery of shop and of faults of its locations.",
  ],
  [
    { labels: { team: "shop", tier: "" }, events: ["error", "maintenance"] },
    3,
    "Notified of every failure of shop, wiki and mail with the labels team: shop and tier and of planned work.",
  ],
  [
    { events: ["location"], delay: minutes(10), reminder: hours(4) },
    2,
    "Notified of faults of their locations, if it lasts for 10 min, again every 4 h until someone acknowledges it.",
  ],
  [
    { events: ["error"], delay: seconds(90), reminder: minutes(90) },
    2,
    "Notified of every failure of shop and wiki, if it lasts for 1 min 30 s, again every 1 h 30 min until someone acknowledges it.",
  ],
  [
    {
      events: ["error"],
      timeZone: "Europe/Berlin",
      quietHours: [
        { days: [6, 7], from: "00:00", to: "00:00" },
        { days: [5], from: "18:00", to: "23:00" },
      ],
    },
    2,
    "Notified of every failure of shop and wiki, not on Saturday and Sunday for 24 h from 00:00 and not on Friday between 18:00 and 23:00 (Europe/Berlin).",
  ],
  [
    { events: ["error"], quietHours: [{ days: [], from: "22:00", to: "22:00" }] },
    2,
    "Notified of nothing: its quiet hours cover the whole week, so it never sends.",
  ],
  [{ events: ["error"] }, 4, "Notified of every failure of 4 monitors."],
  [{}, 0, "Notified of nothing: choose monitors."],
] as const)("rules %o of %i monitors are said in plain words", (some, monitorCount, said) => {
  const monitorNames = names(monitorCount);
  const channel = { rules: rules(some), monitorNames, locationNames: [] };
  expect(channelSentence(channel).replaceAll("\u00a0", " ")).toBe(said);
});

test("locations that have to see it are named", () => {
  const channel = {
    rules: rules({ events: ["error"] }),
    monitorNames: names(2),
    locationNames: ["Office", "Warehouse"],
  };
  expect(channelSentence(channel)).toBe(
    "Notified of every failure of shop and wiki, if Office or Warehouse sees it.",
  );
});
