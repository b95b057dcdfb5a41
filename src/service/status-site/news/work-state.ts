import { lastWindow, windowsAfter, type Window } from "#service/alerting/maintenance";
import { laterDaysShown, maintenanceShownAhead } from "#limits/status-limits";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import type { PageTexts } from "#service/status-page/texts/page-text-list";
import type { PageWords } from "#service/status-site/view/words";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import { after, type EpochMillis } from "#base/units";

/* What a message says of planned work, as of when it was written: it comes, is under way, or is over, and from when to when. */

/** The time of work that a message is about. */
interface WorkTime {
  readonly state: string;
  readonly window: Window;
  /** Those that come after it, one more than a line names; none of work that does not repeat. */
  readonly later: readonly Window[];
}

export function workTime(row: MaintenanceRow, at: EpochMillis, texts: PageTexts): WorkTime {
  const [plan = null] = maintenanceOf(row);
  const [next = null, ...later] = plan === null ? [] : windowsAfter(plan, at, laterDaysShown + 2);
  // Of work that repeats, this time is over, though others come.
  const ended = row.movedEnds.find(({ to, planned }) => to <= at && at < planned);
  if (ended !== undefined)
    return {
      state: texts.news.finished,
      window: ended,
      later: next === null ? [] : [next, ...later],
    };
  const last = plan === null ? null : lastWindow(plan);
  return { state: windowState(next, at, texts), window: next ?? last ?? row, later };
}

/** By the window that is under way or comes next; null: none does. */
export function windowState(window: Window | null, at: EpochMillis, texts: PageTexts): string {
  if (window === null || window.to <= at) return texts.news.finished;
  return window.from <= at ? texts.maintenanceNow : texts.maintenanceComing;
}

/** `Then: Tue, 1 Dec · Tue, 8 Dec`, as on the page; of what comes much later one time alone, with its year. */
export function laterLine(later: readonly Window[], at: EpochMillis, words: PageWords): string[] {
  const [first] = later;
  if (first === undefined) return [];
  const { maintenanceThen, colon } = words.texts;
  const soon = later.filter(({ from }) => from < after(at, maintenanceShownAhead));
  const days = soon.slice(0, laterDaysShown).map(({ from }) => words.weekday(from));
  const rest = soon.length > laterDaysShown ? " …" : "";
  const said = days.length === 0 ? words.localDate(first.from) : `${days.join(" · ")}${rest}`;
  return [`${maintenanceThen}${colon}${said}`];
}
