import type { FormFields, Choice } from "#check/form-field";
import type { Mapping } from "#base/json";
import { type FormGroup, openGroup } from "#service/operator/forms/form-group";
import { typedFor } from "#service/operator/forms/form-reading";
import {
  recurrenceWords,
  repeatOf,
  repeats,
  repeatWords,
  ruleShown,
} from "#service/operator/planned/repeat-words";
import { zoneChoices } from "#service/operator/zones/zone-choices";
import { nowButtons } from "#service/operator/planned/work-from-now";
import { wallClock } from "#service/operator/planned/wall-clock";
import { isSentAtFirst, notifyLabel } from "#service/operator/publishing/sent-news";
import { nextWindow } from "#service/operator/planned/work-under-way";
import type { Window } from "#service/alerting/maintenance";
import { firstTimeOf } from "#service/maintenance/maintenance-rules";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import { epochMillis, type EpochMillis, hours, minutes } from "#base/units";

/** Planned work as a form has it: by the names that refusals have. */
const maintenanceFields = {
  title: {
    group: "what",
    label: "Title",
    help: "",
    control: { is: "text", width: "name", example: "Database upgrade" },
  },
  message: {
    group: "what",
    label: "Message",
    help: "What readers and colleagues should know. Markdown: **bold**, lists, links. Without a status page it may be empty.",
    control: { is: "long", lines: 5 },
  },
  from: { group: "when", label: "Begins", help: "", control: { is: "moment" } },
  to: { group: "when", label: "Ends", help: "", control: { is: "moment" } },
  time_zone: {
    group: "when",
    label: "Time zone",
    help: "Both times are those of a clock there, also after clocks change.",
    control: { is: "choice", choices: zoneChoices() },
  },
  repeat: {
    group: "when",
    label: "Repeats",
    help: "",
    control: { is: "choice", choices: repeats.map((one): Choice => [one, repeatWords[one]]) },
  },
  recurrence: {
    group: "when",
    label: "Rule",
    help: "In words: 2nd Tuesday of the month 22:00-23:30, every other Friday for 10 weeks, or every Tuesday until 31 March 2027. A rule of RFC 5545 is taken, too, for example FREQ=MONTHLY;BYDAY=-1SU.",
    control: { is: "text", width: "line", example: "2nd Tuesday of the month 22:00-23:30" },
  },
  monitor_ids: {
    group: "covers",
    label: "Monitors",
    help: "Nothing opens an incident for these monitors in the window.",
    control: { is: "several" },
  },
  private_location_ids: {
    group: "covers",
    label: "Locations",
    help: "A location means all monitors that only it runs.",
    control: { is: "several" },
  },
  page_id: {
    group: "says",
    label: "Status page",
    help: "It shows the work at the components of these monitors, or of the page as a whole. If no page is chosen, readers do not see it.",
    control: { is: "choice", choices: [] },
  },
  page_component_ids: {
    group: "says",
    label: "Components without a monitor",
    help: "The status page shows the work at those that you tick. Components with a monitor are those of the monitors above.",
    control: { is: "several" },
  },
  notify: {
    group: "says",
    label: notifyLabel,
    help: "",
    control: { is: "flag" },
  },
  remind: {
    group: "says",
    label: "Remind subscribers an hour before",
    help: "",
    control: { is: "flag" },
  },
  say_times: {
    group: "says",
    label: "Say when it starts and is over",
    help: "Both go to the subscribers if the work is sent to them. If it repeats more often than every six days, they are about its first time alone. If you end it early, or if it is deleted, nothing is sent by itself.",
    control: { is: "flag" },
  },
} as const satisfies FormFields;

export const maintenanceGroups: readonly FormGroup[] = [
  openGroup("what", "What is planned"),
  openGroup("when", "When"),
  openGroup("covers", "What it covers"),
  openGroup("says", "Who reads of it"),
];

/** New work may begin at once. */
export const newWorkGroups: readonly FormGroup[] = maintenanceGroups.map((group) =>
  group.key === "when" ? { ...group, fills: nowButtons } : group,
);

