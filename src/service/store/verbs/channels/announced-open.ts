import { type ChannelRules, wants } from "#service/alerting/channel-rules";
import { type Incident, subjectKinds } from "#service/alerting/incident";
import { coveredBy } from "#service/alerting/lane-rules";
import { silencedUntil } from "#service/alerting/silence";
import type { OngoingIncident } from "#service/store/alert-store";
import type { AnnouncedChannel } from "#service/store/channel-store";
import { allAmong, integer, type Sql } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { addDeliveries } from "#service/store/verbs/incident-rows";
import { ongoingOf } from "#service/store/verbs/incidents";
import { silencesAt } from "#service/store/verbs/planned-work";
import type { EpochMillis } from "#base/units";

/** A channel that is being made. */
interface FreshChannel {
  readonly id: number;
  readonly rules: ChannelRules;
  readonly monitors: readonly number[];
}

/** A channel's own incident is said elsewhere, and planned work is no incident. */
const announcedKinds = subjectKinds.filter((kind) => kind !== "channel" && kind !== "maintenance");

/**
 * Notifies a new channel of the open incidents that it would have been notified of, had it been there before; what a person has
 * acknowledged is left out. Gives of how many, and how many of all are silenced: their messages wait.
 */
export async function announceOpen(
  sql: Sql,
  channel: FreshChannel,
  at: EpochMillis,
): Promise<Omit<AnnouncedChannel, "id">> {
  const ongoing = await ongoingOf(sql, announcedKinds, storeLimits.alertsReadMax);
  const places = ongoing.flatMap(({ last, incident }) =>
    isOfMonitor(incident) ? [] : coveredBy(last, incident.subject.id).locations,
  );
  const monitors = await monitorsAt(sql, [...new Set(places)]);
  const own = new Set(channel.monitors);
  const hears = (monitor: number): boolean => channel.rules.allMonitors || own.has(monitor);
  const selected = ongoing.filter((one) => isSelected(channel.rules, one, hears, monitors));
  const silences = await silencesAt(sql, at);
  const quiet = selected.filter(
    ({ incident, last }) =>
      silencedUntil(silences, coveredBy(last, incident.subject.id), at) !== null,
  );
  const isQuiet = new Set(quiet.map(({ incident }) => incident.number));
  const notified = await announce(
    sql,
    channel.id,
    selected.map(({ incident }) => incident.number),
    at,
  );
  const silenced = notified.filter((number) => isQuiet.has(number)).length;
  return { announced: notified.length - silenced, silenced };
}

/** Of a monitor as of its certificate by the monitor; of a location and its agents by any monitor there, or by its name in the rules. */
function isSelected(
  rules: ChannelRules,
  { incident, last }: OngoingIncident,
  hears: (monitor: number) => boolean,
  monitors: ReadonlyMap<number, readonly number[]>,
): boolean {
  const { subject, severity, acknowledged } = incident;
  if (acknowledged !== null) return false;
  const { locations, labels } = coveredBy(last, subject.id);
  // Every location of a monitor sees its certificate.
  const seen =
    subject.kind === "certificate" && last.of === "monitor"
      ? last.locations.map(({ id }) => Number(id))
      : locations;
  const isHeard = isOfMonitor(incident)
    ? hears(subject.id)
    : locations.some((id) => rules.locations.includes(id) || monitors.get(id)?.some(hears));
  return isHeard && wants(rules, { subject, kind: "opened", severity, locations: seen, labels });
}

const isOfMonitor = ({ subject: { kind } }: Incident): boolean =>
  kind === "monitor" || kind === "certificate";

async function monitorsAt(
  sql: Sql,
  locations: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const select = "SELECT location, monitor FROM assignments WHERE location IN (*)";
  const rows = await allAmong(sql, select, [], locations);
  const grouped = Map.groupBy(rows, (row) => integer(row, "location"));
  return new Map(
    [...grouped].map(([location, all]) => [location, all.map((row) => integer(row, "monitor"))]),
  );
}

/** In few statements, however many. They are locked in the order of their numbers, so an end that is written meanwhile follows. */
async function announce(
  sql: Sql,
  channel: number,
  numbers: readonly number[],
  now: EpochMillis,
): Promise<readonly number[]> {
  const open = await allAmong(
    sql,
    `SELECT number FROM incidents WHERE number IN (*) AND ended_at IS NULL
       AND acknowledged_at IS NULL ORDER BY number${sql.words.forUpdate}`,
    [],
    numbers.toSorted((a, b) => a - b),
  );
  const newest = await allAmong(
    sql,
    `SELECT incident, MAX(number) AS number FROM incident_events
     WHERE kind IN ('opened', 'worsened', 'eased', 'reopened', 'flapping') AND incident IN (*) GROUP BY incident`,
    [],
    open.map((row) => integer(row, "number")),
  );
  const added = newest.map((row) => {
    const [incident, event] = [integer(row, "incident"), integer(row, "number")];
    return { channel, incident, event };
  });
  await addDeliveries(sql, added, now);
  return added.map(({ incident }) => incident);
}
