import { policyFrom } from "#check/alert-policy";
import { periodicities } from "#check/definition";
import { assignedMonitor } from "#check/read-monitor";
import { shownTarget } from "#check/shown-target";
import type { Day } from "#web/page/chart/calendar";
import { type JudgedMonitor, newestBad, seenAs } from "#service/monitors/judged-monitor";
import { heldSince, placeSince } from "#service/monitors/held-since";
import { counts } from "#service/monitors/judge";
import { recoveryOf } from "#service/alerting/recovery";
import { rhythmOf } from "#service/monitors/view";
import type {
  LastReason,
  PicturedIncident,
  PicturedMonitor,
  PicturedReason,
  PicturedStatus,
  Sight,
} from "#service/operator/picture";
import type { BriefLocation } from "#service/agents/locations";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";
import { type EpochMillis, millis, type Millis } from "#base/units";

/** What all monitors of one picture are made of. */
interface PictureFacts {
  readonly usual: ReadonlyMap<MonitorId, Millis>;
  readonly today: ReadonlyMap<MonitorId, Millis>;
  readonly days: ReadonlyMap<MonitorId, readonly Day[]>;
  readonly places: ReadonlyMap<LocationId, BriefLocation>;
  readonly incidents: ReadonlyMap<number, PicturedIncident>;
  /** Monitors that notify no one. */
  readonly unheard: ReadonlySet<number>;
}

/** One monitor as people look at it. */
export function monitorPicture(
  { row, judgement, views, lastCheckedAt, isUnread }: JudgedMonitor,
  { usual, today, days, places, incidents, unheard }: PictureFacts,
  reason: PicturedReason | null,
  at: EpochMillis,
): PicturedMonitor {
  const { id, definition, labels, owner } = row;
  const { status } = judgement.state;
  const rhythm = rhythmOf(definition);
  const fresh = views.filter((view) => counts(view, rhythm, at));
  const incident = incidents.get(id) ?? null;
  const since = definition.active
    ? heldSince(judgement.state, fresh, incident?.since ?? null)
    : null;
  return {
    id,
    name: definition.name,
    kind: definition.kind,
    target: targets.getOrInsertComputed(row, targetOf),
    labels,
    owner,
    period: periodicities[definition.periodicity] ?? millis(0),
    status: statusOf(definition.active, status),
    since,
    lastCheckedAt,
    seenBy: sightsOf({ row, views }, places, { fresh, since }),
    reason: status === "unknown" ? null : reason,
    lastReason:
      definition.active && status === "unknown" ? lastSeen(reason, views, incident) : null,
    unread: isUnread,
    unheard: unheard.has(id),
    incident,
    recovery:
      isUnread || !definition.active ? null : recoveryIn({ row, views }, incident, places, at),
    latency: newestLatency(views),
    usual: usual.get(id) ?? null,
    medianToday: today.get(id) ?? null,
    days: days.get(id) ?? [],
  };
}

/** What failed last at one location, and passed at another since then, is not why there is no data. */
function lastSeen(
  reason: PicturedReason | null,
  views: JudgedMonitor["views"],
  incident: PicturedIncident | null,
): LastReason | null {
  const bad = newestBad(views, "error");
  if (reason === null || bad === null) return null;
  const isNewest = views.every(({ slot }) => slot <= bad.slot);
  return isNewest || incident !== null ? { ...reason, at: bad.slot } : null;
}

function sightsOf(
  { row, views }: Pick<JudgedMonitor, "row" | "views">,
  places: PictureFacts["places"],
  { fresh, since }: { fresh: JudgedMonitor["views"]; since: EpochMillis | null },
): readonly Sight[] {
  const byLocation = new Map(views.map((view) => [view.location, view]));
  return row.locations.map((location): Sight => {
    const view = byLocation.get(location);
    return {
      location,
      name: places.get(location)?.name ?? "",
      status: view === undefined ? "unknown" : seenAs[view.status],
      slot: view?.slot ?? null,
      since: view === undefined ? null : placeSince(view, fresh, since),
      stale: view !== undefined && !fresh.includes(view),
    };
  });
}

/** As alerting decides of the end of the incident. */
function recoveryIn(
  { row, views }: Pick<JudgedMonitor, "row" | "views">,
  incident: PicturedIncident | null,
  places: PictureFacts["places"],
  at: EpochMillis,
): PicturedMonitor["recovery"] {
  if (incident === null || incident.flapping === "up") return null;
  const rhythm = rhythmOf(row.definition);
  const fresh = views
    .filter((view) => counts(view, rhythm, at))
    .map(({ location, recent, since }) => {
      const name = places.get(location)?.name ?? String(location);
      return { location: name, recent, since };
    });
  return recoveryOf(fresh, policyFrom(row.definition.alerting), incident.since);
}

const statusOf = (active: boolean, status: PicturedStatus): PicturedStatus =>
  active ? status : "inactive";

/** A row is the same one until a person changes it: its target is not read again for each picture. */
const targets = new WeakMap<MonitorRow, string>();

/** As the agents show it: what could not be read as a target may hold a password all the same. */
export function targetOf({ id, definition }: MonitorRow): string {
  const { monitor } = assignedMonitor(String(id), definition);
  return monitor === null ? "" : shownTarget(monitor);
}

function newestLatency(views: JudgedMonitor["views"]): Millis | null {
  const [newest] = views
    .filter(({ status }) => status !== "error")
    .toSorted((a, b) => b.slot - a.slot);
  return newest?.latency ?? null;
}