/** What a form says of its own work: to whom it is sent, and when it is next. */
interface WorkHelps {
  readonly audience?: string;
  /** Whether there are pages, and none of them is published: nothing can be sent. */
  readonly areDrafts?: boolean;
  readonly begins?: string;
}

/** The fields with the status pages that there are. */
export const fieldsWith = (
  pages: readonly Choice[],
  { audience = "", areDrafts = false, begins = "" }: WorkHelps = {},
): FormFields => ({
  ...maintenanceFields,
  from: { ...maintenanceFields.from, help: begins },
  notify: {
    ...maintenanceFields.notify,
    help: audience,
    control: { is: "flag", isLocked: areDrafts },
  },
  page_id: {
    ...maintenanceFields.page_id,
    control: { is: "choice", choices: [["", "No page"], ...pages] },
  },
});

/** What a form for new work begins with. */
interface WorkDraft {
  /** Those that it covers; none yet, if it is not said. */
  readonly monitors: readonly number[];
  /** The status page that shows it; null: none, or the person has to choose. */
  readonly page: number | null;
  /** Whether subscribers of the page may wait for it. */
  readonly hasReaders: boolean;
  /** The reader's own; UTC if they chose none. */
  readonly zone: string;
  readonly at: EpochMillis;
}

/** When saved work that repeats is next, if that is not its first time; else empty. */
export function nextTimeHelp(row: MaintenanceRow, at: EpochMillis): string {
  const next = row.recurrence === "" ? null : nextWindow(row, at);
  if (next === null || next.from === savedTimes(row).from) return "";
  const time = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: row.timeZone,
  });
  const said = time.format(next.from).replaceAll(" ", "\u00a0");
  return `This is its first time. The next one is ${said}, by its rule: ${recurrenceWords(row)}.`;
}

/** When it is first: work by a rule may have been planned on a day before that. */
const savedTimes = (row: MaintenanceRow): Window =>
  firstTimeOf({ ...row, at: row.updatedAt }) ?? row;

/** An hour that begins soon. Of a reader who chose no zone, a script puts the browser's there, and what its clock shows. */
export function newWork({ monitors, page, hasReaders, zone, at }: WorkDraft): URLSearchParams {
  const begin = epochMillis((Math.floor(at / beginStep) + 1) * beginStep);
  return typedFor(maintenanceFields, {
    from: wallClock(begin, zone),
    to: wallClock(epochMillis(begin + hours(1)), zone),
    time_zone: zone,
    repeat: "once",
    monitor_ids: monitors.map(String),
    page_id: page === null ? "" : String(page),
    ...boxes(isSentAtFirst({ is: "first", hasReaders })),
  });
}

const boxes = (isSent: boolean) => ({ notify: isSent, remind: isSent, say_times: isSent });

/** New work begins at the next full five minutes. */
const beginStep = minutes(5);

/** The same of work that is planned, with those of its components that the form offers: a change of it is sent to no one again. */
export const typedWork = (row: MaintenanceRow, offered: readonly Choice[]): URLSearchParams =>
  typedFor(maintenanceFields, {
    ...writtenWork(row),
    page_component_ids: row.components.filter((id) => offered.some(([one]) => one === id)),
  });

function writtenWork(row: MaintenanceRow): Mapping {
  const { timeZone, recurrence } = row;
  const times = savedTimes(row);
  const from = wallClock(times.from, timeZone);
  const repeat = repeatOf(recurrence, from);
  return {
    title: row.title,
    // An empty message was kept as the title: it stays empty, and follows a title that is changed.
    message: row.page === "" && row.message === row.title ? "" : row.message,
    from,
    to: wallClock(times.to, timeZone),
    time_zone: timeZone,
    repeat,
    recurrence: repeat === "rule" ? ruleShown(recurrence, from) : "",
    monitor_ids: row.monitors.map(String),
    private_location_ids: row.locations.map(String),
    page_id: row.page,
    notify: isSentAtFirst({ is: "correction" }),
    remind: row.says.reminder,
    say_times: row.says.times,
  };
}
