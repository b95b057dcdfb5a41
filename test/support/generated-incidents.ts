import { type LaneHealth, laneAtFirst } from "#service/alerting/attempts";
import { rulesDefault } from "#service/alerting/channel-rules";
import type { EventKind, Severity } from "#service/alerting/incident";
import type { UnnumberedIncident } from "#service/alerting/incident-step";
import { causeKey, type MonitorSnapshot } from "#service/alerting/snapshot";
import type { Failure } from "#check/failure";
import { noAccounts } from "#service/notify/accounts";
import { NotificationChannels } from "#service/channels/notification-channels";
import { Monitors } from "#service/monitors/monitors";
import { openSecretBox } from "#service/edge/secret-box";
import type { DeliveryAttempt } from "#service/store/alert-store";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import {
  after,
  epochMillis,
  type EpochMillis,
  hours,
  type Millis,
  millis,
  minutes,
  seconds,
} from "#base/units";
import { FakeClock } from "./fake-clock.ts";

/** What generated incidents are about. */
export interface GeneratedPlaces {
  readonly database: string;
  readonly now: EpochMillis;
  readonly monitorOf: (name: string) => MonitorId;
  readonly labelsOf: (name: string) => Readonly<Record<string, string>>;
  readonly locations: Readonly<Record<string, LocationId>>;
}

export interface Outage {
  readonly monitor: string;
  readonly places: readonly string[];
  readonly severity: Severity;
  /** Null if it is only slow. */
  readonly failure: Failure | null;
  readonly from: Millis;
  /** Null while it is open. Both are before now. */
  readonly to: Millis | null;
  /** After how long a person acknowledged it; null for never. */
  readonly acknowledged: Millis | null;
}

/** Channels, incidents and messages of a past that never was. */
export async function generateIncidents(
  store: Store,
  places: GeneratedPlaces,
  pasts: readonly Outage[],
): Promise<void> {
  const channels = await generateChannels(store, places);
  for (const past of pasts) await generateIncident(store, places, past, channels);
  for (const [index, channel] of channels.entries())
    await sendAll(store, channel, index === 1, places.now);
}

async function generateChannels(
  store: Store,
  { database, now }: GeneratedPlaces,
): Promise<readonly number[]> {
  const clock = new FakeClock(now);
  const monitors = new Monitors(store, clock);
  const box = openSecretBox(`${database}.key`);
  const channels = new NotificationChannels(store, {
    monitors,
    box,
    accounts: noAccounts,
    httpAllowed: false,
    clock,
  });
  const monitorIds = (await monitors.list(100, 0)).map(({ id }) => String(id));
  const made = [
    {
      name: "Operations",
      provider: "slack" as const,
      given: { webhook_url: "https://hooks.slack.test/planted" },
    },
    {
      name: "Tickets",
      provider: "webhook" as const,
      given: { endpoint: "https://tickets.internal/planted" },
    },
  ].map((one) =>
    channels.create({ ...one, monitorIds, rules: { ...rulesDefault, reminder: hours(4) } }),
  );
  return (await Promise.all(made)).map(({ id }) => id);
}

async function generateIncident(
  store: Store,
  places: GeneratedPlaces,
  past: Outage,
  channels: readonly number[],
): Promise<void> {
  const { now, monitorOf } = places;
  const before = (ago: number): EpochMillis => epochMillis(now - ago);
  const { severity, from, to, acknowledged } = past;
  const subject = { kind: "monitor", id: monitorOf(past.monitor) } as const;
  const openedAt = before(from - seconds(31));
  const open: UnnumberedIncident = {
    subject,
    severity,
    worst: severity,
    startedAt: before(from),
    openedAt,
    ended: null,
    openings: [openedAt],
    flapping: null,
    noDataSince: null,
    unwatchedSince: null,
    notBefore: null,
    well: [],
    passedSince: null,
    passes: [],
    acknowledged: null,
  };
  const snapshot = snapshotOf(past, places);
  const cause = snapshot.fails === null ? "" : causeKey(snapshot.fails);
  const event = (kind: EventKind) => [{ kind, to: { are: "channels", channels } as const }];
  const change = { name: past.monitor, cause, snapshot };
  const { incidents } = store.alerts;
  await incidents.note({ ...change, incident: open, at: openedAt, events: event("opened") });
  const [made] = await incidents.newest("monitor", [subject.id]);
  if (made === undefined) throw new Error("no incident was made");
  if (acknowledged !== null)
    await incidents.acknowledge(made.number, before(from - acknowledged), "night shift");
  if (to === null) return;
  const ended = { at: before(to), because: "recovered" } as const;
  const closed = { ...made, ended };
  await incidents.note({
    ...change,
    incident: closed,
    at: after(ended.at, seconds(30)),
    events: event("closed"),
  });
}

