import { isoTime } from "#web/page/format";
import { newMaintenance, type WantedMaintenance } from "#service/api/maintenance-api";
import { refuseViolations, violation } from "#service/edge/call-refusal";
import { isTimeZone } from "#base/time-zone";
import { areKnown, asRemarks, type SaveRemarks } from "#service/operator/monitors/before-saving";
import { firstTimeOf, isOver } from "#service/maintenance/maintenance-rules";
import { refuseGone } from "#service/operator/gone-choices";
import type { PageRooms } from "#service/operator/page-rooms";
import { repeats, repeatWords, ruleOf } from "#service/operator/planned/repeat-words";
import { ruleTyped } from "#service/operator/planned/rule-words";
import { instantOf, wallClock } from "#service/operator/planned/wall-clock";
import type { SaidMoments } from "#service/alerting/work-moments";
import type { MaintenanceRow, NewMaintenance } from "#service/store/maintenance-store";
import { componentsIn } from "#service/operator/planned/work-components";
import { integerOf, monitorId } from "#service/store/ids";
import type { EpochMillis } from "#base/units";

/** What became of a form: the number of the work, and whether it has new times that no one is sent, or what a person is to know before it is kept. */
type KeptWork =
  | { readonly id: number; readonly leavesTimesUnsaid: boolean }
  | { readonly remarks: SaveRemarks };

/** Keeps what the form says, in place of `before`, or as new work if that is null. */
export async function keepWork(
  rooms: PageRooms,
  typed: URLSearchParams,
  before: MaintenanceRow | null,
): Promise<KeptWork> {
  const { maintenances } = rooms.store.alerts;
  const wanted = await wantedIn(rooms, typed, before);
  // The box is ticked before a page is chosen.
  const notify = typed.has("notify") && wanted.pageId !== "";
  const says = saysIn(typed, wanted.pageId !== "" && (notify || before !== null));
  const made = asPlanned(before, { ...(await newMaintenance(rooms, wanted)), says });
  const remarks = asRemarks(pastWords(made, before, rooms.clock.wall()));
  if (!areKnown(remarks, typed)) return { remarks };
  if (before === null)
    return { id: await maintenances.create(made, notify), leavesTimesUnsaid: false };
  await maintenances.update(before.id, { ...made, owner: before.owner }, notify);
  return { id: before.id, leavesTimesUnsaid: !notify && !hasTimesOf(before, made) };
}

/** The form has when work is first. Whoever left that as it was left the day from which it was planned, too. */
function asPlanned(before: MaintenanceRow | null, made: NewMaintenance): NewMaintenance {
  if (before === null || before.recurrence !== made.recurrence) return made;
  const first = firstTimeOf({ ...before, at: made.at });
  const isSame = first?.from === made.from && first.to === made.to;
  return isSame && before.timeZone === made.timeZone
    ? { ...made, from: before.from, to: before.to }
    : made;
}

/** New work that is sent to no one has nothing said of its times. */
const saysIn = (typed: URLSearchParams, isSent: boolean): SaidMoments => ({
  reminder: isSent && typed.has("remind"),
  times: isSent && typed.has("say_times"),
});

const hasTimesOf = (before: MaintenanceRow | null, made: NewMaintenance): boolean =>
  before?.from === made.from && before.to === made.to && before.recurrence === made.recurrence;

/** A wrong year is asked about: it would be kept as work that is over, and cover nothing. */
function pastWords(
  made: NewMaintenance,
  before: MaintenanceRow | null,
  now: EpochMillis,
): readonly string[] {
  const { from, to, recurrence, timeZone } = made;
  if (hasTimesOf(before, made) || !isOver(made, now)) return [];
  const [begin, end] = [from, to].map((at) => wallClock(at, timeZone).replace("T", " "));
  const zone = timeZone.replaceAll("_", " ");
  return [
    recurrence === ""
      ? `The window is in the past: it was from ${begin} to ${end}, ${zone}. Check the year and the day.`
      : "Its last time is in the past. Check when it begins, and the end in its rule.",
  ];
}

