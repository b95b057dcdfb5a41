import type { Mistake } from "#check/findings";
import { lineFault } from "#base/text";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/alerts-limits";
import { channelEvents } from "#service/alerting/channel-rules";
import { isAlwaysQuiet, type QuietHours } from "#service/alerting/quiet-hours";
import { isTimeZone } from "#base/time-zone";

/** Rules of a channel as a file or a call says them. */
interface SaidRules {
  readonly events: readonly string[];
  readonly quietHours: readonly { readonly from: string; readonly to: string }[];
  readonly labels: Readonly<Record<string, string>>;
  readonly timeZone: string;
}

/** What is wrong with the name of a channel, which is in subjects of messages. */
export function channelNameFaults(name: string): readonly Mistake[] {
  const max = checkLimits.nameCharsMax;
  const tooLong = name.length > max ? [`is longer than ${max} characters`] : [];
  return [...tooLong, lineFault(name) ?? []].flat().map((message) => ({ field: "name", message }));
}

/** What is wrong with the rules of a channel that files and calls say alike, by the names that both have for them. */
export function ruleFaults({
  events,
  quietHours,
  labels,
  timeZone,
}: SaidRules): readonly Mistake[] {
  const faults: Mistake[] = [];
  const wrong = (field: string, message: string): void => void faults.push({ field, message });
  const words: readonly string[] = channelEvents;
  events.forEach((event, index) => {
    if (!words.includes(event))
      wrong(`events[${index}]`, `must be one of ${channelEvents.join(", ")}`);
  });
  if (quietHours.length > limits.quietHoursMax)
    wrong("quiet_hours", `has ${quietHours.length} entries, more than ${limits.quietHoursMax}`);
  quietHours.forEach(({ from, to }, index) => {
    const at = `quiet_hours[${index}]`;
    if (!timeOfDay.test(from)) wrong(`${at}.from`, timeFault(from, "22:00"));
    if (!timeOfDay.test(to)) wrong(`${at}.to`, timeFault(to, "07:00"));
  });
  const { length } = Object.keys(labels);
  if (length > limits.channelLabelsMax)
    wrong("labels", `has ${length} entries, more than ${limits.channelLabelsMax}`);
  if (!isTimeZone(timeZone))
    wrong("time_zone", "must be the name of a time zone, for example Europe/Berlin");
  return faults;
}

/** That quiet hours leave no time to send anything. */
export const quietFaults = (all: readonly QuietHours[]): readonly Mistake[] =>
  all.every(({ from, to }) => timeOfDay.test(from) && timeOfDay.test(to)) && isAlwaysQuiet(all)
    ? [{ field: "quiet_hours", message: alwaysQuietFault }]
    : [];

const alwaysQuietFault =
  "cover the whole week, so no message would ever be sent: leave some time free, or choose no monitors";

/** “9:5” may be five minutes or fifty. */
function timeFault(text: string, example: string): string {
  const [, hour = "", minute] = /^(\d{1,2})[:.]([0-5])$/.exec(text) ?? [];
  const begin = `${hour.padStart(2, "0")}:`;
  return minute === undefined || !timeOfDay.test(`${begin}00`)
    ? `must be a time of day, for example "${example}"`
    : `has one digit for minutes: write ${begin}0${minute} or ${begin}${minute}0`;
}

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;
