import { expect, test } from "vitest";
import type { PathHop } from "#check/evidence";
import type { PathFlow } from "#check/known-path";
import { PathWatch } from "#agent/looks/path-watch";
import { noPathMemory, type PathMemory } from "#agent/vantage/path-memory";
import type { FlowAsk } from "#probes/evidence/flow-trace";
import * as limits from "#limits/path-limits";
import { millis } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";

const end = (address: string) => ({ address, port: 443, protocol: "tcp" }) as const;
const monitorsOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index));

/** A watch over a network that is only numbers, and each packet that it sent: when, and what it became on the wire. */
function watching({
  memory = noPathMemory,
  hops = 6,
}: { memory?: PathMemory; hops?: number } = {}) {
  const clock = new FakeClock();
  const sent: {
    readonly at: number;
    readonly packets: number;
    readonly flow: PathFlow;
    readonly ttl: number;
  }[] = [];
  const net = { isBroken: false, isRerouted: false, isPortTaken: false, answersAfter: millis(0) };
  const ports = new Set<number>();
  const gone = new Set<string>();
  const ask: FlowAsk = async (flow, ttl) => {
    if (net.isPortTaken || ports.has(flow.sourcePort)) return null;
    ports.add(flow.sourcePort);
    if (net.answersAfter > 0) await clock.sleep(net.answersAfter, ending.signal);
    ports.delete(flow.sourcePort);
    const isTarget = ttl > hops && !net.isBroken;
    sent.push({ at: clock.monotonic() / 1e6, packets: isTarget ? 3 : 1, flow, ttl });
    const hop = hopAt(ttl, isTarget, net.isBroken);
    return net.isRerouted && ttl === 2 ? { ...hop, address: "10.9.99.1" } : hop;
  };
  const runs = (monitorId: string) => !gone.has(monitorId);
  const rules: { are: object | null } = { are: null };
  const watch = new PathWatch({
    ask,
    memory,
    clock,
    chance: () => 0.5,
    runs,
    rules: () => rules.are,
  });
  const ending = new AbortController();
  const running = watch.run(ending.signal);
  const end = async () => {
    ending.abort();
    await clock.advance(10_000);
    await running;
  };
  return { clock, sent, net, ports, watch, gone, rules, end };
}

function hopAt(ttl: number, isTarget: boolean, isBroken: boolean): PathHop {
  const hop = { ttl, roundTrip: null, icmp: null };
  if (isTarget) return { ...hop, address: "target", ended: "target" };
  return isBroken && ttl > 2
    ? { ...hop, address: null, ended: "silence" }
    : { ...hop, address: `10.9.${ttl}.1`, ended: "hop" };
}

/** The most packets that left within any minute. */
const busiestMinute = (
  sent: readonly { readonly at: number; readonly packets: number }[],
): number =>
  Math.max(
    ...sent.map(({ at }) =>
      sent
        .filter((one) => one.at >= at && one.at <= at + 60_000)
        .reduce((sum, { packets }) => sum + packets, 0),
    ),
  );

test("10,000 monitors in 10,000 networks never have more than 30 packets sent in a minute, also when all fail", async () => {
  const { clock, sent, watch, net, end: stop } = watching();
  const monitors = monitorsOf(10_000);
  const addressOf = (monitor: string) => `10.${Number(monitor) >> 8}.${Number(monitor) & 255}.7`;
  for (const monitor of monitors) watch.passed(monitor, end(addressOf(monitor)));
  await clock.advance(3 * 3_600_000);
  net.isBroken = true;
  const { signal } = new AbortController();
  const looks = monitors.map((one) =>
    watch.changeBefore(one, end(addressOf(one)), "unanswered", signal),
  );
  await clock.advance(60_000);
  await Promise.all(looks);
  await stop();
  const traced = new Set(sent.map(({ flow }) => flow.address));
  expect(traced.size).toBeGreaterThan(50);
  expect(busiestMinute(sent)).toBeLessThanOrEqual(30);
  expect(busiestMinute(sent.filter(({ at }) => at < 3 * 3_600_000))).toBeLessThanOrEqual(18);
});

