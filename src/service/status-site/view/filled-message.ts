import { lastWindow, type Window, windowsAfter } from "#service/alerting/maintenance";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import { locales } from "#service/status-page/page-definition";
import type { FilledIn, WindowUpdate } from "#service/status-page/page-facts";
import { repeatTexts } from "#service/status-page/texts/repeat-texts";
import { seriesOf } from "#service/status-site/planned-series";
import { repeatLines, repeatsOf } from "#service/status-site/view/repeat-rule";
import { spaceless, writtenPeriod } from "#service/status-site/view/written-period";
import { type PageWords, periodInZone, wordsIn } from "#service/status-site/view/words";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";

/*
 * What the operator's form fills in as the text of an update. Sent as it is, it is the program's own sentence: each
 * reader has it in their language.
 */

/** What the form fills in about the time that is under way or comes next, or was the last; null if there is none. */
export function filledOf(
  row: MaintenanceRow,
  is: "begun" | "later" | "times",
  at: EpochMillis,
): FilledIn | null {
  const [plan] = maintenanceOf(row);
  if (plan === undefined) return null;
  const next = windowsAfter(plan, at, 1)[0] ?? null;
  const window = is === "times" ? (next ?? lastWindow(plan)) : next;
  if (window === null || (is === "begun" && window.from > at)) return null;
  return { is, window, repeats: repeatsOf(row) };
}

/** The same of the dates on which work does not take place. */
export const skippedFills = (row: MaintenanceRow): readonly FilledIn[] =>
  maintenanceOf(row).flatMap((plan) =>
    (seriesOf(plan)?.skipped ?? []).map(({ from, to }): FilledIn => ({
      is: "skipped",
      window: { from, to },
      repeats: repeatsOf(row),
    })),
  );

/** As the form has it: by the clock by which the work is planned. */
export const filledText = (filled: FilledIn, words: PageWords, timeZone: string): string =>
  textOf(filled, words, ({ from, to }) =>
    periodInZone(words.locale, timeZone, new Date(from), new Date(to)),
  );

/** Which of its sentences a text is, in any language, also if the work has other times by now; null: people wrote it. */
export function filledIn(message: string, row: MaintenanceRow, at: EpochMillis): FilledIn | null {
  const words = locales.map((one) => wordsIn(one)).find((one) => mayBeFilled(message, one));
  if (words === undefined) return null;
  const some = (["begun", "later", "times"] as const).flatMap((is) => filledOf(row, is, at) ?? []);
  const all: readonly FilledIn[] = [{ is: "over" }, ...some, ...skippedFills(row)];
  const text = spaceless(message);
  return (
    all.find((one) => spaceless(filledText(one, words, row.timeZone)) === text) ??
    filledThen(message, row, words)
  );
}

/** The same of times that the work had: they are read from the text. */
function filledThen(message: string, row: MaintenanceRow, words: PageWords): FilledIn | null {
  const plans = [row, ...row.earlierPlans];
  const [first = "", rule = "", ...others] = message.trim().split(/\r?\n\s*\n/);
  const said = timedFills.find((is) =>
    first.startsWith(`${labelOf(is, words)}${words.texts.colon}`),
  );
  if (said === undefined) return null;
  const period = first.slice(labelOf(said, words).length + words.texts.colon.length);
  for (const timeZone of new Set(plans.map((one) => one.timeZone))) {
    const window = writtenPeriod(period, words.locale, timeZone);
    if (window === null) continue;
    const rules = [...plans.map(repeatsOf), { ...repeatsOf(row), begin: window.from }];
    const found = rules
      .map((repeats): FilledIn => ({ is: said, window, repeats }))
      .find((one) => spaceless(filledText(one, words, timeZone)) === spaceless(message));
    if (found !== undefined) return found;
    // A rule that it has no more is left out, as the rule of now is elsewhere.
    const isRule = rule.startsWith(`${repeatTexts[words.locale].label}${words.texts.colon}`);
    const once = { ...repeatsOf(row), recurrence: "" };
    if (said === "times" && isRule && !/\n/.test(rule) && others.length === 0)
      return { is: said, window, repeats: once };
  }
  return null;
}

const timedFills = ["times", "later", "begun", "skipped"] as const;

/** What the readers of a language have of an update, as Markdown: by the page's clock if the program wrote it. */
export const updateText = (
  { message, filled }: Pick<WindowUpdate, "filled" | "message">,
  words: PageWords,
): string =>
  filled === undefined ? message : textOf(filled, words, ({ from, to }) => words.period(from, to));

function textOf(filled: FilledIn, words: PageWords, periodOf: (window: Window) => string): string {
  if (filled.is === "over") return words.texts.news.finishedMessage;
  const first = `${labelOf(filled.is, words)}${words.texts.colon}${periodOf(filled.window)}`;
  const rule = filled.is === "times" ? repeatLines(words, filled.repeats) : [];
  return [first, ...rule].join("\n\n");
}

function labelOf(
  is: Exclude<FilledIn["is"], "over">,
  { texts: { news }, locale }: PageWords,
): string {
  const labels = { times: news.newTimes, later: news.endsLater, begun: news.begun };
  return is === "skipped" ? repeatTexts[locale].skipped : labels[is];
}

const mayBeFilled = (message: string, words: PageWords): boolean =>
  message.trim() === words.texts.news.finishedMessage ||
  timedFills.some((is) => message.startsWith(labelOf(is, words)));
