import type { Mistake } from "#check/findings";
import { create } from "@bufbuild/protobuf";
import { channelEvents, type ChannelRules, rulesDefault } from "#service/alerting/channel-rules";
import type { QuietHours } from "#service/alerting/quiet-hours";
import {
  type NotificationRules,
  NotificationRulesSchema,
} from "#contract/openstatus/notification/v1/notification_pb";
import * as limits from "#limits/alerts-limits";
import { isTimeZone } from "#service/maintenance/maintenance-rules";
import { integerOf } from "#service/store/ids";
import { type Millis, millis } from "#base/units";

/** The rules that a message says, its absent fields as `before` has them, and all that is wrong with them. */
export function rulesIn(
  message: NotificationRules,
  before: ChannelRules = rulesDefault,
): { readonly rules: ChannelRules; readonly mistakes: readonly Mistake[] } {
  const mistakes: Mistake[] = [];
  const wrong = (field: string, text: string): void =>
    void mistakes.push({ field: `rules.${field}`, message: text });
  const rules = {
    events: eventsIn(message, before, wrong),
    delay: delayIn(message, before, wrong),
    reminder: reminderIn(message, before, wrong),
    quietHours: quietHoursIn(message, wrong),
    locations: locationsIn(message, wrong),
    labels: labelsIn(message, wrong),
    timeZone: timeZoneIn(message, wrong),
  };
  return { rules, mistakes };
}

type ReportMistake = (field: string, message: string) => void;

function eventsIn(
  { events }: NotificationRules,
  before: ChannelRules,
  wrong: ReportMistake,
): ChannelRules["events"] {
  if (events.length === 0) return before.events;
  const known = channelEvents.filter((event) => events.includes(event));
  const words: readonly string[] = channelEvents;
  events.forEach((event, index) => {
    if (!words.includes(event))
      wrong(`events[${index}]`, `must be one of ${channelEvents.join(", ")}`);
  });
  return known;
}

function delayIn(
  { delaySeconds }: NotificationRules,
  { delay }: ChannelRules,
  wrong: ReportMistake,
): Millis {
  if (delaySeconds === undefined) return delay;
  const max = limits.alertDelayMax / 1000;
  if (delaySeconds < 0n || delaySeconds > BigInt(max))
    wrong("delay_seconds", `must be in 0 to ${max}`);
  return millis(Number(delaySeconds) * 1000);
}

function reminderIn(
  { reminderSeconds }: NotificationRules,
  { reminder }: ChannelRules,
  wrong: ReportMistake,
): Millis | null {
  if (reminderSeconds === undefined) return reminder;
  if (reminderSeconds === 0n) return null;
  const [min, max] = [limits.reminderMin / 1000, limits.alertDelayMax / 1000];
  if (reminderSeconds < BigInt(min) || reminderSeconds > BigInt(max))
    wrong("reminder_seconds", `must be 0 for never, or in ${min} to ${max}`);
  return millis(Number(reminderSeconds) * 1000);
}

function quietHoursIn(
  { quietHours }: NotificationRules,
  wrong: ReportMistake,
): readonly QuietHours[] {
  if (quietHours.length > limits.quietHoursMax)
    wrong("quiet_hours", `has ${quietHours.length} entries, more than ${limits.quietHoursMax}`);
  return quietHours.slice(0, limits.quietHoursMax).map(({ days, from, to }, index) => {
    const at = `quiet_hours[${index}]`;
    if (days.some((day) => day < 1 || day > 7))
      wrong(`${at}.days`, "must be numbers from 1 (Monday) to 7 (Sunday)");
    if (!timeOfDay.test(from)) wrong(`${at}.from`, "must be a time of day, e.g. 22:00");
    if (!timeOfDay.test(to)) wrong(`${at}.to`, "must be a time of day, e.g. 07:00");
    return { days: [...new Set(days)].toSorted((a, b) => a - b), from, to };
  });
}

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

function locationsIn(
  { privateLocationIds }: NotificationRules,
  wrong: ReportMistake,
): readonly number[] {
  return privateLocationIds.flatMap((id, index) => {
    const known = integerOf(id);
    if (known === null) wrong(`private_location_ids[${index}]`, "must be the id of a location");
    return known === null ? [] : [known];
  });
}

function labelsIn({ labels }: NotificationRules, wrong: ReportMistake): ChannelRules["labels"] {
  if (Object.keys(labels).length > limits.channelLabelsMax)
    wrong("labels", `has more than ${limits.channelLabelsMax} entries`);
  return labels;
}

function timeZoneIn({ timeZone }: NotificationRules, wrong: ReportMistake): string {
  if (timeZone === "") return rulesDefault.timeZone;
  if (isTimeZone(timeZone)) return timeZone;
  wrong("time_zone", "must be the name of a time zone, e.g. Europe/Berlin");
  return rulesDefault.timeZone;
}

export const rulesMessage = (rules: ChannelRules): NotificationRules =>
  create(NotificationRulesSchema, {
    events: [...rules.events],
    delaySeconds: BigInt(rules.delay / 1000),
    reminderSeconds: BigInt((rules.reminder ?? 0) / 1000),
    quietHours: rules.quietHours.map(({ days, from, to }) => ({ days: [...days], from, to })),
    privateLocationIds: rules.locations.map(String),
    labels: { ...rules.labels },
    timeZone: rules.timeZone,
  });