async function wantedIn(
  rooms: PageRooms,
  typed: URLSearchParams,
  before: MaintenanceRow | null,
): Promise<WantedMaintenance> {
  const text = (name: string): string => typed.get(name)?.trim() ?? "";
  const timeZone = text("time_zone");
  if (!isTimeZone(timeZone)) throw violation({ field: "time_zone", message: noZone });
  const pageId = text("page_id");
  const isSameZone = before?.timeZone === timeZone;
  const instant = (field: "from" | "to"): string =>
    isoTime(instantOf(field, text(field), timeZone, isSameZone ? before[field] : null));
  const monitorIds = typed.getAll("monitor_ids");
  const privateLocationIds = typed.getAll("private_location_ids");
  const [from, to] = [instant("from"), instant("to")];
  const [title, message] = [text("title"), text("message")];
  const covered = [pageId, ...monitorIds, ...privateLocationIds];
  refuseFaults({ title, message, from, to, pageId, covered });
  await refuseGoneTargets(rooms, { pageId, monitorIds, privateLocationIds });
  return {
    title,
    // Readers of a status page want more than a title.
    message: message === "" && pageId === "" ? title : message,
    from,
    to,
    recurrence: recurrenceIn(text, before),
    timeZone,
    pageId,
    components: await componentsIn(rooms, typed, before),
    monitorIds,
    privateLocationIds,
    notify: true,
  };
}

type TypedWords = Pick<WantedMaintenance, "title" | "message" | "from" | "to" | "pageId">;

/** Says all at once what can be seen in the form alone. */
function refuseFaults({
  title,
  message,
  from,
  to,
  pageId,
  covered,
}: TypedWords & { readonly covered: readonly string[] }): void {
  refuseViolations([
    ...(title === "" ? [{ field: "title", message: "is required" }] : []),
    ...(message === "" && pageId !== "" ? [{ field: "message", message: lacksMessage }] : []),
    ...(to <= from ? [{ field: "to", message: "must be later than it begins" }] : []),
    ...(covered.every((id) => id === "") ? [{ field: "monitor_ids", message: lacksAny }] : []),
  ]);
}

const noZone = "must be an IANA name, for example Europe/Berlin";
const lacksMessage = "is required, as readers of the status page see it";
const lacksRule = `is required with “${repeatWords.rule}”, for example second Tuesday of the month`;
const lacksAny = "are missing: choose some, or locations, or a status page";

/** What was deleted in another tab is said at its field. */
async function refuseGoneTargets(
  rooms: PageRooms,
  wanted: Pick<WantedMaintenance, "pageId" | "monitorIds" | "privateLocationIds">,
): Promise<void> {
  const { pageId, monitorIds, privateLocationIds } = wanted;
  const ids = monitorIds.flatMap((text) => integerOf(text) ?? []).map(monitorId);
  refuseGone("monitor_ids", monitorIds, await rooms.monitors.among(ids));
  refuseGone("private_location_ids", privateLocationIds, await rooms.store.state.locations.all());
  const pages = pageId === "" ? [] : [pageId];
  const page = pageId === "" ? null : await rooms.store.pages.pages.get(Number(pageId));
  refuseGone("page_id", pages, page === null ? [] : [page]);
}

function recurrenceIn(text: (name: string) => string, before: MaintenanceRow | null): string {
  const [chosen, rule] = [text("repeat"), text("recurrence")];
  const repeat = repeats.find((one) => one === chosen) ?? "once";
  if (repeat === "rule") {
    const read = ruleTyped(rule, text("from"));
    if (read.ok) return read.value;
    const message = rule === "" ? lacksRule : read.message;
    throw violation({ field: "recurrence", message });
  }
  // A rule that the form came with is left there by whoever chooses that the work repeats otherwise, or no longer.
  if (rule !== "" && rule !== before?.recurrence)
    throw violation({
      field: "recurrence",
      message: `needs “${repeatWords.rule}” at “Repeats”, which says “${repeatWords[repeat]}”: choose it, or empty the rule`,
    });
  return ruleOf(repeat, text("from"));
}
