import { httpDefaults } from "#check/definition";
import { noPhases } from "#check/outcome";
import { systemClock } from "#base/clock";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { NewResult } from "#service/store/result-store";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis, type Millis, millis, nanos, seconds } from "#base/units";

/** What fills a store for a measurement: a location with its monitors, and results of all of them, slot after slot. */
export interface Office {
  readonly location: LocationId;
  readonly monitors: readonly MonitorId[];
  /** The slot that the first result of the first monitor has, or comes soon after. */
  readonly begin: EpochMillis;
}

export const period: Millis = seconds(30);
export const batchSize = 500;

/** `tokenHash` is that of the location's token. */
export async function openOffice(
  store: Store,
  { monitorCount, begin, tokenHash }: Wanted,
): Promise<Office> {
  const definition = {
    ...httpDefaults,
    name: "shop",
    url: "https://shop.test/",
    periodicity: "30s",
    active: true,
  };
  const made = { definition, owner: "", labels: {}, at: begin };
  const monitors: MonitorId[] = [];
  for (let left = monitorCount; left > 0; left -= 100) {
    const some = Array.from({ length: Math.min(left, 100) }, () =>
      store.state.monitors.create(made),
    );
    monitors.push(...(await Promise.all(some)));
  }
  const facts = { name: "office", metadata: {}, monitors, owner: "", labels: {}, at: begin };
  const token = { hash: tokenHash, sealed: "", at: begin };
  return { location: await store.state.locations.create(facts, token), monitors, begin };
}

interface Wanted {
  readonly monitorCount: number;
  readonly begin: EpochMillis;
  readonly tokenHash: string;
}

/** Slots of a monitor are a period apart, and those of all monitors are spread over it. */
export const slotOf = (
  { begin }: Pick<Office, "begin">,
  monitor: MonitorId,
  round: number,
): EpochMillis => epochMillis(begin + round * period + (monitor % 1_000) * (period / 1_000));

/** Most are good and near 40 ms; one in fifty is slow or fails. */
export function resultOf(office: Office, monitor: MonitorId, round: number): NewResult {
  const slot = slotOf(office, monitor, round);
  const noise = Math.random();
  const latency = 20 + monitor / 50 + 40 * noise ** 3;
  const isBad = noise < 0.02;
  return {
    monitor,
    slot,
    period,
    status: isBad ? "error" : "success",
    latency: millis(Math.round(latency)),
    startedAt: epochMillis(slot + Math.round(noise * 20)),
    statusCode: 200,
    failure: isBad ? { code: "unexpected_status", phase: "assertion" } : null,
    phases: {
      ...noPhases,
      dns: nanos(1e6 * noise),
      connect: nanos(2e6 + 1e6 * noise),
      tls: nanos(9e6 + 1e6 * noise),
      wait: nanos(latency * 8e5),
      receive: nanos(1e5),
    },
    own: nanos(412_000),
    echoes: null,
    attempts: 1,
    trigger: "cron",
    perhapsSlow: false,
    excuse: null,
    certificate: null,
    detail: { message: isBad ? "the status is 500" : "", payload: new Uint8Array(isBad ? 650 : 1) },
  };
}

/** As fast as it goes, with two batches on their way at any time; `print` is given how far it is. */
export async function fill(
  store: Store,
  office: Office,
  rounds: number,
  print: (...cells: readonly (string | number)[]) => void,
): Promise<void> {
  const { location, monitors } = office;
  const began = systemClock.monotonic();
  const sent = new Set<Promise<unknown>>();
  for (let round = 0; round < rounds; round += 1) {
    for (let first = 0; first < monitors.length; first += batchSize) {
      const some = monitors.slice(first, first + batchSize);
      const results = some.map((id) => resultOf(office, id, round));
      const storedAt = results[0]?.startedAt ?? office.begin;
      const batch = store.results.append({ location, storedAt, results });
      sent.add(batch);
      void batch.then(() => sent.delete(batch));
      if (sent.size >= 2) await Promise.race(sent);
    }
    if (round % 500 !== 499) continue;
    const stored = (round + 1) * monitors.length;
    const elapsed = (systemClock.monotonic() - began) / 1e9;
    print(`${stored / 1e6} million`, `${Math.round(stored / elapsed)} results/s so far`);
  }
  await Promise.all(sent);
}

/** The value below which this share of what was measured lies. */
export function quantileOf(measured: readonly number[], share: number): number {
  const sorted = measured.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