function snapshotOf(
  past: Outage,
  { monitorOf, labelsOf, locations, now }: GeneratedPlaces,
): MonitorSnapshot {
  const { monitor, places, severity, failure } = past;
  const startedAt = epochMillis(now - past.from);
  const seenFailure = failure && {
    code: failure.code,
    phase: failure.phase,
    message: failure.message,
  };
  const [first = ""] = places;
  return {
    of: "monitor",
    monitor: {
      id: String(monitorOf(monitor)),
      name: monitor,
      kind: "http",
      target: "https://generated.internal/",
      labels: labelsOf(monitor),
      description: "",
    },
    urgency: "critical",
    locations: Object.entries(locations).map(([name, id]) => ({
      id: String(id),
      name,
      status: places.includes(name) ? severity : "active",
    })),
    result: {
      startedAt,
      latency: millis(failure === null ? 186 : 5_000),
      threshold: failure === null ? millis(120) : null,
      statusCode: null,
      attempts: 1,
      failure: seenFailure,
    },
    lastGoodAt: epochMillis(startedAt - 30_000),
    failedChecks: 1,
    fails:
      seenFailure === null
        ? null
        : { location: { id: String(locations[first]), name: first }, failure: seenFailure, of: 9 },
    maintenance: null,
    gap: null,
    dependsOn: [],
    period: seconds(30),
  };
}

/** All is sent, but the newest message of a channel that fails. */
async function sendAll(
  store: Store,
  channel: number,
  isFailing: boolean,
  now: EpochMillis,
): Promise<void> {
  const { deliveries } = store.alerts;
  const { deliveries: all } = await deliveries.list({
    channel,
    incident: null,
    state: "waiting",
    limit: 100,
    offset: 0,
  });
  await deliveries.claim("generated", channel, minutes(5));
  for (const { id, createdAt, name, kind } of all.toReversed()) {
    const title = `${kind === "opened" ? "Down" : "Up again"}: ${name}`;
    await deliveries.begin(
      "generated",
      channel,
      [id],
      `${title}\nTarget: https://generated.internal/`,
    );
    const isLast = isFailing && id === all[0]?.id;
    const isRetried = isFailing && id % 3 === 0;
    const sent: DeliveryAttempt = {
      ids: [id],
      triedAt: createdAt,
      fate: { is: "sent", reference: null, moved: null },
    };
    const message = "the provider answers 503";
    const waits = {
      is: "waiting",
      retryAt: after(now, hours(1)),
      message,
      isInDoubt: false,
    } as const;
    const tried: DeliveryAttempt = { ids: [id], triedAt: createdAt, fate: waits };
    const attempted = isLast ? [tried] : isRetried ? [tried, sent] : [sent];
    const lane: LaneHealth = isLast
      ? {
          ...laneAtFirst,
          failures: 5,
          restUntil: after(now, hours(1)),
          failing: { since: createdAt, message },
        }
      : laneAtFirst;
    const settledAt = after(createdAt, isRetried ? minutes(3) : seconds(2));
    await deliveries.settle("generated", {
      channel,
      now: settledAt,
      lane,
      recent: null,
      attempted,
      dropped: [],
      held: [],
    });
  }
  await deliveries.release("generated", channel);
}
