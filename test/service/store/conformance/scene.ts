import { httpDefaults } from "#check/definition";
import { noPhases } from "#check/outcome";
import type { LocationId, MonitorId } from "#service/store/ids";
import { openStore } from "#service/store/open-store";
import type { NewResult, Receipt } from "#service/store/result-store";
import type { NewLocation, NewMonitor } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis, type Millis, millis, nanos, seconds } from "#base/units";

/** Opens a store that nothing is in; whoever opens it closes it. */
export type OpenFresh = () => Promise<Store>;

export const openQuietly = (database: string): Promise<Store> =>
  openStore({ database, use: "service", onProgress: () => {} });

export const at = (text: string): EpochMillis => epochMillis(Date.parse(text));
/** In the middle of an hour, so that a few results lie in one bucket. */
export const noon: EpochMillis = at("2026-08-12T12:20:00Z");
export const period: Millis = seconds(30);
export const slotAfter = (count: number): EpochMillis => epochMillis(noon + count * period);

export const someMonitor = (changes: Partial<NewMonitor> = {}): NewMonitor => ({
  definition: {
    ...httpDefaults,
    name: "shop",
    url: "https://shop.test/",
    periodicity: "30s",
    active: true,
  },
  owner: "",
  labels: {},
  at: noon,
  ...changes,
});

export const someLocation = (changes: Partial<NewLocation> = {}): NewLocation => ({
  name: "office",
  metadata: {},
  monitors: [],
  owner: "",
  labels: {},
  at: noon,
  ...changes,
});

let tokens = 0;
export const someToken = (): { hash: string; sealed: string; at: EpochMillis } => {
  tokens += 1;
  return { hash: `hash ${tokens}`, sealed: `sealed ${tokens}`, at: noon };
};

/** A good result with the phases of a request. */
export const someResult = (
  monitor: MonitorId,
  slot: number,
  changes: Partial<NewResult> = {},
): NewResult => ({
  monitor,
  slot: epochMillis(slot),
  period,
  status: "success",
  latency: millis(100),
  startedAt: epochMillis(slot + 40),
  statusCode: 200,
  failure: null,
  phases: { ...noPhases, dns: nanos(3e6), wait: nanos(97_123_000) },
  own: nanos(412_000),
  echoes: null,
  attempts: 1,
  trigger: "cron",
  perhapsSlow: false,
  excuse: null,
  certificate: null,
  detail: { message: "", payload: Uint8Array.of(1, 2, 3) },
  ...changes,
});

export const failing: Partial<NewResult> = {
  status: "error",
  statusCode: 0,
  failure: { code: "connection_refused", phase: "connect" },
  detail: { message: "nothing listens at 10.0.0.1:443", payload: Uint8Array.of(9) },
};

export interface Assigned {
  readonly location: LocationId;
  readonly monitors: readonly MonitorId[];
  readonly append: (...results: NewResult[]) => Promise<readonly Receipt["kind"][]>;
}

/** A location with some monitors. */
export async function assigned(store: Store, count = 1): Promise<Assigned> {
  const monitors: MonitorId[] = [];
  for (let made = 0; made < count; made += 1)
    monitors.push(await store.state.monitors.create(someMonitor()));
  const location = await store.state.locations.create(someLocation({ monitors }), someToken());
  return {
    location,
    monitors,
    append: async (...results) => {
      const storedAt = epochMillis(noon + 1_000);
      const receipts = await store.results.append({ location, storedAt, results });
      return receipts.map(({ kind }) => kind);
    },
  };
}

/** How many checks of a monitor failed between two instants. */
export const failedChecks = async (
  { evidence }: Store["alerts"],
  monitor: MonitorId,
  from: EpochMillis,
  to: EpochMillis,
): Promise<number> => (await evidence.checked({ monitor, from, to, period })).failed;
