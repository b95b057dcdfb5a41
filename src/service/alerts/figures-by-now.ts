import { fewAtOnce } from "#base/few-at-once";
import * as limits from "#limits/alerts-limits";
import { incidentsSteppedAtOnce, resultsKeptFor } from "#limits/service-limits";
import type { Plan } from "#service/alerting/distill";
import type { MonitorSnapshot } from "#service/alerting/snapshot";
import { outageFigures } from "#service/alerts/outage-figures";
import type { Store } from "#service/store/store";
import { isAway } from "#service/store/store-fault";
import { between, type EpochMillis } from "#base/units";

type Figures = Pick<Store, "results" | "alerts">;

/** The same plans. What waited for long, for example in quiet hours, has what its incident came to by now. */
export const withFigures = (
  store: Figures,
  plans: readonly Plan[],
  now: EpochMillis,
): Promise<readonly Plan[]> =>
  fewAtOnce(plans, incidentsSteppedAtOnce, async (plan) => {
    const { lead } = plan;
    if (lead.snapshot.of !== "monitor" || !isOld(plan, lead.snapshot, now)) return plan;
    return { ...plan, lead: { ...lead, snapshot: await byNow(store, plan, lead.snapshot, now) } };
  });

/** An end that is followed by another opening, which programs hear of in order, says how it was then. */
function isOld({ lead, occasion, queue }: Plan, { figures }: MonitorSnapshot, now: EpochMillis) {
  const { startedAt, ended } = queue.incident;
  if (figures === undefined || between(lead.at, now) < limits.lateAfter) return false;
  if (occasion.is === "ended" && ended === null) return false;
  return between(startedAt, now) < resultsKeptFor;
}

/** As it was while its results cannot be read, or if its monitor was deleted since, and they with it. */
async function byNow(
  store: Figures,
  { queue: { incident } }: Plan,
  seen: MonitorSnapshot,
  now: EpochMillis,
): Promise<MonitorSnapshot> {
  try {
    const figures = await outageFigures(store, incident, now, seen.period);
    if (figures === null || figures.failedChecks + figures.slowChecks === 0) return seen;
    return { ...seen, figures, failedChecks: figures.failedChecks };
  } catch (error) {
    if (!isAway(error)) throw error;
    return seen;
  }
}
