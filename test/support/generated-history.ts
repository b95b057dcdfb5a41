import { httpDefaults, type MonitorDefinition, tcpDefaults } from "#check/definition";
import { failure, type Failure } from "#check/failure";
import { noPhases, type Phases } from "#check/outcome";
import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import type { NewResult } from "#service/store/result-store";
import type { Store } from "#service/store/store";
import {
  epochMillis,
  type EpochMillis,
  hours,
  type Millis,
  millis,
  minutes,
  nanos,
  seconds,
} from "#base/units";
import { reportOf } from "#wire/report";
import { generateIncidents, type Outage } from "./generated-incidents.ts";
import { openStoreHere } from "./open-store-here.ts";
import { httpOutcome, resultWith } from "./results.ts";

/** How a generated monitor behaves. */
interface Habit {
  readonly definition: MonitorDefinition;
  readonly labels: Readonly<Record<string, string>>;
  /** What it says at an instant and a location. */
  readonly says: (at: Moment) => Said;
}

interface Moment {
  /** Before now. */
  readonly ago: Millis;
  readonly place: string;
  /** 0 to 1, another for each result and the same at each run. */
  readonly chance: number;
}

interface Said {
  readonly latency: Millis;
  readonly failure: Failure | null;
}

const day = hours(24);
const names = failure(
  "dns_timeout",
  "dns",
  "The name server 10.20.0.53 did not answer within 1000 ms",
);
const refused = failure("connection_refused", "connect", "connection refused (10.20.0.31:5432)");
const late = failure(
  "response_timeout",
  "wait",
  "Timeout after 5000 ms: no complete response head came",
);

/** How long a check took that failed: it waited for all of its timeout, or was refused at once. */
const failedAfter = ({ code, phase }: Failure): number =>
  code.endsWith("timeout") ? (phase === "dns" ? 1_000 : 5_000) : 1;

const usual =
  (
    latency: number,
    faultAt: (at: Moment) => Failure | null = () => null,
    factor: (at: Moment) => number = () => 1,
  ) =>
  (at: Moment): Said => {
    const wave = 1 + 0.25 * Math.sin((at.ago / day) * 2 * Math.PI);
    const tail = at.chance > 0.97 ? 2.5 : 0.8 + at.chance * 0.4;
    const fault = faultAt(at);
    const took = fault === null ? latency * wave * tail * factor(at) : failedAfter(fault);
    return { latency: millis(Math.round(took)), failure: fault };
  };

const web = (name: string, url: string, more: object = {}): MonitorDefinition => ({
  ...httpDefaults,
  name,
  url,
  periodicity: "30s",
  active: true,
  timeout: 5_000,
  headers: [{ key: "authorization", value: "planted" }],
  statusCodeAssertions: [{ comparator: "eq", target: 200 }],
  ...more,
});
const port = (name: string, uri: string): MonitorDefinition => ({
  ...tcpDefaults,
  name,
  uri,
  periodicity: "30s",
  active: true,
});

/** Monitors as a company has them: most are fine, three fail for one cause, one is slow, one was down last week. */
export const habits: readonly Habit[] = [
  habit(
    web("Shop", "https://shop.internal/health?token=planted", { degradedAt: 400, public: true }),
    "web",
    usual(42),
  ),
  habit(
    web("Billing API", "https://billing.internal/api/v2/status", {
      description: "Runbook: https://wiki.internal/billing",
      public: true,
    }),
    "web",
    usual(118, ({ ago }) =>
      ago <= minutes(14) || Math.abs(ago - 6 * day) < minutes(35) ? late : null,
    ),
  ),
  habit(
    web("Intranet", "https://intranet.internal/", { degradedAt: 120 }),
    "web",
    usual(
      40,
      () => null,
      ({ ago }) => (ago <= hours(3) ? 4.5 : 1),
    ),
  ),
  habit(web("Wiki", "https://wiki.internal/login"), "web", usual(88)),
  habit(web("Registry", "https://registry.internal:5000/v2/"), "build", usual(23)),
  habit(web("CI", "https://ci.internal/ping"), "build", usual(31)),
  ...["Stock", "Scanner", "Printer queue"].map((name) =>
    habit(
      web(name, `https://${name.toLowerCase().replace(" ", "-")}.warehouse.internal/`),
      "warehouse",
      usual(19, ({ ago, place }) => (place === "Warehouse" && ago <= minutes(42) ? names : null)),
    ),
  ),
  habit(port("Database primary", "db-primary.internal:5432"), "data", usual(2)),
  habit(
    port("Database replica", "db-replica.internal:5432"),
    "data",
    usual(2, ({ ago, place }) =>
      place === "Office" && Math.abs(ago - 11 * day) < hours(2) ? refused : null,
    ),
  ),
  habit(port("Bastion", "10.20.0.14:22"), "data", usual(4)),
];

