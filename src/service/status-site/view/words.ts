import { withZoneName } from "#web/page/zone-name";
import type { Locale } from "#service/status-page/page-definition";
import type { PageTexts } from "#service/status-page/texts/page-text-list";
import { pageTexts } from "#service/status-page/texts/page-texts";
import type { EpochMillis, Millis } from "#base/units";

/** A language's texts, and figures and times as it writes them. Times are those of a zone, and days are UTC. */
export interface PageWords {
  readonly locale: Locale;
  readonly texts: PageTexts;
  /** `22 Nov 2026, 12:00 UTC`, `22 Nov 2026, 13:00 CET`: as a clock of the zone shows it. */
  readonly moment: (instant: EpochMillis) => string;
  /** `22 Nov 2026, 12:00 – 13:00 UTC`, or with both days if they are not the same; one time if both are the same minute. */
  readonly period: (from: EpochMillis, to: EpochMillis) => string;
  /** `22 Nov 2026`: of a day of UTC. */
  readonly date: (instant: EpochMillis) => string;
  /** The same of a moment, in the zone. */
  readonly localDate: (instant: EpochMillis) => string;
  /** `November 2026`: of a moment, in the zone. */
  readonly month: (instant: EpochMillis) => string;
  /** `22 Nov`: of a day of UTC. */
  readonly dayAndMonth: (instant: EpochMillis) => string;
  /** `Tue, 24 Nov`: of what repeats. */
  readonly weekday: (instant: EpochMillis) => string;
  /** `7 days`. */
  readonly days: (count: number) => string;
  /** `90 days ago`; `Today` of none. */
  readonly daysAgo: (count: number) => string;
  /** `24 hours ago`; `Now` of none. */
  readonly hoursAgo: (count: number) => string;
  /** `120 ms`, `1.2 s`: two digits, as exact as the rollups are. */
  readonly latency: (duration: Millis) => string;
  /** `31 minutes`. */
  readonly duration: (duration: Millis) => string;
  /** `31 min`. */
  readonly length: (duration: Millis) => string;
  /** `99.98 %`, of hundredths of a percent. */
  readonly percent: (hundredths: number) => string;
  readonly number: (count: number) => string;
}

/** In English, days come before months, and the clock has 24 hours. */
export const tagOf = (locale: Locale): string => (locale === "en" ? "en-GB" : locale);

const known = new Map<string, PageWords>();

export const wordsIn = (locale: Locale, timeZone = "UTC"): PageWords =>
  known.getOrInsertComputed(`${locale} ${timeZone}`, () => madeWords(locale, timeZone));

function madeWords(locale: Locale, timeZone: string): PageWords {
  const tag = tagOf(locale);
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeZone: "UTC" });
  const dayMonths = new Intl.DateTimeFormat(tag, {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const periods = new Intl.DurationFormat(tag, { style: "long" });
  const numbers = new Intl.NumberFormat(tag);
  // British English has a plural of "min".
  const lengths = new Intl.DurationFormat(locale, { style: "short" });
  return {
    locale,
    texts: pageTexts[locale],
    ...timesIn(tag, timeZone),
    date: (instant) => dates.format(instant),
    dayAndMonth: (instant) => dayMonths.format(instant),
    days: (count) => periods.format({ days: count }),
    ...agoIn(tag),
    latency: latencyIn(tag),
    duration: (duration) => periods.format(partsOf(duration)),
    length: (duration) => lengths.format(partsOf(duration)),
    percent: percentIn(tag),
    number: (count) => numbers.format(count),
  };
}

/** English has the space of every other page; the other languages have their own rules. */
function percentIn(tag: string): PageWords["percent"] {
  if (tag === "en-GB") return (hundredths) => `${(hundredths / 100).toFixed(2)}\u00a0%`;
  const shares = new Intl.NumberFormat(tag, { style: "percent", minimumFractionDigits: 2 });
  return (hundredths) => shares.format(hundredths / 10_000);
}

function latencyIn(tag: string): PageWords["latency"] {
  const latencies = (unit: "millisecond" | "second") =>
    new Intl.NumberFormat(tag, {
      style: "unit",
      unit,
      unitDisplay: "short",
      maximumSignificantDigits: 2,
    });
  const [fast, slow] = [latencies("millisecond"), latencies("second")];
  return (duration) => (duration < 1_000 ? fast.format(duration) : slow.format(duration / 1_000));
}

type Times = Pick<PageWords, "moment" | "period" | "localDate" | "month" | "weekday">;

/** What a clock of the zone shows. The end of a period is a time alone if it is on the day of its begin. */
function timesIn(tag: string, timeZone: string): Times {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { ...options, timeZone });
  const moments = format({ dateStyle: "medium", timeStyle: "short" });
  const times = format({ timeStyle: "short" });
  const dates = format({ dateStyle: "medium" });
  const months = format({ month: "long", year: "numeric" });
  const weekdays = format({ weekday: "short", day: "numeric", month: "short" });
  const zone = zoneNameIn(tag, timeZone);
  return {
    moment: (at) => `${moments.format(at)} ${zone(at)}`,
    period: (from, to) => {
      const [begins, ends] = [moments.format(from), moments.format(to)];
      if (begins === ends && zone(from) === zone(to)) return `${begins} ${zone(to)}`;
      const end = dates.format(from) === dates.format(to) ? times : moments;
      // Clocks may change meanwhile: each time has its own name then.
      const begin = zone(from) === zone(to) ? "" : ` ${zone(from)}`;
      return `${begins}${begin} – ${end.format(to)} ${zone(to)}`;
    },
    localDate: (at) => dates.format(at),
    month: (at) => capital(months.format(at), tag),
    weekday: (at) => weekdays.format(at),
  };
}

/** `CET`, `MEZ`, `GMT−3`: what readers of a language call a zone at an instant. */
function zoneNameIn(tag: string, timeZone: string): (instant: EpochMillis) => string {
  const names = new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: "short" });
  return (instant) => {
    const parts = names.formatToParts(instant);
    const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "UTC";
    return tag === "en-GB"
      ? withZoneName(name, timeZone, [instant])
      : name.replaceAll("GMT-", "GMT−");
  };
}

/** As what begins a line: with a capital, where the script has capitals. */
function agoIn(tag: string): Pick<PageWords, "daysAgo" | "hoursAgo"> {
  const distances = new Intl.RelativeTimeFormat(tag, { numeric: "auto" });
  return {
    daysAgo: (count) => capital(distances.format(-count, "day"), tag),
    hoursAgo: (count) => capital(distances.format(-count, count === 0 ? "second" : "hour"), tag),
  };
}

const capital = (words: string, tag: string): string =>
  words.slice(0, 1).toLocaleUpperCase(tag) + words.slice(1);

/** Two units at most, rounded down as on every page; less than a minute in seconds. */
function partsOf(duration: Millis): { hours?: number; minutes?: number; seconds?: number } {
  const seconds = Math.floor(duration / 1000);
  if (seconds < 60) return { seconds };
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return { minutes };
  return minutes % 60 === 0
    ? { hours: Math.floor(minutes / 60) }
    : { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}

/** `22 Nov 2026, 13:05–14:05 CET`: a period as readers of this zone see it. */
export function periodInZone(locale: Locale, timeZone: string, from: Date, to: Date): string {
  const text = new Intl.DateTimeFormat(tagOf(locale), {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  }).formatRange(from, to);
  return locale === "en"
    ? withZoneName(text, timeZone, [from, to])
    : text.replaceAll("GMT-", "GMT−");
}
