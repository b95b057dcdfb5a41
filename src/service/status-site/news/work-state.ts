import {
  isSkipped,
  lastWindow,
  windowFrom,
  windowsAfter,
  type Window,
} from "#service/alerting/maintenance";
import { isStale } from "#service/alerting/work-moments";
import { laterDaysShown, maintenanceShownAhead } from "#limits/status-limits";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import { repeatTexts } from "#service/status-page/texts/repeat-texts";
import type { PageTexts } from "#service/status-page/texts/page-text-list";
import { filledIn, spaceless, updateText } from "#service/status-site/view/filled-message";
import { repeatLines, repeatsOf, ruleIn } from "#service/status-site/view/repeat-rule";
import type { PageWords } from "#service/status-site/view/words";
import type { MaintenanceRow } from "#service/store/maintenance-store";
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

/** The time that was to be next by what was said before; of what is over by then, its last one. */
function timeBefore({ maintenance, createdAt, said }: WorkLetter): Window | null {
  if (said.is !== "changed") return null;
  const [old] = maintenanceOf({ ...maintenance, movedEnds: [], ...said.before });
  return old === undefined ? null : (windowsAfter(old, createdAt, 1)[0] ?? lastWindow(old));
}

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
  const ended = row.movedEnds.find((one) => !isSkipped(one) && one.to <= at && at < one.planned);
  if (ended !== undefined)
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

/** The time that it is about; of a date that is cancelled that one first, and which one comes next then. */
export function timeLines(letter: WorkLetter, words: PageWords): readonly string[] {
  const { colon, maintenanceComing } = words.texts;
  const { window, cancelled } = workTime(letter, words.texts);
  const time = words.period(window.from, window.to);
  if (cancelled === null) return [time];
  const { skipped } = repeatTexts[words.locale];
  const gone = words.period(cancelled.from, cancelled.to);
  return [`${skipped}${colon}${gone}`, `${maintenanceComing}${colon}${time}`];
}

/** The times that it had, unless they are those that it has; and its rule, if that was another. */
export function beforeLines(letter: WorkLetter, words: PageWords): readonly string[] {
  const { said, maintenance } = letter;
  if (said.is !== "changed") return [];
  const { window, before } = workTime(letter, words.texts);
  const [old, rule] = [said.before, maintenance].map((one) => ruleIn(words, repeatsOf(one)));
  const isMoved = before !== null && (before.from !== window.from || before.to !== window.to);
  const all = [
    ...(isMoved ? [words.period(before.from, before.to)] : []),
    ...(old === null || old === undefined || old === rule ? [] : [old]),
  ];
  return all.map((one) => `${words.texts.news.before}${words.texts.colon}${one}`);
}

/** The times after the one that is said, and by which rule they come. A moment is of one time; its end names the next. */
export function followingLines(letter: WorkLetter, words: PageWords): readonly string[] {
  const { createdAt, maintenance, said } = letter;
  if (said.is === "reminder" || said.is === "begun") return [];
  const later = laterLine(workTime(letter, words.texts).later, createdAt, words);
  return said.is === "ended" ? later : [...later, ...repeatLines(words, repeatsOf(maintenance))];
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

/** The same without the paragraphs that the title and the lines have. */
export function unsaidMessage(
  letter: WorkLetter,
  lines: readonly string[],
  words: PageWords,
): string {
  const { state } = workTime(letter, words.texts);
  const titled = lines.map((line) => `${state}${words.texts.colon}${line}`);
  const said = new Set([...lines, ...titled].map(spaceless));
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

/** `Then: Tue, 1 Dec · Tue, 8 Dec`, as on the page; of what comes much later one time alone, with its year. */
function laterLine(later: readonly Window[], at: EpochMillis, words: PageWords): string[] {
  const [first] = later;
  if (first === undefined) return [];
  const { maintenanceThen, colon } = words.texts;
  const soon = later.filter(({ from }) => from < after(at, maintenanceShownAhead));
  const days = soon.slice(0, laterDaysShown).map(({ from }) => words.weekday(from));
  const rest = soon.length > laterDaysShown ? " …" : "";
  const said = days.length === 0 ? words.localDate(first.from) : `${days.join(" · ")}${rest}`;
  return [`${maintenanceThen}${colon}${said}`];
}
