import { expect, test } from "vitest";
import { unseen } from "#check/kinds/unseen";
import { Judgement } from "#agent/checks/judgement";
import type { PlaceSources } from "#agent/looks/place-sources";
import { VantageWatch } from "#agent/looks/vantage-watch";
import type { ConnectionEvidence } from "#check/evidence";
import { failure, type FailureCode } from "#check/failure";
import type { RunnableMonitor } from "#check/monitor";
import { parseNoProxy } from "#network/no-proxy";
import { decidedOf } from "#agent/prober/checks/decided-check";
import type { PathEnd } from "#probes/socket/socket-calls";
import { epochMillis, minutes, nanos } from "#base/units";
import type { MachineSight } from "#agent/vantage/machine-sight";
import { messageOf } from "#wire/report";
import { FakeClock } from "../../support/fake-clock.ts";
import { resultWith } from "../../support/results.ts";
import { memoryLog, monitorWith, passed } from "../../support/twins.ts";
import { healthy, hopAt } from "../vantage/scene.ts";

/** An agent's judgement of checks as they come, and what of each goes to the service. */
function scene(evidence: PlaceSources["evidence"]) {
  const clock = new FakeClock();
  const exceptions = parseNoProxy("");
  const traced: PathEnd[] = [];
  const place = {
    sight: healthy,
    proxying: { proxy: null, exceptions: exceptions.ok ? exceptions.value : [] },
    looks: 0,
    look: (): MachineSight => {
      place.looks += 1;
      return place.sight;
    },
    resolvers: () => ["10.0.0.53"],
    askResolvers: async () => [
      { server: "10.0.0.53:53", outcome: "unreachable", roundTrip: null } as const,
    ],
    tracePath: async (end: PathEnd) => {
      traced.push(end);
      const hops = [hopAt(1, "10.0.0.1")];
      return { hops, packets: 2, reached: false };
    },
    askPath: null,
    narrowCheck: async () => null,
    clockLook: async () => null,
    directCheck: null,
    references: [],
    askReference: async () => passed("tcp"),
    askProxy: async () => null,
    reaches: async () => false,
    evidence,
  };
  const running = new Set<string>();
  const vantage = new VantageWatch({
    sources: place,
    clock,
    log: memoryLog(),
    runs: (id) => running.has(id),
    changed: () => {},
  });
  const said: string[] = [];
  const judgement = new Judgement({
    vantage,
    sinks: [
      ({ report, result }) => {
        const sent = messageOf(report.payload)?.detail?.evidence;
        const hops = sent?.path.map(({ address }) => ` to ${address}`).join("") ?? "";
        said.push(
          result.failure === null ? "passed" : sent === undefined ? "bare" : `evidence${hops}`,
        );
        // Inside the agent each failure has it.
        if (result.failure !== null) expect(result.place).not.toBeNull();
      },
    ],
    hidden: () => said.push("hidden"),
  });
  const monitorOf = (id: string): RunnableMonitor => {
    running.add(id);
    const host = `10.9.0.${id}`;
    return monitorWith({ id, kind: "tcp", target: { kind: "tcp", host, port: 443 }, retry: 0 });
  };
  /** Decides a check, and waits for nothing. */
  const begin = (id: string, code: FailureCode | null): void => {
    const monitor = monitorOf(id);
    const failed = code === null ? null : failure(code, "connect", "it failed");
    const outcome =
      failed === null
        ? passed("tcp")
        : {
            ...unseen("tcp", epochMillis(0), failed),
            total: nanos(1e6),
            evidence: dialled(`10.9.0.${id}`),
          };
    const status = failed === null ? "success" : "error";
    const result = resultWith({ monitorId: id, kind: "tcp", status, failure: failed, outcome });
    judgement.take(decidedOf(result, { monitor, due: result.startedAt }));
  };
  /** What the service gets of one check. */
  const check = async (id: string, code: FailureCode | null): Promise<string> => {
    begin(id, code);
    // A failure that may be the gateway's waits for the kernel for so long.
    await clock.advance(20_000);
    await judgement.settled();
    return said.at(-1) ?? "nothing";
  };
  return { clock, place, vantage, running, traced, begin, said, check };
}

const dialled = (address: string): ConnectionEvidence => ({
  address,
  port: 443,
  peer: "target",
  source: "10.0.0.2",
  refusedBy: null,
  tcp: null,
  path: null,
  onlySmallPass: null,
});

test("evidence goes with the first failure, with another code, and every ten minutes", async () => {
  const { clock, check } = scene("local");
  expect(await check("1", "connect_timeout")).toBe("evidence");
  expect(await check("1", "connect_timeout")).toBe("bare");
  expect(await check("1", "connection_refused")).toBe("evidence");
  expect(await check("1", "connection_refused")).toBe("bare");
  // Another monitor has its own.
  expect(await check("2", "connection_refused")).toBe("evidence");
  await clock.advance(minutes(10) - 120_000);
  expect(await check("1", "connection_refused")).toBe("bare");
  await clock.advance(60_000);
  expect(await check("1", "connection_refused")).toBe("evidence");
  expect(await check("1", "connection_refused")).toBe("bare");
  expect(await check("1", null)).toBe("passed");
  expect(await check("1", "connection_refused")).toBe("evidence");
});

test("a monitor that was taken away and comes back starts again", async () => {
  const { clock, vantage, running, check } = scene("local");
  expect(await check("1", "connect_timeout")).toBe("evidence");
  const stop = new AbortController();
  const watching = vantage.run(stop.signal);
  await clock.advance(60_000);
  expect(await check("1", "connect_timeout")).toBe("bare");
  running.clear();
  await clock.advance(60_000);
  expect(await check("1", "connect_timeout")).toBe("evidence");
  stop.abort();
  await watching;
});

test("what does not go to the service still proves a fault of this agent's place", async () => {
  const { place, check } = scene("local");
  expect(await check("1", "connect_timeout")).toBe("evidence");
  expect(await check("1", "connect_timeout")).toBe("bare");
  place.sight = { ...healthy, silentGateways: ["10.0.0.1"] };
  expect(await check("1", "connect_timeout")).toBe("hidden");
});

test("a path that could not be traced at first follows once it can be, and each only once", async () => {
  const { traced, check, clock } = scene("full");
  expect(await check("1", "connect_timeout")).toBe("evidence to 10.0.0.1");
  expect(await check("1", "connect_timeout")).toBe("bare");
  const both = [check("2", "connect_timeout"), check("3", "connect_timeout")];
  await Promise.all(both);
  await clock.advance(20_000);
  expect(traced.map(({ address }) => address)).toEqual(["10.9.0.1", "10.9.0.2"]);
  expect(await check("3", "connect_timeout")).toBe("evidence to 10.0.0.1");
  expect(await check("3", "connect_timeout")).toBe("bare");
  expect(traced.length).toBe(3);
});

test("failures that a peer has answered read this machine's files once a second, and those that it has not at once", async () => {
  const { clock, place, begin, said } = scene("local");
  for (let at = 0; at < 50; at += 1) {
    begin("1", "connection_refused");
    // Its verdict waits for no time to pass.
    await clock.advance(100);
  }
  expect(said.length).toBe(50);
  // One as the first check came, and one in each second after it.
  expect(place.looks).toBeLessThanOrEqual(6);
  await clock.advance(500);
  const before = place.looks;
  begin("2", "connect_timeout");
  await clock.advance(0);
  expect(place.looks).toBe(before + 1);
});
