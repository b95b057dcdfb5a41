import type { Mistake } from "#check/findings";
import { create } from "@bufbuild/protobuf";
import { channelEvents, type ChannelRules, rulesDefault } from "#service/alerting/channel-rules";
import type { QuietHours } from "#service/alerting/quiet-hours";
import {
  type NotificationRules,
  NotificationRulesSchema,
} from "#contract/openstatus/notification/v1/notification_pb";
import * as limits from "#limits/alerts-limits";
import { quietFaults, ruleFaults } from "#service/alerting/rule-faults";
import { isTimeZone } from "#base/time-zone";
import type { NamesOf } from "#check/field-names";
import type { MessageWith } from "#wire/message-with";
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
  const { labels, timeZone } = message;
  const events = message.events.length === 0 ? before.events : message.events;
  const said = { events, quietHours: message.quietHours, labels, timeZone: timeZone || "UTC" };
  const quietHours = quietHoursIn(message, wrong);
  for (const one of [...ruleFaults(said), ...quietFaults(quietHours)])
    wrong(one.field, one.message);
  const rules = {
    allMonitors: message.allMonitors ?? before.allMonitors,
    events: channelEvents.filter((event) => said.events.some((one) => one === event)),
    delay: delayIn(message, before, wrong),
    reminder: reminderIn(message, before, wrong),
    quietHours,
    locations: locationsIn(message, wrong),
    labels,
    timeZone: isTimeZone(said.timeZone) ? said.timeZone : rulesDefault.timeZone,
  };
  return { rules, mistakes };
}

type ReportMistake = (field: string, message: string) => void;

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
  return quietHours.slice(0, limits.quietHoursMax).map(({ days, from, to }, index) => {
    if (days.some((day) => day < 1 || day > 7))
      wrong(`quiet_hours[${index}].days`, "must be numbers from 1 (Monday) to 7 (Sunday)");
    return { days: [...new Set(days)].toSorted((a, b) => a - b), from, to };
  });
}

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

/** The name that each rule has in messages. */
type MessageNames = NamesOf<
  ChannelRules,
  {
    allMonitors: "all_monitors";
    events: "events";
    delay: "delay_seconds";
    reminder: "reminder_seconds";
    quietHours: "quiet_hours";
    locations: "private_location_ids";
    labels: "labels";
    timeZone: "time_zone";
  }
>;

export const rulesMessage = (rules: ChannelRules): NotificationRules =>
  create(NotificationRulesSchema, ruleFields(rules));

const ruleFields = (
  rules: ChannelRules,
): MessageWith<typeof NotificationRulesSchema, MessageNames> => ({
  allMonitors: rules.allMonitors,
  events: [...rules.events],
  delaySeconds: BigInt(rules.delay / 1000),
  reminderSeconds: BigInt((rules.reminder ?? 0) / 1000),
  quietHours: rules.quietHours.map(({ days, from, to }) => ({ days: [...days], from, to })),
  privateLocationIds: rules.locations.map(String),
  labels: { ...rules.labels },
  timeZone: rules.timeZone,
});
