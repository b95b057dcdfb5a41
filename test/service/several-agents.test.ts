import { expect, test } from "vitest";
import { nextSlot } from "#agent/prober/schedule/slots";
import { tcpDefaults } from "#check/definition";
import { monitorId } from "#service/store/ids";
import { epochMillis, millis } from "#base/units";
import { FakeClock } from "../support/fake-clock.ts";
import { Fleet, type Member } from "../support/fleet.ts";
import { openStoreHere } from "../support/open-store-here.ts";
import { runningService, type RunningService } from "../support/running-service.ts";

interface Accepted {
  readonly slot: number;
  readonly startedAt: number;
}

/** The periods of the monitors, by id: most come often, some rarely. */
async function assignMonitors(service: RunningService): Promise<ReadonlyMap<string, number>> {
  const made = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const often = n % 10 > 0;
      const periodicity = often ? "30s" : "5m";
      const definition = {
        ...tcpDefaults,
        name: `m${n}`,
        uri: `m${n}.test:1`,
        periodicity,
        active: true,
      };
      const { id } = await service.admin.createMonitor(definition, "management");
      return [id, often ? 30_000 : 300_000] as const;
    }),
  );
  return new Map(made);
}

async function acceptedBy(
  { database }: RunningService,
  ids: Iterable<string>,
): Promise<Map<string, readonly Accepted[]>> {
  await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const everything = { location: null, from: epochMillis(0), to: epochMillis(2 ** 52) } as const;
  const page = { order: "oldest first", cursor: null, skip: 0, limit: 10_000 } as const;
  const byMonitor = new Map<string, readonly Accepted[]>();
  for (const id of ids) {
    const monitor = monitorId(Number(id));
    const { results } = await store.results.window({ ...everything, ...page, monitor });
    byMonitor.set(id, results);
  }
  return byMonitor;
}

/** The slots of a monitor between two of its results that have none. */
function missing(id: string, period: number, accepted: readonly Accepted[]): readonly number[] {
  const slots = new Set(accepted.map(({ slot }) => slot));
  const [first, last] = [Math.min(...slots), Math.max(...slots)];
  const gone: number[] = [];
  for (
    let slot: number = nextSlot(id, millis(period), epochMillis(first));
    slot < last;
    slot += period
  )
    if (!slots.has(slot)) gone.push(slot);
  return gone;
}

const run = (members: readonly Member[]): readonly string[] =>
  members.flatMap(({ runs }) => runs).toSorted();

test("100 monitors on three agents: one is killed, one is cut off, one is added, one leaves; no monitor is without results for long, and none counts twice", async () => {
  const clock = new FakeClock();
  await using service = await runningService({ clock });
  const periods = await assignMonitors(service);
  const everything = [...periods.keys()].toSorted();
  const { token } = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds: everything,
    metadata: {},
  });
  const fleet = new Fleet(clock, { url: service.url, token });
  const [a, b, c] = [fleet.start("a"), fleet.start("b"), fleet.start("c")];
  await fleet.run(20);
  const sharedOutAt = clock.wall();
  await fleet.run(70);
  expect(run([a, b, c])).toEqual(everything);

  const killedAt = clock.wall();
  a.kill();
  await fleet.run(57);
  expect(run([b, c])).toEqual(everything);
  await fleet.run(43);

  const ofB = b.runs.length;
  b.cut(true);
  await fleet.run(120);
  expect(c.runs).toHaveLength(100);
  // It goes on with what it knows, and keeps what it saw.
  expect(b.runs).toHaveLength(ofB);
  expect(b.agent.status.resultsWaiting).toBeGreaterThan(ofB);
  b.cut(false);
  await fleet.run(40);
  expect([b.runs.length, b.agent.status.resultsWaiting]).toEqual([0, 0]);
  expect(b.agent.status.reports.duplicate).toBeGreaterThan(0);
  await fleet.run(140);
  expect(run([b, c])).toEqual(everything);
  expect(b.runs).toHaveLength(ofB);

  const d = fleet.start("d");
  await fleet.run(60);
  expect(run([b, c, d])).toEqual(everything);
  expect(d.runs.length).toBeGreaterThan(20);

  c.drain();
  await fleet.run(60);
  expect(await c.ended).toBe("drained");
  expect(run([b, d])).toEqual(everything);
  for (const member of [b, d]) member.drain();
  await fleet.run(2);
  await Promise.all([a.ended, b.ended, d.ended]);

  const accepted = await acceptedBy(service, everything);
  for (const results of accepted.values()) expect(results).not.toEqual([]);
  const gone: number[] = [];
  for (const [id, period] of periods) {
    const results = (accepted.get(id) ?? []).toSorted((x, y) => x.slot - y.slot);
    // Once the three have shared out the monitors, each is of a slot that all agents have: none is counted beside
    // another of the same slot. Until then an old and a new owner may each make a first check.
    for (const { slot } of results.filter((one) => one.slot > sharedOutAt))
      expect(nextSlot(id, millis(period), epochMillis(slot - 1))).toBe(slot);
    expect(new Set(results.map(({ slot }) => slot)).size).toBe(results.length);
    const starts = results.map(({ startedAt }) => startedAt).toSorted((x, y) => x - y);
    const gaps = starts.slice(1).map((start, index) => start - starts[index]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(period + 60_000);
    gone.push(...missing(id, period, results));
  }
  // Only a lost agent costs slots: those of its last second, and those that came before it was missed.
  expect(gone.length).toBeGreaterThan(0);
  expect(Math.min(...gone)).toBeGreaterThan(killedAt - 2_000);
  expect(Math.max(...gone)).toBeLessThan(killedAt + 57_000);
});
