import type { Window } from "#service/alerting/maintenance";
import type { Locale } from "#service/status-page/page-definition";
import { periodInZone, tagOf } from "#service/status-site/view/words";
import { epochMillis, type EpochMillis } from "#base/units";

/**
 * When a period is that is written as `periodInZone` writes it: `1 Dec 2026, 23:00–23:30 CET`. Whatever is read has to be
 * written as the same text again, but for its spaces; null of any other text.
 */
export function writtenPeriod(text: string, locale: Locale, timeZone: string): Window | null {
  const { dates, times } = partsOf(text, locale);
  const [firstDay, lastDay = firstDay] = dates;
  const [first, last] = times;
  if (firstDay === undefined || lastDay === undefined) return null;
  if (first === undefined || last === undefined) return null;
  const begins = instantsAt(firstDay, first, timeZone);
  const ends = instantsAt(lastDay, last, timeZone);
  const all = begins.flatMap((from) => ends.map((to): Window => ({ from, to })));
  return (
    all.find(
      ({ from, to }) =>
        from < to &&
        spaceless(periodInZone(locale, timeZone, new Date(from), new Date(to))) === spaceless(text),
    ) ?? null
  );
}

/** Two clocks write the same period with other spaces. */
export const spaceless = (text: string): string => text.replace(/\s+/g, "");

interface WrittenTime {
  readonly hour: number;
  readonly minute: number;
}

/** Its days and times of the clock, in the order of the text. How far a zone is from UTC is no time. */
function partsOf(
  text: string,
  locale: Locale,
): { readonly dates: readonly Temporal.PlainDate[]; readonly times: readonly WrittenTime[] } {
  const { day, months } = daysIn(locale);
  const dates = [...text.matchAll(day)].flatMap(({ groups = {} }) => {
    const month = months.indexOf(groups["month"] ?? "") + 1;
    const date = { year: Number(groups["year"]), month, day: Number(groups["day"]) };
    const isDay = month > 0 && date.day > 0 && date.day <= 31;
    return isDay ? [Temporal.PlainDate.from(date)] : [];
  });
  const times = [
    ...text.replaceAll(/(?:GMT|UTC)[+\-−][\d:]+/g, "").matchAll(/(\d{1,2}):(\d{2})/g),
  ].flatMap(([, hour, minute]) =>
    Number(hour) < 24 && Number(minute) < 60
      ? [{ hour: Number(hour), minute: Number(minute) }]
      : [],
  );
  return { dates, times };
}

/** A clock of twelve hours has each time twice a day. */
const instantsAt = (
  day: Temporal.PlainDate,
  { hour, minute }: WrittenTime,
  timeZone: string,
): readonly EpochMillis[] =>
  [...new Set([hour, (hour % 12) + 12, hour % 12])].map((one) => {
    const wall = day.toPlainDateTime({ hour: one, minute });
    return epochMillis(wall.toZonedDateTime(timeZone).epochMilliseconds);
  });

interface WrittenDays {
  /** A day with its groups `day`, `month` and `year`. */
  readonly day: RegExp;
  readonly months: readonly string[];
}
const known = new Map<Locale, WrittenDays>();

const daysIn = (locale: Locale): WrittenDays =>
  known.getOrInsertComputed(locale, () => {
    const format = new Intl.DateTimeFormat(tagOf(locale), {
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "numeric",
      timeZone: "UTC",
    });
    const partsIn = (month: number) => format.formatToParts(Date.UTC(2026, month, 1));
    const months = Array.from(
      { length: 12 },
      (_, month) => partsIn(month).find(({ type }) => type === "month")?.value ?? "",
    );
    // The longest first: 12 begins with 1.
    const anyMonth = months
      .toSorted((a, b) => b.length - a.length)
      .map((one) => RegExp.escape(one))
      .join("|");
    const written: Readonly<Record<string, string>> = {
      day: "(?<day>\\d{1,2})",
      month: `(?<month>${anyMonth})`,
      year: "(?<year>\\d{4})",
    };
    const parts = partsIn(0);
    const isOfDay = ({ type }: Intl.DateTimeFormatPart): boolean => type in written;
    const day = parts
      .slice(parts.findIndex(isOfDay), parts.findLastIndex(isOfDay) + 1)
      .map(({ type, value }) => written[type] ?? RegExp.escape(value))
      .join("");
    return { day: new RegExp(day, "g"), months };
  });
