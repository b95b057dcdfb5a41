import { readRecurrence, type Recurrence } from "#service/alerting/recurrence";
import type { RepeatFacts } from "#service/status-page/page-facts";
import { repeatTexts } from "#service/status-page/texts/repeat-texts";
import type { PageWords } from "#service/status-site/view/words";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";

/**
 * How work repeats, in the page's language and by the clock of its zone: `every Tuesday, 10:00 (Europe/Berlin), until
 * 31 January 2027`. Null of what happens once, and of a rule that cannot be read.
 */
export function ruleIn(
  { locale }: Pick<PageWords, "locale">,
  { recurrence, begin, timeZone }: RepeatFacts,
): string | null {
  const read = recurrence === "" ? null : readRecurrence(recurrence);
  if (read === null || !read.ok) return null;
  const tag = locale === "en" ? "en-GB" : locale;
  const wall = wallOf(begin, timeZone);
  const time = new Intl.DateTimeFormat(tag, { timeStyle: "short" }).format(wall);
  const end = endIn(read.value, { locale, tag, timeZone });
  const rule = `${everyIn(read.value, { locale, tag, wall })}, ${time}`;
  return `${rule} (${timeZone.replaceAll("_", " ")})${end === null ? "" : `, ${end}`}`;
}

/** How planned work repeats, of its row. */
export const repeatsOf = ({
  recurrence,
  from: begin,
  timeZone,
}: Pick<MaintenanceRow, "recurrence" | "from" | "timeZone">): RepeatFacts => ({
  recurrence,
  begin,
  timeZone,
});

/** The same after its word: `Repeats: every Tuesday, 10:00 (Europe/Berlin)`; none of what happens once. */
export function repeatLines(words: PageWords, repeats: RepeatFacts): string[] {
  const rule = ruleIn(words, repeats);
  return rule === null ? [] : [`${repeatTexts[words.locale].label}${words.texts.colon}${rule}`];
}

interface RuleScene extends Pick<PageWords, "locale"> {
  readonly tag: string;
  /** When it begins first. */
  readonly wall: Temporal.PlainDateTime;
}

/** Without a day, work is on the one on which it begins. */
function everyIn(rule: Recurrence, { locale, tag, wall }: RuleScene): string {
  const texts = repeatTexts[locale];
  const { every, interval, days, monthDays } = rule;
  const list = new Intl.ListFormat(tag, { type: "conjunction" });
  const and = (all: readonly string[]): string => list.format(all);
  const name = nameIn(tag);
  const isEachWeek = monthDays.length === 0 && interval === 1 && days.every(({ nth }) => nth === 0);
  const weekly = every === "WEEKLY" && days.length === 0 ? [wall.dayOfWeek] : daysIn(days);
  if (isEachWeek && weekly.length > 0) {
    if (weekly.join("") === "1234567") return texts.day(1);
    return weekly.join("") === "12345" ? texts.workdays : texts.each(weekly.map(name), and);
  }
  const isYearly = every === "MONTHLY" && interval % 12 === 0;
  const period = isYearly
    ? texts.year(interval / 12)
    : { DAILY: texts.day, WEEKLY: texts.week, MONTHLY: texts.month }[every](interval);
  const month = new Intl.DateTimeFormat(tag, { month: "long" }).format(wall);
  const inMonth = (day: string): string => (isYearly ? texts.inMonth(day, month) : day);
  const onDays =
    every === "WEEKLY"
      ? weekly.map((day) => texts.weekday(name(day)))
      : days.map(({ day, nth }) =>
          inMonth(nth === 0 ? texts.weekday(name(day)) : texts.nth(nth, name(day))),
        );
  const isBare = every === "MONTHLY" && days.length + monthDays.length === 0;
  const dates = (isBare ? [wall.day] : monthDays).map((day) =>
    isYearly && day > 0 ? texts.yearDay(day, month) : inMonth(texts.date(day)),
  );
  return [onDays, dates]
    .filter((some) => some.length > 0)
    .reduce((said, some) => texts.on(said, and(some)), period);
}

/** In the order of a week, each once. */
const daysIn = (days: Recurrence["days"]): readonly number[] =>
  [...new Set(days.map(({ day }) => day))].toSorted((a, b) => a - b);

/** A day of the week by its number from 1, Monday, to 7. */
function nameIn(tag: string): (day: number) => string {
  const names = new Intl.DateTimeFormat(tag, { weekday: "long" });
  return (day) => names.format(Temporal.PlainDate.from("2024-01-01").add({ days: day - 1 }));
}

function endIn(
  { until, count }: Recurrence,
  { locale, tag, timeZone }: Pick<RuleScene, "locale" | "tag"> & { readonly timeZone: string },
): string | null {
  const texts = repeatTexts[locale];
  if (count !== null) return texts.times(count);
  if (until === null) return null;
  const last = until.endsWith("Z")
    ? Temporal.Instant.from(until).toZonedDateTimeISO(timeZone).toPlainDate()
    : Temporal.PlainDate.from(until.slice(0, 8));
  return texts.until(new Intl.DateTimeFormat(tag, { dateStyle: "long" }).format(last));
}

const wallOf = (instant: EpochMillis, timeZone: string): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDateTime();
