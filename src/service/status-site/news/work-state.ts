import {
  isSkipped,
  lastWindow,
  windowFrom,
  windowsAfter,
  type Window,
} from "#service/alerting/maintenance";
import { begunEarly, endedEarly } from "#service/alerting/ended-early";
import { isStale } from "#service/alerting/work-moments";
import { laterDaysShown, maintenanceShownAhead } from "#limits/status-limits";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import type { RepeatFacts } from "#service/status-page/page-facts";
import { repeatTexts } from "#service/status-page/texts/repeat-texts";
import type { PageTexts } from "#service/status-page/texts/page-text-list";
import type { LetterFact } from "#service/status-site/news/letter-facts";
import { filledIn, updateText } from "#service/status-site/view/filled-message";
import { repeatsOf, ruleIn } from "#service/status-site/view/repeat-rule";
import { spaceless } from "#service/status-site/view/written-period";
import type { PageWords } from "#service/status-site/view/words";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { SaidTimes } from "#service/store/news/saved-saying";
import type { NewsLetter } from "#service/store/subscriber-store";
import { after, type EpochMillis } from "#base/units";

/* What a message says of planned work, as of when it was written: it comes, is under way, or is over, and from when to when. */

/** The time of work that a message is about. */
interface WorkTime {
  readonly state: string;
  /** What it is for programs. */
  readonly event: WorkEvent;
  readonly window: Window;
  /** Those that come after it, one more than a line names; none of work that does not repeat. */
  readonly later: readonly Window[];
  /** What was said before; null if it is not changed, or if that is not when it was to be next. */
  readonly before: Window | null;
  /** A date that does not take place, which is what is new. */
  readonly cancelled: Window | null;
}

/** The `event` of planned work in a webhook. */
type WorkEvent = WorkLetter["said"]["is"] | "date_cancelled";

type WorkLetter = Extract<NewsLetter, { readonly of: "maintenance" }>;
type SaidMoment = Extract<WorkLetter["said"], { readonly window: Window }>;

export function workTime(letter: WorkLetter, texts: PageTexts): WorkTime {
  const { maintenance, createdAt, said } = letter;
  if ("window" in said) return momentTime(maintenance, said, texts);
  const time = { ...timeAt(maintenance, createdAt, texts), before: null, cancelled: null };
  if (said.is === "announced") return { ...time, event: said.is };
  if (time.window.to <= createdAt) return { ...time, event: "ended" };
  if (said.is === "changed") {
    const before = timeBefore(letter);
    // What was to begin later began by that.
    const isBegun = time.window.from <= createdAt && before !== null && before.from > createdAt;
    return isBegun
      ? { ...time, state: texts.news.begun, event: "begun", before }
      : { ...time, state: texts.news.changed, event: said.is, before };
  }
  const cancelled = cancelledDate(letter);
  return cancelled === null
    ? { ...time, state: texts.news.updated, event: said.is }
    : { ...time, state: texts.news.dateCancelled, event: "date_cancelled", cancelled };
}

/** The time that was to be next by what was said before; of what is over by then, its last one; of a date that began early, that date. */
function timeBefore({ maintenance, createdAt, said }: WorkLetter): Window | null {
  if (said.is !== "changed") return null;
  const early = begunEarly(maintenance.movedEnds, createdAt);
  if (early !== undefined && isSamePlan(maintenance, said.before))
    return { from: early.from, to: early.planned };
  const [old] = maintenanceOf({ ...maintenance, movedEnds: [], ...said.before });
  return old === undefined ? null : (windowsAfter(old, createdAt, 1)[0] ?? lastWindow(old));
}

const isSamePlan = (row: MaintenanceRow, before: SaidTimes): boolean =>
  (["from", "to", "recurrence", "timeZone"] as const).every((one) => row[one] === before[one]);

/** The one date that was cancelled since something was said last; null if none was, if several were, and if it was put back. */
function cancelledDate({ maintenance: { movedEnds }, said }: WorkLetter): Window | null {
  if (said.is !== "updated" || said.skipped === undefined) return null;
  const [from, ...others] = said.skipped;
  const moved = movedEnds.find((one) => isSkipped(one) && one.from === from);
  return moved === undefined || others.length > 0 ? null : { from: moved.from, to: moved.planned };
}

/** Of what a person says: by how things stand then. */
function timeAt(row: MaintenanceRow, at: EpochMillis, texts: PageTexts) {
  const [plan = null] = maintenanceOf(row);
  const [next = null, ...later] = plan === null ? [] : windowsAfter(plan, at, laterDaysShown + 2);
  // Of work that repeats, this time is over, though others come.
  const ended = endedEarly(row.movedEnds, at);
  if (ended !== null)
    return {
      state: texts.news.finished,
      window: ended,
      later: next === null ? [] : [next, ...later],
    };
  const last = plan === null ? null : lastWindow(plan);
  return {
    state: windowState(next, at, texts),
    window: next ?? last ?? row,
    later,
  };
}

