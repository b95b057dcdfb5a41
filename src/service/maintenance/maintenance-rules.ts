import { noMoments } from "#service/alerting/work-moments";
import { isTimeZone } from "#base/time-zone";
import type { Mistake } from "#check/findings";
import { type Maintenance, type Window, windowsAfter } from "#service/alerting/maintenance";
import { readRecurrence } from "#service/alerting/recurrence";
import * as alertsLimits from "#limits/alerts-limits";
import * as checkLimits from "#limits/check-limits";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import type { NewMaintenance } from "#service/store/maintenance-store";
import { lineFault } from "#base/text";
import type { EpochMillis } from "#base/units";

/** What is wrong with a maintenance, each by its field. */
export function maintenanceViolations(made: NewMaintenance): readonly Mistake[] {
  const { title, message, from, to, recurrence, timeZone } = made;
  const wrong: Mistake[] = [];
  const violate = (field: string, text: string): void => void wrong.push({ field, message: text });
  if (title === "" || title.length > checkLimits.nameCharsMax)
    violate("title", `must be 1 to ${checkLimits.nameCharsMax} characters long`);
  const fault = lineFault(title);
  if (fault !== null) violate("title", fault);
  if (message === "") violate("message", "is required");
  if (message.length > alertsLimits.maintenanceMessageCharsMax)
    violate("message", `is longer than ${alertsLimits.maintenanceMessageCharsMax} characters`);
  if (to <= from) violate("to", "must be later than it begins");
  if (!isTimeZone(timeZone))
    violate("time_zone", "must be an IANA name, for example Europe/Berlin");
  const rule = recurrence === "" ? null : readRecurrence(recurrence);
  if (isTooLong(recurrence)) violate("recurrence", tooLongRule);
  else if (rule?.ok === false) violate("recurrence", rule.message);
  if (made.components.length > alertsLimits.silencedMax)
    violate("page_component_ids", `has more than ${alertsLimits.silencedMax} entries`);
  if (made.monitors.length + made.locations.length > alertsLimits.silencedMax)
    violate("monitor_ids", `has more than ${alertsLimits.silencedMax} entries`);
  if (made.page === "" && made.monitors.length + made.locations.length === 0)
    violate("monitor_ids", "must name a monitor, or private_location_ids or page_id");
  if (wrong.length === 0 && neverComes(made)) violate("recurrence", neverOccurs);
  return wrong;
}

export const isTooLong = (rule: string): boolean => rule.length > alertsLimits.recurrenceCharsMax;
export const tooLongRule: string = `is longer than ${alertsLimits.recurrenceCharsMax} characters`;

/** Of a maintenance in files, which name what it is about. */
export const namesNothing =
  "must name a monitor, locations a private location, or components a page";

/** Of what subscribers are to be sent of work that no status page shows. */
export const lacksSubscribers = "is for subscribers of a status page, but no page shows it";

/** Of a rule that ends before the work begins, or has no day at all. */
export const neverOccurs = "never occurs: it ends before the work begins, or no day is in it";

const neverComes = (made: NewMaintenance): boolean => !comesAfter(made, made.from);

/** Whether none of its times is under way at an instant or comes later. */
export const isOver = (made: NewMaintenance, at: EpochMillis): boolean => !comesAfter(made, at);

function comesAfter(made: NewMaintenance, instant: EpochMillis): boolean {
  const [plan] = planOf(made);
  return plan === undefined || windowsAfter(plan, instant, 1).length > 0;
}

/** The first time of work by its rule, which may be later than its beginning; null if there is none. */
export function firstTimeOf(made: NewMaintenance): Window | null {
  const [plan] = planOf(made);
  return plan === undefined ? null : (windowsAfter(plan, made.from, 1)[0] ?? null);
}

const planOf = ({ at, ...made }: NewMaintenance): readonly Maintenance[] =>
  maintenanceOf({
    ...made,
    id: 0,
    createdAt: at,
    updatedAt: at,
    plannedAt: at,
    earlierPlans: [],
    movedEnds: [],
    says: noMoments,
  });
