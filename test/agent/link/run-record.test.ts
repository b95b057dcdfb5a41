import path from "node:path";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Agent } from "#agent/agent";
import { nextSlot } from "#agent/prober/schedule/slots";
import { SqliteSpool } from "#agent/spool/sqlite-spool";
import { assignmentFile } from "#agent/state/assignment-file";
import { epochMillis, hours, mebibytes, millis } from "#base/units";
import { MonitorsResponseSchema } from "#contract/private_location/v1/private_location_pb";
import { readAssignment } from "#wire/read-assignment";
import { checkerWith } from "../../support/checking.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { hanging, memoryLog, TwinControlPlane, TwinProber } from "../../support/twins.ts";

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const stopTakes = 31 * second;
const many = Array.from({ length: 20 }, (_, n) => `m${n}`);

/** Runs of one agent after the other, with one state directory. */
function scene(periodicity = "1h") {
  const folder = temporaryFolder();
  let now = new FakeClock().wall();
  const slots: string[] = [];
  const begin = (ids = many) => {
    const clock = new FakeClock(now);
    const [log, prober, controlPlane] = [memoryLog(), new TwinProber(), new TwinControlPlane()];
    let assigned = ids;
    controlPlane.pull = async (known) => {
      const httpMonitors = assigned.map((id) => ({ id, url: "https://a.test/", periodicity }));
      const revision = assigned.join(" ");
      if (known?.revision === revision) return { unchanged: true };
      const message = create(MonitorsResponseSchema, { httpMonitors, revision, region: "office" });
      return { unchanged: false, ...readAssignment(message) };
    };
    const rules = { bytesMax: mebibytes(1), ageMax: hours(24) };
    const spool = new SqliteSpool({ file: path.join(folder, "spool"), clock, log, limits: rules });
    const agent = new Agent({
      checker: checkerWith(prober, clock, log),
      controlPlane,
      watch: null,
      spool,
      memory: assignmentFile(path.join(folder, "assignment.json"), "o"),
      clock,
      log,
      serviceUrl: "http://127.0.0.1:1",
      pollInterval: millis(minute),
      heartbeatInterval: millis(30 * second),
      drainTimeout: millis(30 * second),
      chance: () => 0.5,
      sinks: [({ report }) => void slots.push(`${report.monitorId} ${report.slot}`)],
    });
    const drain = new AbortController();
    const ended = agent.run(drain.signal, new AbortController().signal);
    const advance = async (time: number): Promise<void> => {
      await clock.advance(time);
      now = clock.wall();
    };
    const stop = async (): Promise<void> => {
      drain.abort();
      await advance(stopTakes);
      await ended;
      spool[Symbol.dispose]();
    };
    const assign = (others: readonly string[]): void => void (assigned = [...others]);
    return { advance, stop, assign, prober, kill: () => spool[Symbol.dispose]() };
  };
  const run = async (time: number, ids = many): Promise<readonly string[]> => {
    const before = slots.length;
    const { advance, stop } = begin(ids);
    await advance(time);
    await stop();
    return slots.slice(before);
  };
  return { begin, run, slots, now: () => now };
}

const dueIn = (from: number, to: number): readonly string[] =>
  many.flatMap((id) => {
    const slot = nextSlot(id, millis(hour), epochMillis(from));
    return slot <= to ? [`${id} ${slot}`] : [];
  });

test("an agent that starts again checks its monitors at their next slots, and none before", async () => {
  const { run } = scene("30s");
  expect((await run(minute)).length).toBeGreaterThanOrEqual(40);
  const again = await run(30 * second);
  // Those that were due while it stopped are made up for.
  expect(again.length).toBeGreaterThanOrEqual(20);
  expect(again.length).toBeLessThanOrEqual(40);
});

test("an agent that is restarted again and again checks no slot twice, and misses none", async () => {
  const { run, now, slots } = scene();
  await run(2 * hour + 10 * minute);
  const [from, before] = [now() - stopTakes, slots.length];
  for (let n = 0; n < 6; n += 1) await run(minute);
  // A slot between the stop and the next start is made up for by that start.
  await run(10 * second);
  const due = dueIn(from, now() - stopTakes);
  expect(due.length).toBeGreaterThanOrEqual(1);
  expect(slots.slice(before).toSorted()).toEqual(due.toSorted());
  expect(new Set(slots).size).toBe(slots.length);
});

test("monitors that were added before a restart take nothing from what is known of the others", async () => {
  const { begin, run, slots } = scene();
  const first = begin();
  await first.advance(2 * hour);
  first.assign([...many, "new"]);
  await first.advance(2 * minute);
  await first.stop();
  const again = await run(10 * second, [...many, "new"]);
  expect(again.length).toBeLessThanOrEqual(4);
  expect(new Set(slots).size).toBe(slots.length);
});

test("after a kill nothing counts that an older run left: no result has the name of one that is there", async () => {
  const { begin, run, slots } = scene();
  await run(2 * hour);
  const killed = begin();
  await killed.advance(3 * hour);
  killed.kill();
  const again = await run(10 * second);
  expect(again).toHaveLength(many.length);
  expect(new Set(slots).size).toBe(slots.length);
});

test("a check that the end cut short is made up for by the next start, under its own name", async () => {
  const { begin, run, now, slots } = scene();
  await run(2 * hour, ["m0"]);
  const slot = nextSlot("m0", millis(hour), now());
  const cut = begin(["m0"]);
  cut.prober.script = ({ kind }, signal) => hanging(kind, signal);
  await cut.advance(slot + second - now());
  await cut.stop();
  expect(slots).not.toContain(`m0 ${slot}`);
  expect(await run(10 * second, ["m0"])).toEqual([`m0 ${slot}`]);
  expect(await run(10 * second, ["m0"])).toEqual([]);
});