/** Of what the service says by itself. */
function momentTime(row: MaintenanceRow, said: SaidMoment, { news }: PageTexts): WorkTime {
  const [plan = null] = maintenanceOf(row);
  const window = (plan === null ? null : windowFrom(plan, said.window.from)) ?? said.window;
  const later = plan === null ? [] : windowsAfter(plan, window.to, laterDaysShown + 1);
  const states = { reminder: news.reminder, begun: news.begun, ended: news.finished };
  return {
    state: states[said.is],
    event: said.is,
    window,
    later,
    before: null,
    cancelled: null,
  };
}

/** When it is and how it repeats, each with what was said before if that was another. */
export const workFacts = (letter: WorkLetter, words: PageWords): readonly LetterFact[] => [
  ...timeFacts(letter, words),
  ...followingFacts(letter, words),
];

/** The time that it is about; of a date that is cancelled that one first, and which one comes next then. */
function timeFacts(letter: WorkLetter, words: PageWords): readonly LetterFact[] {
  const { maintenanceComing, news } = words.texts;
  const { window, cancelled, before } = workTime(letter, words.texts);
  const periodOf = ({ from, to }: Window): string => words.period(from, to);
  const value = periodOf(window);
  if (cancelled !== null)
    return [
      { name: repeatTexts[words.locale].skipped, value: periodOf(cancelled) },
      { name: maintenanceComing, value },
    ];
  const old = before === null ? value : periodOf(before);
  return [{ name: news.when, value, ...(old === value ? {} : { before: old }) }];
}

/** The times after the one that is said, and by which rule they come. A moment is of one time; its end names the next. */
function followingFacts(letter: WorkLetter, words: PageWords): readonly LetterFact[] {
  const { createdAt, maintenance, said } = letter;
  if (said.is === "reminder" || said.is === "begun") return [];
  const later = laterFact(workTime(letter, words.texts).later, createdAt, words);
  if (said.is === "ended") return later;
  const before = said.is === "changed" ? repeatsOf(said.before) : null;
  return [...later, ...ruleFacts(words, repeatsOf(maintenance), before)];
}

/** How work repeats, and how it did by what was said before; none of what happens once. */
export function ruleFacts(
  words: PageWords,
  repeats: RepeatFacts,
  before: RepeatFacts | null = null,
): readonly LetterFact[] {
  const { label, never } = repeatTexts[words.locale];
  const rule = ruleIn(words, repeats);
  const old = before === null ? null : ruleIn(words, before);
  if (rule === null && old === null) return [];
  const value = rule ?? never;
  return [{ name: label, value, ...(old === null || old === value ? {} : { before: old }) }];
}

/** What people wrote of it, or that it is over. What the form filled in is in the language of the reader. */
export function workMessage(letter: WorkLetter, words: PageWords): string {
  const { said, maintenance, createdAt } = letter;
  if (said.is === "ended") return words.texts.news.finishedMessage;
  const { message } = maintenance;
  const filled =
    said.is === "updated" || said.is === "changed"
      ? filledIn(message, maintenance, createdAt)
      : null;
  return filled === null ? message : updateText({ message, filled }, words);
}

/** The same without the paragraphs that the state and the facts have. That times are new is said by those from before. */
export function unsaidMessage(
  letter: WorkLetter,
  facts: readonly LetterFact[],
  words: PageWords,
): string {
  const { colon, news } = words.texts;
  const { state } = workTime(letter, words.texts);
  const said = new Set(
    facts
      .flatMap(({ name, value, before }) => [
        value,
        ...[name, state, ...(before === undefined ? [] : [news.newTimes])].map(
          (label) => `${label}${colon}${value}`,
        ),
      ])
      .map(spaceless),
  );
  const message = workMessage(letter, words);
  return message
    .split("\n\n")
    .filter((one) => !said.has(spaceless(one)))
    .join("\n\n");
}

/** Whether it is of no use any more, as what it says is over, or planned otherwise. */
export function isOvertaken({ maintenance, said }: WorkLetter, now: EpochMillis): boolean {
  const [plan] = maintenanceOf(maintenance);
  return "window" in said && (plan === undefined || isStale(said, plan, now));
}

/** By the window that is under way or comes next; null: none does. */
export function windowState(window: Window | null, at: EpochMillis, texts: PageTexts): string {
  if (window === null || window.to <= at) return texts.news.finished;
  return window.from <= at ? texts.maintenanceNow : texts.maintenanceComing;
}

/** `Then`: `Tue, 1 Dec · Tue, 8 Dec`, as on the page; of what comes much later one time alone, with its year. */
function laterFact(
  later: readonly Window[],
  at: EpochMillis,
  words: PageWords,
): readonly LetterFact[] {
  const [first] = later;
  if (first === undefined) return [];
  const soon = later.filter(({ from }) => from < after(at, maintenanceShownAhead));
  const days = soon.slice(0, laterDaysShown).map(({ from }) => words.weekday(from));
  const rest = soon.length > laterDaysShown ? " …" : "";
  const value = days.length === 0 ? words.localDate(first.from) : `${days.join(" · ")}${rest}`;
  return [{ name: words.texts.maintenanceThen, value }];
}
