import { DatabaseSync } from "node:sqlite";
import { tcpDefaults } from "#check/definition";
import { failure } from "#check/failure";
import { noPhases } from "#check/outcome";
import { epochMillis, type EpochMillis, hours, millis, minutes } from "#base/units";
import { hashCredential } from "#service/edge/credential";
import { addLatencies } from "#service/store/histogram";
import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import { openStore } from "#service/store/open-store";
import type { NewResult } from "#service/store/result-store";
import { beginOf } from "#service/store/rollup";
import type { Store } from "#service/store/store";

/** What a database is filled with: monitors of one location, with days behind them, one in fifty of which fails. */
export interface ManyMonitors {
  readonly database: string;
  readonly monitors: number;
  readonly days: number;
  /** Of the location. */
  readonly token: string;
  readonly now: EpochMillis;
}

const fault = failure("connection_refused", "connect", "connection refused (10.20.0.31:5432)");
const inFifty = 50;

/** Rows of monitors and of the past are written as they lie: 100,000 monitors take seconds. What is newest is reported. */
export async function fillMonitors(wanted: ManyMonitors): Promise<void> {
  const { database, token, now } = wanted;
  const open = () => openStore({ database, use: "service", onProgress: () => {} });
  const location = await (async () => {
    await using store = await open();
    const made = { name: "Office", metadata: {}, monitors: [], owner: "", labels: {}, at: now };
    const hash = hashCredential(token);
    const id = await store.state.locations.create(made, { hash, sealed: "", at: now });
    await store.state.locations.seen(id, epochMillis(now + hours(2)), "heartbeat", "");
    return id;
  })();
  writeRows(wanted, location);
  await using store = await open();
  await reportNewest(store, wanted, location);
}

function writeRows({ database, monitors, days, now }: ManyMonitors, location: LocationId): void {
  using sqlite = new DatabaseSync(database);
  sqlite.exec("BEGIN IMMEDIATE");
  const monitor = sqlite.prepare(
    `INSERT INTO monitors (id, uid, kind, active, definition, owner, labels, revision, created_at, updated_at)
     VALUES (?, '', 'tcp', 1, ?, '', ?, 1, ?, ?)`,
  );
  const assignment = sqlite.prepare("INSERT INTO assignments (location, monitor) VALUES (?, ?)");
  const state = sqlite.prepare(
    "INSERT INTO states (monitor, status, since, judge_at, memory) VALUES (?, 'unknown', ?, 0, '')",
  );
  for (let id = 1; id <= monitors; id += 1) {
    const labels = { team: `t${id % 17}` };
    const named = {
      name: `Service ${id} of team ${id % 17}`,
      uri: `host-${id}.team-${id % 17}.internal:5432`,
      // So that what was seen counts for all of the measurement.
      periodicity: "1h",
      active: true,
      labels,
    };
    monitor.run(id, JSON.stringify({ ...tcpDefaults, ...named }), JSON.stringify(labels), now, now);
    assignment.run(location, id);
    state.run(id, now);
  }
  const day = sqlite.prepare(
    `INSERT INTO daily (bucket, monitor, location, success, degraded, error, unknown, known, down, latency_sum,
       latency_max, latencies) VALUES (?, ?, ?, 2870, 5, ?, 0, 86000000, ?, 57000, 210, ?)`,
  );
  const histograms = Array.from({ length: 20 }, (_, index) =>
    addLatencies(
      new Uint8Array(),
      Array.from({ length: 60 }, (_one, n) => millis(5 + index + ((n * 7919) % 200))),
    ),
  );
  const today = beginOf("day", now);
  for (let back = days - 1; back > 0; back -= 1)
    for (let id = 1; id <= monitors; id += 1) {
      const isDown = (id + back) % inFifty === 0;
      const latencies = histograms[id % histograms.length] ?? new Uint8Array();
      day.run(
        today - back * hours(24),
        id,
        location,
        isDown ? 5 : 0,
        isDown ? minutes(2) : 0,
        latencies,
      );
    }
  sqlite.exec("COMMIT");
}

async function reportNewest(
  store: Store,
  { monitors, now }: ManyMonitors,
  location: LocationId,
): Promise<void> {
  const slot = epochMillis(now - 5_000);
  for (let first = 1; first <= monitors; first += 500) {
    const length = Math.min(500, monitors - first + 1);
    const results = Array.from({ length }, (_, index) =>
      resultOf(monitorId(first + index), slot, (first + index) % inFifty === 0),
    );
    await store.results.append({ location, storedAt: slot, results });
  }
}

export const resultOf = (monitor: MonitorId, slot: EpochMillis, isDown: boolean): NewResult => ({
  monitor,
  slot,
  period: minutes(60),
  status: isDown ? "error" : "success",
  latency: millis(5 + ((monitor * 7919) % 200)),
  startedAt: slot,
  statusCode: 0,
  failure: isDown ? { code: fault.code, phase: fault.phase } : null,
  phases: noPhases,
  own: null,
  echoes: null,
  attempts: 1,
  trigger: "cron",
  excuse: null,
  certificate: null,
  perhapsSlow: false,
  detail: { message: isDown ? fault.message : "", payload: new Uint8Array() },
});
