import * as limits from "#limits/status-limits";
import { counted } from "#web/page/format";
import { wallTime } from "#service/edge/written-time";
import { html, type Html } from "#web/page/html";
import { plannedMark } from "#web/page/verdict-mark";
import { audienceWords, besideBox, type PreviewedMessage } from "#service/operator/message-preview";
import type { PageRooms } from "#service/operator/page-rooms";
import { coveredComponents } from "#service/operator/planned/work-components";
import { sendSentence } from "#service/operator/publishing/sent-news";
import { audienceOf } from "#service/operator/publishing/subscriber-count";
import { windowState } from "#service/status-site/news/work-state";
import { periodInZone, wordsIn } from "#service/status-site/view/words";
import type { PageTexts } from "#service/status-page/texts/page-text-list";
import type { Locale } from "#service/status-page/page-definition";
import { epochMillis, type EpochMillis } from "#base/units";
import { readRecurrence } from "#service/alerting/recurrence";
import { type Window, windowsAfter } from "#service/alerting/maintenance";
import { recurrenceWords, repeats, ruleOf } from "#service/operator/planned/repeat-words";
import { withRuleTime } from "#service/operator/planned/rule-time";
import { ruleTyped } from "#service/operator/planned/rule-words";
import { neverOccurs } from "#service/maintenance/maintenance-rules";
import { integerOf } from "#service/store/ids";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { ComponentRow, StatusPageRow } from "#service/store/page-store";

/** What readers of a status page see of planned work; on none, it is for colleagues alone. `before` null: new work. */
export async function previewedWork(
  rooms: PageRooms,
  form: URLSearchParams,
  before: MaintenanceRow | null,
): Promise<PreviewedWork> {
  const { typed, words } = withRuleTime(form);
  const text = (name: string): string => (typed.get(name) ?? "").trim();
  const page = await chosenPage(rooms, typed);
  const { texts, locale } = wordsIn(page?.definition.defaultLocale ?? "en");
  const times = timesIn(typed);
  const now = rooms.clock.wall();
  const shown = times === null ? null : shownTime(times, now);
  const isSaid = before !== null && (await wasSaid(rooms, before));
  const state = subjectState({ before: isSaid ? before : null, times, shown, now }, texts);
  const covered = page === null ? [] : await coveredComponents(rooms, page.id, typed, before);
  const audience = await audienceFor(rooms, page, covered);
  const fault = faultOf(typed);
  return {
    audience,
    subject: [
      text("title") === "" ? "" : `${state}${texts.colon}${text("title")}`,
      page?.definition.title ?? "",
    ]
      .filter((part) => part !== "")
      .join(" · "),
    ...fault,
    lines: periodLines(times, shown, locale),
    message: text("message"),
    after: html`${words === null || fault.faultAt !== undefined ? null : html`<p class="help">${words}</p>`}
      ${repeatLine(times, shown)}
      ${page === null ? null : affectedView(covered, texts.state.maintenance)}
      <p class="help">${audienceWords(typed, page?.definition ?? null)}</p>
      ${besideBox(audience)}`,
  };
}

/** Whether subscribers were sent anything of it. */
async function wasSaid({ store }: Pick<PageRooms, "store">, { id }: MaintenanceRow) {
  const { letters } = store.readers;
  return (await letters.tallies({ kind: "maintenance", about: [id] })).length > 0;
}

interface SubjectFacts {
  /** What subscribers know of it; null if they know nothing. */
  readonly before: MaintenanceRow | null;
  readonly times: TypedTimes | null;
  readonly shown: Window | null;
  readonly now: EpochMillis;
}

/** What the subject of its message says is new, as the message will. */
function subjectState({ before, times, shown, now }: SubjectFacts, texts: PageTexts): string {
  if (shown === null || times === null) return texts.maintenanceComing;
  if (before === null || shown.to <= now) return windowState(shown, now, texts);
  const keys = ["from", "to", "timeZone", "recurrence"] as const;
  if (keys.every((key) => before[key] === times[key])) return texts.news.updated;
  return before.from > now && shown.from <= now ? texts.news.begun : texts.news.changed;
}

interface PreviewedWork extends PreviewedMessage {
  /** Whom it reaches if it is sent. */
  readonly audience: string;
}

/** Work of no page is for no subscriber. */
async function audienceFor(
  rooms: PageRooms,
  page: StatusPageRow | null,
  covered: readonly ComponentRow[],
): Promise<string> {
  if (page === null) return "No status page is chosen, so no one gets it.";
  const components = covered.map(({ id }) => id);
  return sendSentence(page, await audienceOf(rooms, page.id, components));
}

/** When the typed work is; null of times that cannot be. */
interface TypedTimes extends Window {
  readonly timeZone: string;
  /** Empty: once. */
  readonly recurrence: string;
}