function habit(definition: MonitorDefinition, team: string, says: Habit["says"]): Habit {
  const labels = { team };
  return { definition: { ...definition, labels }, labels, says };
}

export interface GeneratedHistory {
  readonly database: string;
  readonly now: EpochMillis;
  readonly days: number;
  /** How far apart results are before the last day. */
  readonly spacing: Millis;
}

/**
 * Fills a fresh database with a past that never was: two locations, the monitors above, weeks of results. The last day
 * has a result every five minutes, the last hour one every 30 s.
 */
export async function generateHistory({
  database,
  now,
  days,
  spacing,
}: GeneratedHistory): Promise<void> {
  await using store = await openStoreHere({ database, use: "service", onProgress: () => {} });
  const monitors: MonitorId[] = [];
  for (const { definition, labels } of habits)
    monitors.push(
      await store.state.monitors.create({
        definition,
        owner: "",
        labels,
        at: epochMillis(now - days * day),
      }),
    );
  const office = await generateLocation(store, "Office", monitors, now);
  const warehouse = await generateLocation(store, "Warehouse", monitors.slice(0, 9), now);
  for (const [place, location] of [
    ["Office", office],
    ["Warehouse", warehouse],
  ] as const)
    for (const [index, monitor] of monitors.entries()) {
      const own = habits[index];
      if (own === undefined || (place === "Warehouse" && index >= 9)) continue;
      await append(store, location, pastOf(own, monitor, place, { database, now, days, spacing }));
    }
  const numberOf = (name: string): number =>
    habits.findIndex(({ definition }) => definition.name === name);
  const monitorOf = (name: string): MonitorId => monitors[numberOf(name)] ?? monitorId(0);
  const labelsOf = (name: string) => habits[numberOf(name)]?.labels ?? {};
  const locations = { Office: office, Warehouse: warehouse };
  const places = { database, now, monitorOf, labelsOf, locations };
  await generateIncidents(
    store,
    places,
    outages.filter(({ from }) => from < days * day),
  );
}

const everywhere = ["Office", "Warehouse"];
/** What the habits above had a person notified of. */
const outages: readonly Outage[] = [
  {
    monitor: "Database replica",
    places: ["Office"],
    severity: "error",
    failure: refused,
    from: millis(11 * day + hours(2)),
    to: millis(11 * day - hours(2)),
    acknowledged: minutes(25),
  },
  {
    monitor: "Billing API",
    places: everywhere,
    severity: "error",
    failure: late,
    from: millis(6 * day + minutes(35)),
    to: millis(6 * day - minutes(35)),
    acknowledged: minutes(4),
  },
  {
    monitor: "Intranet",
    places: everywhere,
    severity: "degraded",
    failure: null,
    from: hours(3),
    to: null,
    acknowledged: minutes(9),
  },
  ...["Stock", "Scanner", "Printer queue"].map((monitor) => ({
    monitor,
    places: ["Warehouse"],
    severity: "error" as const,
    failure: names,
    from: minutes(42),
    to: null,
    acknowledged: null,
  })),
  {
    monitor: "Billing API",
    places: everywhere,
    severity: "error",
    failure: late,
    from: minutes(14),
    to: null,
    acknowledged: null,
  },
];

async function generateLocation(
  store: Store,
  name: string,
  monitors: readonly MonitorId[],
  now: EpochMillis,
): Promise<LocationId> {
  const made = {
    name,
    metadata: { site: name.toLowerCase() },
    monitors,
    owner: "",
    labels: {},
    at: now,
  };
  const token = { hash: `generated ${name}`, sealed: "", at: now };
  const location = await store.state.locations.create(made, token);
  await store.state.locations.seen(location, now, "heartbeat", token.hash);
  const { version } = await store.state.instances.of(location);
  await store.state.instances.keep(location, version, [agentAt(name, now, monitors.length)], 10);
  return location;
}

const agentAt = (name: string, now: EpochMillis, monitorCount: number) => ({
  id: `${name.toLowerCase()}-1`,
  lastSeenAt: now,
  left: false,
  revision: "1",
  wanted: true,
  settled: true,
  steadyFrom: null,
  placement: "share" as const,
  report: {
    hostname: `${name.toLowerCase()}-gw`,
    node: "",
    labels: {},
    version: "0.1.0",
    monitorCount,
    resultsWaiting: 0,
    checksRun: 9,
    clockAhead: null,
    missedSlots: 2,
    missedSlotsOwn: 0,
    resultsGivenUp: 0,
    resultsGivenUpAge: 0,
    resultsGivenUpRoom: 0,
    resultsRejected: 0,
    resultsUnassigned: 0,
    spells: [],
    conditions: [],
    warnings: [],
    remarks: [],
    kinds: ["http", "tcp", "dns", "icmp", "grpc"],
    targets: null,
    signedFor: "",
    tokenHash: "",
  },
});