test("a target is traced at most once in 15 minutes, and targets of one network share a trace", async () => {
  const { clock, sent, watch, end: stop } = watching();
  for (const [monitor, address] of ["10.2.0.7", "10.2.0.8", "10.2.0.9"].entries())
    watch.passed(String(monitor), end(address));
  await clock.advance(2 * 3_600_000);
  await stop();
  expect(new Set(sent.map(({ flow }) => `${flow.address} ${flow.sourcePort}`)).size).toBe(1);
  const begins = sent.filter(({ ttl }, index) => ttl === 1 && sent[index - 1]?.ttl !== 1);
  const pauses = begins.slice(1).map(({ at }, index) => at - (begins[index]?.at ?? 0));
  expect(begins.length).toBe(8);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(limits.traceEvery);
  expect(sent.filter(({ packets }) => packets > 1).length).toBe(1);
});

test("the first failure after a change says which hop is gone, and another one soon after sends nothing", async () => {
  const { clock, sent, watch, net, end: stop } = watching();
  watch.passed("1", end("10.2.0.7"));
  await clock.advance(3_600_000);
  watch.passed("1", end("10.2.0.7"));
  await clock.advance(60_000);
  net.isBroken = true;
  const { signal } = new AbortController();
  const said = await watch.changeBefore("1", end("10.2.0.7"), "unanswered", signal);
  expect(said).toMatchObject({
    to: "10.2.0.7",
    change: { kind: "ended", ttl: 3, gone: "10.9.3.1", came: "10.9.2.1" },
  });
  const packets = sent.length;
  expect(await watch.changeBefore("1", end("10.2.0.7"), "unanswered", signal)).toBeNull();
  expect(sent.length).toBe(packets);
  await stop();
});

test("a failure whose port a trace has at that moment is looked at a moment later", async () => {
  const { clock, watch, net, ports, end: stop } = watching();
  watch.passed("1", end("10.2.0.7"));
  await clock.advance(3_600_000);
  watch.passed("1", end("10.2.0.7"));
  net.isBroken = true;
  net.answersAfter = millis(400);
  while (ports.size === 0) await clock.advance(1_000);
  net.answersAfter = millis(0);
  const { signal } = new AbortController();
  const looking = watch.changeBefore("1", end("10.2.0.7"), "unanswered", signal);
  await clock.advance(1_000);
  expect(await looking).toMatchObject({ change: { kind: "ended", ttl: 3 } });
  await stop();
});

test("a failure is reported at once if no packet can leave, e.g. because the network is down", async () => {
  const { clock, watch, net, end: stop } = watching();
  watch.passed("1", end("10.2.0.7"));
  await clock.advance(3_600_000);
  watch.passed("1", end("10.2.0.7"));
  net.isPortTaken = true;
  const { signal } = new AbortController();
  // The clock does not go on meanwhile.
  expect(await watch.changeBefore("1", end("10.2.0.7"), "unanswered", signal)).toBeNull();
  await stop();
});

test("a connection that stalled accuses no router over which another monitor has passed since, unless only large packets stall", async () => {
  const { clock, watch, net, end: stop } = watching();
  const { signal } = new AbortController();
  const [own, others] = [end("10.2.0.7"), end("10.2.0.8")];
  watch.passed("1", own);
  watch.passed("2", others);
  await clock.advance(3_600_000);
  watch.passed("1", own);
  net.isRerouted = true;
  await clock.advance(1_200_000);
  const replaced = { change: { kind: "replaced", ttl: 2, came: "10.9.99.1" } };
  expect(await watch.changeBefore("1", own, "stalled", signal)).toMatchObject(replaced);
  watch.passed("2", others);
  await clock.advance(limits.traceEvery);
  expect(await watch.changeBefore("1", own, "stalled", signal)).toBeNull();
  await clock.advance(limits.traceEvery);
  expect(await watch.changeBefore("1", own, "large stalled", signal)).toMatchObject(replaced);
  await stop();
});

