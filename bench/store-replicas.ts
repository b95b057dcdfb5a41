import { systemClock } from "#base/clock";
import { httpDefaults } from "#check/definition";
import { noPhases } from "#check/outcome";
import type { LocationId, MonitorId } from "#service/store/ids";
import { openStore } from "#service/store/open-store";
import type { NewResult } from "#service/store/result-store";
import type { Store } from "#service/store/store";
import { epochMillis, millis, nanos, seconds } from "#base/units";
import { startPostgres } from "../test/support/postgres-server.ts";

/**
 * How many results two replicas of the service take on one PostgreSQL of this machine, which waits for its disk as it
 * does by default: batches of 500 of two locations, for some seconds. `npm run bench:store-replicas`.
 */
const forMillis = 15_000;
const now = (): number => systemClock.monotonic() / 1e6;
const begin = systemClock.wall();

const resultOf = (monitor: MonitorId, round: number): NewResult => ({
  monitor,
  slot: epochMillis(begin + round * 1_000 + (monitor % 1_000)),
  period: seconds(30),
  status: "success",
  latency: millis(40 + (monitor % 50)),
  startedAt: begin,
  statusCode: 200,
  failure: null,
  phases: { ...noPhases, dns: nanos(1e6), connect: nanos(2e6), tls: nanos(9e6), wait: nanos(4e7) },
  own: null,
  echoes: null,
  attempts: 1,
  trigger: "cron",
  perhapsSlow: false,
  excuse: null,
  certificate: null,
  detail: { message: "", payload: new Uint8Array() },
});

async function officeOf(store: Store): Promise<{ location: LocationId; monitors: MonitorId[] }> {
  const definition = {
    ...httpDefaults,
    name: "shop",
    url: "https://shop.test/",
    periodicity: "30s",
  };
  const made = { definition, owner: "", labels: {}, at: begin };
  const monitors = await Promise.all(
    Array.from({ length: 500 }, () => store.state.monitors.create(made)),
  );
  const token = { hash: String(monitors[0]), sealed: "", at: begin };
  const facts = { name: "office", metadata: {}, monitors, owner: "", labels: {}, at: begin };
  return { location: await store.state.locations.create(facts, token), monitors };
}

async function send(store: Store): Promise<readonly number[]> {
  const { location, monitors } = await officeOf(store);
  const took: number[] = [];
  const until = now() + forMillis;
  for (let round = 0; now() < until; round += 1) {
    const results = monitors.map((id) => resultOf(id, round));
    const began = now();
    await store.results.append({ location, storedAt: begin, results });
    took.push(now() - began);
  }
  return took;
}

await using server = await startPostgres(true);
const place = { database: server.fresh(), use: "service", onProgress: () => {} } as const;
await using one = await openStore(place);
await using other = await openStore(place);
const took = (await Promise.all([send(one), send(other)])).flat().toSorted((a, b) => a - b);
const perSecond = Math.round((took.length * 500) / (forMillis / 1e3));
const p95 = (took[Math.floor(took.length * 0.95)] ?? 0).toFixed(0);
process.stdout.write(`two replicas: ${perSecond} results/s, a batch of 500: p95 ${p95} ms\n`);