function* pastOf(
  { definition, says }: Habit,
  monitor: MonitorId,
  place: string,
  { now, days, spacing }: GeneratedHistory,
): Generator<NewResult> {
  const spacingAt = (ago: number): Millis =>
    ago <= hours(1) ? seconds(30) : ago <= day ? millis(Math.min(spacing, minutes(5))) : spacing;
  let index = 0;
  for (let ago: number = days * day; ago > 0; ago -= spacingAt(ago)) {
    index += 1;
    const chance = ((index * 7919 + monitor * 104_729) % 1_000) / 1_000;
    const { latency, failure: fault } = says({ ago: millis(ago), place, chance });
    const slot = epochMillis(now - ago);
    yield resultAt({ definition, monitor, slot, latency, fault, period: spacingAt(ago) });
  }
}

interface Generated {
  readonly definition: MonitorDefinition;
  readonly monitor: MonitorId;
  readonly slot: EpochMillis;
  readonly latency: Millis;
  readonly fault: Failure | null;
  readonly period: Millis;
}

function resultAt({ definition, monitor, slot, latency, fault, period }: Generated): NewResult {
  const { kind, degradedAt } = definition;
  const phases = fault === null ? phasesOf(kind, latency) : phasesUntil(fault, latency);
  const isSlow = degradedAt !== null && degradedAt > 0 && latency > degradedAt;
  const status = fault === null ? (isSlow ? "degraded" : "success") : "error";
  const startedAt = epochMillis(slot + 12);
  const statusCode = fault === null && kind === "http" ? 200 : 0;
  const seen = httpOutcome({
    startedAt,
    phases,
    total: nanos(latency * 1e6),
    errorBar: nanos(41_000),
    failure: fault,
    // None of the faults came after an answer.
    ...(fault === null ? {} : { response: null }),
    addresses: [
      {
        address: "10.20.0.9",
        port: 443,
        ended: "connected",
        elapsed: nanos(4e5),
        measuredBy: "kernel",
      },
    ],
    tls: {
      protocol: "TLSv1.3",
      cipher: "TLS_AES_256_GCM_SHA384",
      alpn: "http/1.1",
      serverName: "shop.internal",
      acceptedFault: null,
      certificate: {
        subject: "CN=*.internal",
        issuer: "CN=Office CA",
        altNames: ["*.internal"],
        validFrom: epochMillis(slot - 48 * day),
        validTo: epochMillis(slot + 42 * day),
        fingerprint256: "",
        chain: ["CN=*.internal"],
      },
    },
  });
  const { payload } = reportOf(
    resultWith({
      monitorId: String(monitor),
      slot,
      startedAt,
      status,
      latency,
      failure: fault,
      outcome: kind === "http" ? seen : null,
    }),
  );
  const message =
    fault?.message ?? (isSlow ? `slow: ${latency} ms, over the threshold of ${degradedAt} ms` : "");
  return {
    monitor,
    slot,
    period,
    status,
    latency,
    startedAt,
    statusCode,
    failure: fault === null ? null : { code: fault.code, phase: fault.phase },
    phases,
    own: null,
    echoes: null,
    attempts: 1,
    trigger: "cron",
    perhapsSlow: false,
    excuse: null,
    certificate: null,
    detail: { message, payload },
  };
}

function phasesOf(kind: string, latency: Millis): Phases {
  const share = (part: number) => nanos(latency * part * 1e6);
  return kind === "http"
    ? {
        dns: share(0.06),
        connect: share(0.05),
        proxy: null,
        tls: share(0.16),
        write: share(0.01),
        wait: share(0.65),
        receive: share(0.07),
      }
    : {
        dns: share(0.4),
        connect: share(0.6),
        proxy: null,
        tls: null,
        write: null,
        wait: null,
        receive: null,
      };
}

/** The phase that fails takes all that is left of the time. */
function phasesUntil({ phase }: Failure, latency: Millis): Phases {
  const usualLatency = millis(Math.min(latency, 100));
  const { dns, connect, tls, write } = phasesOf("http", usualLatency);
  const left = (...before: readonly (number | null)[]) =>
    nanos(latency * 1e6 - before.reduce<number>((sum, one) => sum + (one ?? 0), 0));
  if (phase === "dns") return { ...noPhases, dns: left() };
  if (phase === "connect") return { ...noPhases, dns, connect: left(dns) };
  return { ...noPhases, dns, connect, tls, write, wait: left(dns, connect, tls, write) };
}

async function append(
  store: Store,
  location: LocationId,
  results: Iterable<NewResult>,
): Promise<void> {
  let batch: NewResult[] = [];
  const flush = async (): Promise<void> => {
    const last = batch.at(-1);
    if (last !== undefined)
      await store.results.append({
        location,
        storedAt: epochMillis(last.slot + 500),
        results: batch,
      });
    batch = [];
  };
  for (const result of results) {
    batch.push(result);
    if (batch.length === 500) await flush();
  }
  await flush();
}