function timesIn(typed: URLSearchParams): TypedTimes | null {
  const text = (name: string): string => (typed.get(name) ?? "").trim();
  const timeZone = text("time_zone");
  const [begin, end] = [wallTime(text("from"), timeZone), wallTime(text("to"), timeZone)];
  if (begin === null || end === null || begin >= end) return null;
  const [from, to] = [begin, end].map((time) => epochMillis(Date.parse(time)));
  const repeat = repeats.find((one) => one === text("repeat")) ?? "once";
  const rule = ruleTyped(text("recurrence"), text("from"));
  const recurrence =
    repeat !== "rule" ? ruleOf(repeat, text("from")) : rule.ok ? rule.value : text("recurrence");
  return from === undefined || to === undefined ? null : { from, to, timeZone, recurrence };
}

/** As the page has it for a reader in the zone of the form. */
const periodLines = (
  times: TypedTimes | null,
  shown: Window | null,
  locale: Locale,
): readonly string[] =>
  times === null || shown === null
    ? []
    : [periodInZone(locale, times.timeZone, new Date(shown.from), new Date(shown.to))];

/** The next time, or the first, which a rule may put on a later day. Null if it has no rule that can be read, or never is. */
function shownTime(
  { from, to, timeZone, recurrence }: TypedTimes,
  now: EpochMillis,
): Window | null {
  if (recurrence === "") return { from, to };
  const read = readRecurrence(recurrence);
  if (!read.ok) return null;
  const work = { id: 0, title: "", message: "", monitors: [], locations: [], movedEnds: [] };
  const all = { ...work, from, to, timeZone, recurrence: read.value };
  const next = windowsAfter(all, epochMillis(Math.max(from, now)), 1);
  return [...next, ...windowsAfter(all, from, 1)][0] ?? null;
}

/** How it repeats, which readers see at each of its times. */
function repeatLine(times: TypedTimes | null, shown: Window | null): Html | null {
  if (times === null || times.recurrence === "" || shown === null) return null;
  const which = shown.from <= times.from ? "first" : "next";
  return html`<p class="help">
    This is the ${which} time. It repeats ${recurrenceWords(times)}
    (${times.timeZone.replaceAll("_", " ")}). Readers see the next time, and below it those that
    follow.
  </p>`;
}

/** What the form would be refused for: of its times, or of its rule, which is said at its field, too. */
function faultOf(typed: URLSearchParams): Pick<PreviewedMessage, "fault" | "faultAt"> {
  const text = (name: string): string => (typed.get(name) ?? "").trim();
  const fault = endFault(text("from"), text("to"), text("time_zone"));
  const rule = text("recurrence");
  if (fault !== null || text("repeat") !== "rule" || rule === "") return { fault };
  const read = ruleTyped(rule, text("from"));
  const known = read.ok ? readRecurrence(read.value) : read;
  const wrong = known.ok ? neverFault(typed) : known.message;
  return wrong === null ? { fault } : { fault: `The rule ${wrong}.`, faultAt: "recurrence" };
}

/** A rule may end before the work begins. Times that cannot be read are refused by themselves. */
function neverFault(typed: URLSearchParams): string | null {
  const times = timesIn(typed);
  return times !== null && shownTime(times, times.from) === null ? neverOccurs : null;
}

/** What the form would be refused for: the picker of an end does not know the beginning. */
function endFault(from: string, to: string, timeZone: string): string | null {
  const [begin, end] = [wallTime(from, timeZone), wallTime(to, timeZone)];
  if (begin === null || end === null || begin < end) return null;
  const how = begin === end ? "when" : "before";
  return `It ends ${how} it begins: choose an end after ${from.replace("T", " ")}.`;
}

/** The status page that a form has chosen, also one that its list does not offer; null if it is on none. */
export async function chosenPage(
  { store }: Pick<PageRooms, "store">,
  typed: URLSearchParams,
): Promise<StatusPageRow | null> {
  const id = integerOf(typed.get("page_id") ?? "");
  return id === null ? null : store.pages.pages.get(id);
}

/** The components as readers see them while the work is under way. */
const affectedView = (components: readonly ComponentRow[], state: string): Html =>
  html`<h3>While it is under way</h3>
    ${
      components.length === 0
        ? html`<p class="help">
            No component of the page is chosen or has these monitors: the page shows the work above
            its components.
          </p>`
        : html`<ul class="affected">
            ${components
              .slice(0, limits.affectedNamesMax)
              .map(({ name }) => html`<li>${plannedMark(state)} <span>${name}</span></li>`)}
          </ul>`
    }
    ${
      components.length > limits.affectedNamesMax
        ? html`<p class="help">
            And ${counted(components.length - limits.affectedNamesMax, "component")} more.
          </p>`
        : null
    }`;
