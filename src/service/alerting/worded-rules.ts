import type { Mistake } from "#check/findings";
import { durationText, parseDuration } from "#base/duration";
import * as limits from "#limits/alerts-limits";
import { channelEvents, type ChannelRules } from "#service/alerting/channel-rules";
import type { QuietHours } from "#service/alerting/quiet-hours";
import { quietFaults, ruleFaults } from "#service/alerting/rule-faults";
import { isTimeZone } from "#base/time-zone";
import { type Millis, millis } from "#base/units";

/** Rules of a channel as a person writes them, in a file or in a form. */
interface WordedRules {
  readonly allMonitors: boolean;
  readonly events: readonly string[];
  /** `10m`; empty is at once. */
  readonly delay: string;
  /** `4h`; empty is never. */
  readonly reminder: string;
  readonly quietHours: readonly WordedQuietHours[];
  readonly labels: Readonly<Record<string, string>>;
  readonly timeZone: string;
}

interface WordedQuietHours {
  readonly days: readonly string[];
  readonly from: string;
  readonly to: string;
}

export const dayWords = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** What is written, and all that is wrong with it by its field. Locations have names there and ids here. */
export function readWordedRules(written: WordedRules): {
  readonly rules: Omit<ChannelRules, "locations">;
  readonly mistakes: readonly Mistake[];
} {
  const mistakes: Mistake[] = [...ruleFaults(written)];
  const wrong: Wrong = (field, message) => void mistakes.push({ field, message });
  const { allMonitors, events, labels, timeZone } = written;
  const quietHours = quietHoursIn(written.quietHours, wrong);
  mistakes.push(...quietFaults(quietHours));
  const rules = {
    allMonitors,
    events: channelEvents.filter((one) => events.includes(one)),
    delay: durationIn("delay", written.delay, millis(0), wrong) ?? millis(0),
    reminder: durationIn("reminder", written.reminder, limits.reminderMin, wrong),
    quietHours,
    labels,
    timeZone: isTimeZone(timeZone) ? timeZone : "UTC",
  };
  return { rules, mistakes };
}

/** Every how long a message is repeated by what a form says; null: never, or so that no channel may. */
export const reminderIn = (text: string): Millis | null =>
  durationIn("reminder", text, limits.reminderMin, () => {});

type Wrong = (field: string, message: string) => void;

/** Null if nothing is said. */
function durationIn(field: string, text: string, min: Millis, wrong: Wrong): Millis | null {
  if (text === "") return null;
  const read = parseDuration(text);
  const max = limits.alertDelayMax;
  if (read !== null && read >= min && read <= max && read % 1000 === 0) return read;
  const most = `${max / 3_600_000}h`;
  const range = min === 0 ? `of at most ${most}` : `from ${durationText(min)} to ${most}`;
  wrong(field, `must be a duration ${range}, for example 30m`);
  return null;
}

const quietHoursIn = (all: readonly WordedQuietHours[], wrong: Wrong): readonly QuietHours[] =>
  all.map(({ days: named, from, to }, index) => {
    const known: readonly string[] = dayWords;
    named.forEach((day, at) => {
      if (!known.includes(day))
        wrong(`quiet_hours[${index}].days[${at}]`, `must be one of ${dayWords.join(", ")}`);
    });
    return {
      days: dayWords.flatMap((day, at) => (named.includes(day) ? [at + 1] : [])),
      from,
      to,
    };
  });
