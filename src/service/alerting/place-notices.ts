import { shownDownFor } from "#service/alerting/down-spans";
import type { Plan } from "#service/alerting/distill";
import type {
  AgentSnapshot,
  LocationSnapshot,
  MaintenanceSnapshot,
} from "#service/alerting/snapshot";
import type { Links, IncidentHead, IncidentNotice } from "#service/alerting/surroundings";
import type { LocationClosure } from "#service/notify/event";
import type { LocationFacts } from "#service/notify/event-facts";
import type { EpochMillis } from "#base/units";

/** What is said of a location that is away or back. One that comes and goes is said to be what it is then. */
export function locationNotice(
  { queue, lead, occasion }: Plan,
  seen: LocationSnapshot,
  head: IncidentHead,
  links: Links,
): IncidentNotice {
  const location = { ...seen.location, url: links.location(seen.location.id) };
  const { ended } = queue.incident;
  if (ended !== null && ended.because !== "recovered")
    return closure(location, ended.at, ended.because, head);
  if (ended === null || (occasion.is !== "ended" && occasion.is !== "settled"))
    return {
      ...head,
      type: "location.offline",
      location,
      urgency: "error",
      lastHeardAt: seen.lastHeardAt,
      stoppedAsAsked: seen.stoppedAsAsked,
    };
  return {
    ...head,
    type: "location.online",
    location,
    urgency: "info",
    endedAt: ended.at,
    offlineFor: shownDownFor(queue.incident, ended.at),
    replayed: seen.replay?.replayed ?? null,
    missed: seen.replay?.missed ?? null,
    down: seen.replay?.down ?? [],
    wereDown: seen.replay?.wereDown ?? [],
    announced: occasion.is === "settled" || occasion.announced || lead.kind === "settled",
  };
}

/** What is said of a location whose agents report something that is wrong. */
export function agentNotice(
  { queue, occasion }: Plan,
  seen: AgentSnapshot,
  head: IncidentHead,
  links: Links,
): IncidentNotice {
  const location = { ...seen.location, url: links.location(seen.location.id) };
  const { trouble, urgency, message } = seen;
  const { ended } = queue.incident;
  if (ended !== null && ended.because !== "recovered")
    return closure(location, ended.at, ended.because, head);
  if (ended !== null && (occasion.is === "ended" || occasion.is === "settled"))
    return {
      ...head,
      type: "location.well",
      location,
      urgency: "info",
      trouble,
      endedAt: ended.at,
    };
  return { ...head, type: "location.trouble", location, urgency, trouble, message };
}

const closure = (
  location: LocationFacts,
  endedAt: EpochMillis,
  because: LocationClosure["because"],
  head: IncidentHead,
): LocationClosure => ({
  ...head,
  type: "location.closed",
  location,
  urgency: "info",
  endedAt,
  because,
});

/** What is said of planned work: that it begins, has other times, is over, or was deleted before that. */
export function maintenanceNotice(
  { queue, occasion }: Plan,
  { maintenance: seen, before }: MaintenanceSnapshot,
  said: Omit<IncidentHead, "incident">,
  links: Links,
): IncidentNotice {
  const maintenance = { ...seen, url: links.maintenance(seen.id) };
  if (occasion.is === "rescheduled" && before !== undefined)
    return { ...said, type: "maintenance.changed", maintenance, before };
  const { ended } = queue.incident;
  if (ended === null || occasion.is !== "ended")
    return { ...said, type: "maintenance.started", maintenance };
  const isCancelled = ended.because === "deleted";
  return {
    ...said,
    type: "maintenance.ended",
    isCancelled,
    maintenance: isCancelled ? { ...maintenance, url: null } : maintenance,
  };
}
