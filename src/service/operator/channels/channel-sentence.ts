import type { ChannelRules } from "#service/alerting/channel-rules";
import { isAlwaysQuiet, type QuietHours } from "#service/alerting/quiet-hours";
import * as limits from "#limits/lines-limits";
import { counted, lengthOf } from "#web/page/format";

/** What a channel is notified of, before anyone sees a rule. */
interface SpokenChannel {
  readonly rules: ChannelRules;
  /** Its monitors that have the labels which its rules ask for. */
  readonly monitorNames: readonly string[];
  /** The locations that its rules name. */
  readonly locationNames: readonly string[];
}

/** What it is notified of and when, below its name: `Notified of every failure of 12 monitors, not between …`. */
export function channelSentence({ rules, monitorNames, locationNames }: SpokenChannel): string {
  const of = happenings(rules, monitorNames);
  if (of.length === 0) return `Notified of nothing: choose monitors.`;
  if (isAlwaysQuiet(rules.quietHours))
    return `Notified of nothing: its quiet hours cover the whole week, so it never sends.`;
  const seen = locationNames.length === 0 ? "" : `, if ${among(locationNames, "or")} sees it`;
  const lasts = rules.delay === 0 ? "" : `, if it lasts for ${lengthOf(rules.delay)}`;
  const quiet =
    rules.quietHours.length === 0
      ? ""
      : `, not ${among(rules.quietHours.map(quietWords), "and not")} (${rules.timeZone})`;
  const again =
    rules.reminder === null
      ? ""
      : `, again every ${lengthOf(rules.reminder)} until someone acknowledges it`;
  return `Notified of ${among(of, "and of")}${seen}${lasts}${again}${quiet}.`;
}

/** Its events, those of monitors together. */
function happenings(
  { allMonitors, events, labels }: ChannelRules,
  monitorNames: readonly string[],
): readonly string[] {
  if (monitorNames.length === 0 && !allMonitors) return [];
  const ofMonitors = monitorEvents.filter(([event]) => events.includes(event));
  const labelled = Object.entries(labels).map(([key, value]) =>
    value === "" ? key : `${key}: ${value}`,
  );
  const chosen =
    labelled.length === 0
      ? ""
      : ` with the label${labelled.length === 1 ? "" : "s"} ${among(labelled, "and")}`;
  const own =
    ofMonitors.length === 0
      ? []
      : [
          `every ${among(
            ofMonitors.map(([, word]) => word),
            "and",
          )} of ${allMonitors ? "all monitors" : monitorWords(monitorNames)}${chosen}`,
        ];
  return [
    ...own,
    ...(events.includes("location")
      ? [`faults of ${monitorNames.length === 1 ? "its" : "their"} locations`]
      : []),
    ...(events.includes("maintenance") ? ["planned work"] : []),
  ];
}

/** A few by their names, which say more than their number. */
const monitorWords = (names: readonly string[]): string =>
  names.length > limits.sentenceMonitorsNamed
    ? counted(names.length, "monitor")
    : among(names, "and");

const monitorEvents = [
  ["error", "failure"],
  ["degraded", "slowdown"],
  ["recovery", "recovery"],
] as const;

const quietWords = ({ days, from, to }: QuietHours): string => {
  const on = days.length === 0 ? "" : `on ${among(days.map(dayName), "and")} `;
  return from === to ? `${on}for 24\u00A0h from ${from}` : `${on}between ${from} and ${to}`;
};

/** The name of a day of the week, by its number from 1 (Monday) to 7. */
export const dayName = (day: number): string => dayNames[day - 1] ?? "";

const dayNames: readonly string[] = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
];

/** `a, b and c`. */
const among = (words: readonly string[], last: string): string =>
  words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1) ?? ""}`;