test("what is known outlives a restart, and is asked only once a check came through again", async () => {
  let kept: ReturnType<PathMemory["load"]> = [];
  const memory: PathMemory = { load: () => kept, save: (paths) => (kept = paths) };
  const before = watching({ memory });
  before.watch.passed("1", end("10.2.0.7"));
  await before.clock.advance(3_600_000);
  await before.end();
  expect(kept).toMatchObject([{ network: "10.2.0.0/24", length: 7 }]);
  const { clock, sent, watch, net, end: stop } = watching({ memory });
  await clock.advance(3_600_000);
  const { signal } = new AbortController();
  net.isBroken = true;
  // Another address of its network: no check of this run has reached the one of before.
  expect(await watch.changeBefore("2", end("10.2.0.9"), "unanswered", signal)).toBeNull();
  expect(sent).toEqual([]);
  expect(await watch.changeBefore("1", end("10.2.0.7"), "unanswered", signal)).toMatchObject({
    change: { ttl: 3 },
  });
  await stop();
});

test("a path is not traced any more once no monitor uses it", async () => {
  const { clock, sent, watch, gone, end: stop } = watching();
  watch.passed("1", end("10.2.0.7"));
  await clock.advance(600_000);
  gone.add("1");
  const packets = sent.length;
  await clock.advance(7_200_000);
  expect(sent.length).toBe(packets);
  expect([...watch.known()]).toEqual([]);
  await stop();
});

test("a target whose address moves from network to network does not make it remember more and more", async () => {
  const { clock, watch, net, end: stop } = watching();
  const { signal } = new AbortController();
  net.isPortTaken = true;
  for (let network = 0; network < 20; network += 1) {
    watch.passed("1", end(`10.3.${network}.7`));
    await clock.advance(limits.traceEvery);
  }
  expect(watch.timesKept).toBeLessThanOrEqual(2);
  net.isPortTaken = false;
  await clock.advance(limits.traceEvery);
  await watch.changeBefore("1", end("10.3.19.7"), "unanswered", signal);
  const kept = watch.timesKept;
  await clock.advance(2 * limits.traceEvery);
  expect(watch.timesKept).toBe(kept - 1);
  await stop();
});

test("nothing is sent to a target that new rules may deny, until a check passed by them", async () => {
  const { clock, sent, watch, rules, end: stop } = watching();
  watch.passed("1", end("10.2.0.7"));
  await clock.advance(20_000);
  expect(sent.length).toBeGreaterThan(0);
  rules.are = {};
  const packets = sent.length;
  await clock.advance(7_200_000);
  expect(sent.length).toBe(packets);
  watch.passed("1", end("10.2.0.7"));
  await clock.advance(20_000);
  expect(sent.length).toBeGreaterThan(packets);
  await stop();
});

test("what was traced, sent, seen to change and named is counted, and each monitor has its path with its age", async () => {
  const { clock, sent, watch, net, end: stop } = watching();
  watch.passed("1", end("10.2.0.7"));
  await clock.advance(3_600_000);
  expect(watch.counts).toMatchObject({ known: 1, named: 0, traces: { whole: 4, partial: 0 } });
  expect(watch.pathOf("2")).toBeNull();
  const { tracedAt } = watch.pathOf("1") ?? { tracedAt: 0 };
  expect(clock.wall() - tracedAt).toBeLessThan(limits.traceEvery);
  net.isRerouted = true;
  await clock.advance(limits.traceEvery);
  expect(watch.pathOf("1")?.changes).toMatchObject([{ kind: "replaced", came: "10.9.99.1" }]);
  net.isRerouted = false;
  net.isBroken = true;
  await clock.advance(limits.traceEvery);
  net.isPortTaken = true;
  await clock.advance(limits.traceEvery);
  const { signal } = new AbortController();
  net.isPortTaken = false;
  expect(await watch.changeBefore("1", end("10.2.0.7"), "unanswered", signal)).not.toBeNull();
  expect(watch.counts).toMatchObject({
    packets: sent.reduce((sum, { packets }) => sum + packets, 0),
    traces: { whole: 5, partial: 1, unsent: 1 },
    changes: { replaced: 1, ended: 1, circle: 0 },
    named: 1,
  });
  await stop();
});
