import { describe, expect, test } from "vitest";
import { unseen } from "#check/kinds/unseen";
import { Agent } from "#agent/agent";
import { VantageWatch } from "#agent/looks/vantage-watch";
import type { PlaceSources } from "#agent/looks/place-sources";
import { failure } from "#check/failure";
import type { ConnectionEvidence } from "#check/evidence";
import type { ResolverAnswer } from "#check/place-evidence";
import type { Monitor, Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import { parseNoProxy } from "#network/no-proxy";
import type { Reference } from "#agent/prober/prober";
import { memorySpool } from "#agent/spool/memory-spool";
import { epochMillis, hours, mebibytes, millis, nanos } from "#base/units";
import type { MachineSight } from "#agent/vantage/machine-sight";
import { FakeClock } from "../../support/fake-clock.ts";
import {
  memoryLog,
  monitorWith,
  passed,
  TwinControlPlane,
  TwinProber,
} from "../../support/twins.ts";
import { healthy, hopAt, quietTcp } from "../vantage/scene.ts";
import { checkerWith } from "../../support/checking.ts";
import { resultWith } from "../../support/results.ts";

const noExceptions = parseNoProxy("");

const answered = (server: string): ResolverAnswer => ({
  server,
  outcome: "answered",
  roundTrip: nanos(2e6),
});
const silentServer = (server: string): ResolverAnswer => ({
  server,
  outcome: "silent",
  roundTrip: null,
});

/** A place that is as a test says, and counts what is asked of it. */
class TwinPlace implements PlaceSources {
  readonly askPath = null;
  sight: MachineSight = healthy;
  answers: readonly ResolverAnswer[] = [answered("10.0.0.53")];
  looks = 0;
  questions = 0;
  packets = 0;
  isTracing = false;
  readonly proxying = { proxy: null, exceptions: noExceptions.ok ? noExceptions.value : [] };
  readonly resolvers = (): readonly string[] => ["10.0.0.53"];

  look(): MachineSight {
    this.looks += 1;
    return this.sight;
  }

  get evidence(): PlaceSources["evidence"] {
    return this.isTracing ? "full" : "local";
  }

  /** Where packets end: at the first router, or before it. */
  reach: 0 | 1 = 1;

  /** Each costs all that it may. */
  readonly tracePath: PlaceSources["tracePath"] = async (_end, hopsMax) => {
    if (!this.canTrace) return null;
    this.packets += hopsMax;
    if (this.isBack) this.sight = healthy;
    const hops = [hopAt(1, "10.0.0.1")];
    return { hops: hops.slice(0, this.reach), packets: hopsMax, reached: false };
  };

  /** Whether the gateway answers again, which the kernel sees once a packet is to pass it. */
  isBack = false;

  /** Whether the link on the way drops large packets. */
  isNarrow = false;
  readonly directCheck = null;
  readonly narrowCheck = async (): Promise<boolean> => this.isNarrow;
  readonly clockLook = async (): Promise<null> => null;

  readonly askProxy = async (): Promise<null> => null;

  /** Whether the runtime can send packets with a small TTL. */
  canTrace = true;
  readonly reaches = async (): Promise<boolean> => {
    this.packets += 4;
    if (this.isBack) this.sight = healthy;
    return this.isBack;
  };

  references: PlaceSources["references"] = [];
  /** Those that were asked, and those that answer. */
  readonly asked: string[] = [];
  answering: readonly string[] = [];
  async askReference({ host, port }: Reference): Promise<Outcome> {
    this.asked.push(host);
    const target = { kind: "tcp", host, port } as const;
    return this.answering.includes(host) ? reached(target) : silent(target);
  }

  async askResolvers(): Promise<readonly ResolverAnswer[]> {
    this.questions += 1;
    return this.answers;
  }
}

const monitorsOf = (count: number, prefix = "10.9"): readonly Monitor[] =>
  Array.from({ length: count }, (_, index) => {
    const host = `${prefix}.${Math.floor(index / 250)}.${(index % 250) + 1}`;
    return monitorWith({
      id: `${prefix} ${index}`,
      kind: "tcp",
      uri: `${host}:443`,
      periodicity: millis(30_000),
      timeout: millis(5_000),
      retry: 0,
      target: { kind: "tcp", host, port: 443 },
    });
  });

const silent = (target: Target): Outcome => ({
  ...unseen(target.kind, epochMillis(0), failure("connect_timeout", "connect", "Timeout")),
  total: nanos(5e9),
  addresses:
    target.kind === "tcp"
      ? [
          {
            address: target.host,
            port: target.port,
            ended: "connect_timeout",
            elapsed: nanos(5e9),
            measuredBy: "event",
          },
        ]
      : [],
});

function scene(monitors: readonly Monitor[]) {
  const clock = new FakeClock();
  const controlPlane = new TwinControlPlane();
  controlPlane.monitors = monitors;
  const prober = new TwinProber();
  prober.script = reached;
  const log = memoryLog();
  const place = new TwinPlace();
  const stop = new AbortController();
  const agent = new Agent({
    checker: checkerWith(prober, clock, log),
    controlPlane,
    watch: null,
    spool: memorySpool(clock, { bytesMax: mebibytes(64), ageMax: hours(24) }),
    clock,
    log,
    place,
    serviceUrl: "http://127.0.0.1:1",
    pollInterval: millis(60_000),
    heartbeatInterval: millis(30_000),
    drainTimeout: millis(30_000),
    chance: () => 0.5,
  });
  const ended = agent.run(stop.signal, stop.signal);
  const statuses = (): readonly string[] =>
    controlPlane.messages.flatMap(({ result }) => result.value?.requestStatus ?? []);
  const errors = (): readonly string[] =>
    controlPlane.messages.flatMap(({ result }) =>
      result.value?.requestStatus === "error" ? [result.value.message] : [],
    );
  const end = async (): Promise<void> => {
    stop.abort();
    // What is under way ends by itself.
    await clock.advance(10_000);
    await ended;
  };
  return { clock, prober, place, agent, log, controlPlane, statuses, errors, end };
}

const dialledAt = (address: string): ConnectionEvidence => ({
  address,
  port: 443,
  peer: "target",
  source: "10.0.0.2",
  refusedBy: null,
  tcp: null,
  path: null,
  onlySmallPass: null,
});

const reached = (target: Target): Outcome => ({
  ...passed(target.kind),
  addresses: silent(target).addresses.map((one) => ({ ...one, ended: "connected" })),
});

/** Every check takes as long as it says, by the clock of the test. */
const taking =
  (clock: FakeClock, isDead: (target: Target) => boolean) =>
  async (target: Target): Promise<Outcome> => {
    if (!isDead(target)) return reached(target);
    await clock.sleep(millis(5_000));
    return silent(target);
  };

describe("an agent whose gateway dies", () => {
  const gone = { ...healthy, silentGateways: ["10.0.0.1"] };

  test("with a thousand monitors reports no error, and accounts for every slot", async () => {
    const { clock, prober, place, agent, controlPlane, statuses, errors, end } = scene(
      monitorsOf(1_000),
    );
    // Its routers never answer, so that only the kernel can say it.
    place.reach = 0;
    await clock.advance(60_000);
    expect(errors()).toEqual([]);
    prober.script = taking(clock, () => true);
    // As the kernel does: it notices some seconds after the first check was begun.
    await clock.advance(12_000);
    place.sight = gone;
    await clock.advance(108_000);
    expect(errors()).toEqual([]);
    expect(agent.status.conditions).toMatchObject([
      { state: "impaired", cause: { scope: "gateway", subject: "10.0.0.1", affected: 1_000 } },
    ]);
    expect(controlPlane.beats.at(-1)?.conditions).toMatchObject([{ cause: { scope: "gateway" } }]);
    prober.script = taking(clock, () => false);
    place.sight = healthy;
    await clock.advance(60_000);
    expect(errors()).toEqual([]);
    expect(agent.status.conditions).toEqual([]);
    expect(controlPlane.beats.at(-1)?.conditions).toEqual([]);
    const { started, missed } = agent.status.schedule;
    expect(missed.vantage).toBeGreaterThan(3_000);
    expect(started).toBe(
      statuses().length + missed.vantage + missed.busy + agent.status.checksInFlight,
    );
    const told = controlPlane.messages.flatMap((message) => message.missed ?? []);
    expect(told.length).toBe(missed.vantage);
    const [cause, ...others] = new Set(told.map((one) => one.cause?.causeId));
    expect([cause, others]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), []]);
    expect(told[0]).toMatchObject({ reason: "vantage", count: 1n, cause: { scope: "gateway" } });
    expect(place.looks).toBeLessThan(2_500);
    await end();
  });

  test("ten times in a row logs each time, and reports no error", async () => {
    const { clock, prober, place, agent, log, errors, end } = scene(monitorsOf(20));
    for (let flap = 0; flap < 10; flap += 1) {
      prober.script = taking(clock, () => true);
      place.sight = gone;
      await clock.advance(60_000);
      prober.script = taking(clock, () => false);
      place.sight = healthy;
      await clock.advance(60_000);
    }
    expect(errors()).toEqual([]);
    expect(agent.status.conditions).toEqual([]);
    const said = log.said.map(({ message }) => message);
    expect(said.filter((one) => one.includes("network is faulty")).length).toBe(10);
    expect(said.filter((one) => one.includes("works again")).length).toBe(10);
    await end();
  });

  test("hides a failure that began after the last success, however late that success is reported", async () => {
    const clock = new FakeClock();
    const place = new TwinPlace();
    place.reach = 0;
    const watch = new VantageWatch({
      sources: place,
      clock,
      log: memoryLog(),
      runs: () => true,
      changed: () => {},
    });
    await clock.advance(10_000);
    const target = { kind: "tcp", host: "10.9.0.1", port: 443 } as const;
    const monitor = monitorWith({ target, uri: "10.9.0.1:443" });
    const { signal } = new AbortController();
    const judged = async (outcome: Outcome, age: number): Promise<string> => {
      const status = outcome.failure === null ? "success" : "error";
      const result = resultWith({ kind: "tcp", status, failure: outcome.failure, outcome });
      return (await watch.judge(result, monitor, signal, millis(age))).is;
    };
    expect(await judged(reached(target), 400)).toBe("reported");
    const judging = judged({ ...silent(target), total: nanos(1e6) }, 0);
    // The kernel notices later, and this check is one that may have to wait for that.
    await clock.advance(100);
    place.sight = gone;
    await clock.advance(3_000);
    expect(await judging).toBe("hidden");
  });

  test.each([
    { by: "packets with a small TTL", canTrace: true, packetsMax: 6 },
    { by: "plain connections, without node:ffi", canTrace: false, packetsMax: 20 },
  ])(
    "and whose monitors others took over asks for it by $by, and hears when it is back",
    async (how) => {
      const { clock, prober, place, agent, controlPlane, errors, end } = scene(monitorsOf(1));
      place.reach = 0;
      place.canTrace = how.canTrace;
      await clock.advance(35_000);
      prober.script = taking(clock, () => true);
      place.sight = gone;
      await clock.advance(60_000);
      expect(agent.status.conditions).toMatchObject([{ cause: { scope: "gateway", affected: 1 } }]);
      Object.assign(controlPlane, { monitors: [], revision: "r2" });
      await clock.advance(65_000);
      expect(agent.monitors.size).toBe(0);
      expect(agent.status.conditions).toMatchObject([
        { state: "impaired", cause: { affected: 0 } },
      ]);
      const before = place.packets;
      await clock.advance(60_000);
      expect(place.packets - before).toBeLessThanOrEqual(how.packetsMax);
      place.isBack = true;
      await clock.advance(30_000);
      expect(agent.status.conditions).toEqual([]);
      expect(controlPlane.beats.at(-1)?.conditions).toEqual([]);
      expect(errors()).toEqual([]);
      await end();
    },
  );

  test("keeps its checks of this network", async () => {
    const near = monitorsOf(5, "10.0");
    const { clock, prober, place, statuses, errors, agent, end } = scene([
      ...monitorsOf(20),
      ...near.map((one) => ({ ...one })),
    ]);
    place.sight = gone;
    prober.script = taking(
      clock,
      (target) => target.kind === "tcp" && target.host.startsWith("10.9"),
    );
    await clock.advance(120_000);
    expect(errors()).toEqual([]);
    expect(statuses().length).toBeGreaterThanOrEqual(20);
    expect(agent.status.schedule.missed.vantage).toBeGreaterThanOrEqual(60);
    await end();
  });
});

test("two hundred targets that die together send as many packets that look for a way as one does", async () => {
  const { clock, prober, place, controlPlane, end } = scene(monitorsOf(200));
  await clock.advance(35_000);
  place.isTracing = true;
  const dead = taking(clock, () => true);
  prober.script = async (target) => ({
    ...(await dead(target)),
    evidence: dialledAt(target.kind === "tcp" ? target.host : ""),
  });
  for (let minute = 0; minute < 2; minute += 1) {
    const before = place.packets;
    await clock.advance(60_000);
    expect(place.packets - before).toBeGreaterThan(0);
    expect(place.packets - before).toBeLessThanOrEqual(40);
  }
  const traced = controlPlane.messages.filter(
    ({ detail }) => (detail?.evidence?.path.length ?? 0) > 0,
  );
  expect(traced.length).toBeGreaterThanOrEqual(2);
  expect(traced[0]?.detail?.evidence?.path).toMatchObject([{ ttl: 1, address: "10.0.0.1" }]);
  await end();
});

test.each([
  {
    isFull: true,
    isNarrow: true,
    says: /^probably a link on the way to 10\.9\.0\.1 drops large packets, and the same check passes with small ones: Timeout$/,
  },
  { isFull: true, isNarrow: false, says: /^Timeout: the host received the request, but no/ },
  { isFull: false, isNarrow: true, says: /^Timeout: the host received the request, but no/ },
])("a check that stalls: $says", async ({ isFull, isNarrow, says }) => {
  const url = "http://10.9.0.1/";
  const target = {
    kind: "http",
    url,
    method: "GET",
    headers: [],
    body: "",
    followRedirects: true,
  } as const;
  const { clock, prober, place, errors, end } = scene([
    monitorWith({ kind: "http", uri: url, target, retry: 0 }),
  ]);
  place.isTracing = isFull;
  place.isNarrow = isNarrow;
  const words = "Timeout: the host received the request, but no answer came";
  const failed = failure("response_timeout", "wait", words);
  const tcp = { ...quietTcp, sinceHeard: 1_000 };
  prober.script = ({ kind }) => ({
    ...unseen(kind, epochMillis(0), failed),
    total: nanos(1e9),
    evidence: { ...dialledAt("10.9.0.1"), tcp },
  });
  await clock.advance(60_000);
  expect(errors()[0]).toMatch(says);
  await end();
});

test("ways are learned one in half a minute while all is well, and only with full evidence", async () => {
  for (const isFull of [false, true]) {
    const { clock, place, end } = scene(monitorsOf(20));
    place.isTracing = isFull;
    await clock.advance(305_000);
    // Two packets are the question to the gateway; a way of sixteen leaves no room for another in its minute.
    const ways = (place.packets - 2) / 16;
    expect(ways).toBeGreaterThanOrEqual(isFull ? 4 : 0);
    expect(ways).toBeLessThanOrEqual(isFull ? 6 : 0);
    await end();
  }
});

describe("a gateway that dies while the kernel still believes in it", () => {
  test("with a thousand monitors is not a target's error, and sends 60 packets a minute at most", async () => {
    const { clock, prober, place, agent, controlPlane, errors, end } = scene(monitorsOf(1_000));
    await clock.advance(65_000);
    prober.script = taking(clock, () => true);
    place.reach = 0;
    for (let minute = 0; minute < 2; minute += 1) {
      const before = place.packets;
      await clock.advance(60_000);
      expect(place.packets - before).toBeLessThanOrEqual(60);
    }
    const condition = { cause: { scope: "gateway", subject: "10.0.0.1", certainty: "proven" } };
    expect(agent.status.conditions).toMatchObject([{ state: "impaired", ...condition }]);
    expect(agent.status.conditions[0]?.cause.sentence).toBe(
      "the gateway 10.0.0.1 passes nothing on: it and the router behind it are silent",
    );
    prober.script = taking(clock, () => false);
    place.reach = 1;
    await clock.advance(60_000);
    expect(errors()).toEqual([]);
    expect(agent.status.conditions).toEqual([]);
    const causes = controlPlane.messages.flatMap(({ missed }) => missed?.cause?.causeId ?? []);
    expect(new Set(causes).size).toBe(1);
    await end();
  });

  test("is proven by the first of two monitors that fails", async () => {
    const { clock, prober, place, agent, errors, end } = scene(monitorsOf(2));
    await clock.advance(65_000);
    prober.script = taking(clock, () => true);
    place.reach = 0;
    await clock.advance(60_000);
    expect(errors()).toEqual([]);
    expect(agent.status.conditions).toMatchObject([{ cause: { scope: "gateway" } }]);
    // Both targets are down when it comes back: then its answer alone ends the condition.
    place.reach = 1;
    await clock.advance(90_000);
    expect(agent.status.conditions).toEqual([]);
    expect(errors().length).toBeGreaterThanOrEqual(2);
    await end();
  });

  test("proves nothing if its routers never answered: all targets may be down", async () => {
    const { clock, prober, place, agent, errors, end } = scene(monitorsOf(5));
    place.reach = 0;
    await clock.advance(65_000);
    prober.script = taking(clock, () => true);
    await clock.advance(60_000);
    expect(errors().length).toBeGreaterThanOrEqual(5);
    expect(agent.status.conditions).toEqual([]);
    await end();
  });

  test("is not at fault if it answers: then no target waits for the kernel", async () => {
    const { clock, prober, agent, controlPlane, errors, end } = scene(monitorsOf(5));
    await clock.advance(65_000);
    prober.script = taking(clock, () => true);
    await clock.advance(60_000);
    expect(errors().length).toBeGreaterThanOrEqual(5);
    expect(errors()).not.toContainEqual(expect.stringContaining("gateway"));
    expect(agent.status.conditions).toEqual([]);
    expect(controlPlane.messages.every(({ missed }) => missed === undefined)).toBe(true);
    await end();
  });

  test("is not asked with a single address behind it, whose silence may be its own", async () => {
    const { clock, prober, place, errors, end } = scene(monitorsOf(1));
    await clock.advance(65_000);
    prober.script = taking(clock, () => true);
    place.reach = 0;
    const before = place.packets;
    await clock.advance(60_000);
    expect(place.packets).toBe(before);
    expect(errors().length).toBeGreaterThanOrEqual(1);
    await end();
  });
});

test("a fault of the machine that only one monitor saw ends when that is taken away", async () => {
  const { clock, prober, agent, controlPlane, end } = scene(monitorsOf(2));
  const words = "no file descriptor is left";
  prober.script = (target) =>
    target.kind === "tcp" && target.host === "10.9.0.1"
      ? unseen(target.kind, epochMillis(0), failure("agent_error", "agent", words))
      : reached(target);
  await clock.advance(65_000);
  expect(agent.status.conditions).toMatchObject([{ cause: { scope: "machine", affected: 1 } }]);
  Object.assign(controlPlane, { monitors: monitorsOf(2).slice(1), revision: "r2" });
  await clock.advance(80_000);
  expect(agent.status.conditions).toEqual([]);
  await end();
});

describe("a target that is down", () => {
  test("among others that are well is reported as it fails", async () => {
    const { clock, prober, place, errors, end } = scene(monitorsOf(20));
    await clock.advance(35_000);
    prober.script = taking(clock, (target) => target.kind === "tcp" && target.host === "10.9.0.7");
    await clock.advance(60_000);
    expect(errors()).toContain("Timeout");
    expect(place.questions).toBe(0);
    await end();
  });

  test("is reported also when it is the only one, and says what cannot be known", async () => {
    const { clock, prober, place, errors, end } = scene(monitorsOf(1));
    place.sight = { ...healthy, resolvers: [] };
    prober.script = taking(clock, () => true);
    await clock.advance(60_000);
    expect(errors().length).toBeGreaterThanOrEqual(1);
    expect(errors()[0]).toBe(
      "this agent itself may be cut off, because nothing has answered it since the check began: Timeout",
    );
    await end();
  });
});

test("a name server that is silent leads the message, and is asked once for all that fail by it", async () => {
  const named = Array.from({ length: 30 }, (_, index) =>
    monitorWith({
      id: `named ${index}`,
      kind: "tcp",
      uri: `host-${index}.test:443`,
      retry: 0,
      target: { kind: "tcp", host: `host-${index}.test`, port: 443 },
    }),
  );
  const { clock, prober, place, agent, errors, end } = scene(named);
  place.answers = [silentServer("10.0.0.53:53")];
  prober.script = ({ kind }) =>
    unseen(kind, epochMillis(0), failure("dns_timeout", "dns", "Timeout resolving"));
  await clock.advance(70_000);
  expect(errors().length).toBeGreaterThanOrEqual(30);
  expect(errors().at(-1)).toMatch(
    /^the name server 10\.0\.0\.53 does not answer; \d+ more monitors are affected: Timeout resolving$/,
  );
  expect(agent.status.conditions).toMatchObject([{ cause: { scope: "resolver" } }]);
  expect(place.questions).toBeLessThanOrEqual(15);
  await end();
});

test("one of two name servers that is silent is a warning of the heartbeat, and fails no check", async () => {
  const { clock, prober, place, controlPlane, log, agent, errors, end } = scene(monitorsOf(3));
  place.answers = [silentServer("10.0.0.53:53"), answered("10.0.0.54:53")];
  // A name that takes so long was asked of the silent one first.
  prober.script = (target) => {
    const outcome = reached(target);
    return { ...outcome, phases: { ...outcome.phases, dns: nanos(2e9) } };
  };
  await clock.advance(65_000);
  const sentence = "the name server 10.0.0.53:53 does not answer, and the others do";
  const warning = { scope: "resolver", subject: "10.0.0.53:53", sentence, affected: 0 };
  expect(controlPlane.beats.at(-1)).toMatchObject({ conditions: [], warnings: [warning] });
  expect(agent.status.warnings).toMatchObject([warning]);
  expect(log.said.filter(({ message }) => message.startsWith(sentence))).toHaveLength(1);
  place.answers = place.answers.map(({ server }) => answered(server));
  await clock.advance(65_000);
  expect(controlPlane.beats.at(-1)?.warnings).toEqual([]);
  expect(errors()).toEqual([]);
  await end();
});

test("a clock that differs from the service's is at fault for certificates, and not their sites", async () => {
  const { clock, prober, controlPlane, agent, errors, end } = scene(monitorsOf(3));
  controlPlane.heartbeatAnswer = {
    serverTime: epochMillis(clock.wall() + hours(48)),
    locationId: "l",
    locationName: "office",
    locationMetadata: {},
    revision: null,
    nextHeartbeat: null,
    audit: null,
  };
  await clock.advance(35_000);
  prober.script = ({ kind }) =>
    unseen(kind, epochMillis(0), failure("tls_not_yet_valid", "tls", "not valid yet"));
  await clock.advance(60_000);
  expect(errors()).toEqual([]);
  expect(agent.status.schedule.missed.vantage).toBeGreaterThanOrEqual(3);
  expect(agent.status.conditions).toMatchObject([
    { state: "impaired", cause: { scope: "machine", subject: "clock" } },
  ]);
  await end();
});

describe("the operator's references", () => {
  const references = ["10.7.1.1", "10.8.1.1"].map((host) => ({ host, port: 443 }));
  /** A minute in which all is well, and then one in which the targets are silent. */
  const night = async (count: number, answering: readonly string[], reach: 0 | 1) => {
    const all = scene(monitorsOf(count));
    const { clock, prober, place } = all;
    place.references = references;
    await clock.advance(65_000);
    expect(place.asked).toEqual([]);
    prober.script = taking(clock, () => true);
    place.answering = answering;
    place.reach = reach;
    const before = place.packets;
    await clock.advance(60_000);
    return { ...all, packets: place.packets - before + 6 * place.asked.length };
  };

  test("are silent next to the only monitor: its gateway can be asked, and is proven to be dead", async () => {
    const { agent, errors, place, end } = await night(1, [], 0);
    expect(errors()).toEqual([]);
    expect(agent.status.conditions).toMatchObject([
      { cause: { scope: "gateway", subject: "10.0.0.1", certainty: "proven", affected: 1 } },
    ]);
    expect(place.asked.slice(0, 2)).toEqual(["10.7.1.1", "10.8.1.1"]);
    await end();
  });

  test("are silent while the gateway answers: something behind it is probably at fault", async () => {
    const { errors, agent, end } = await night(1, [], 1);
    expect(agent.status.conditions).toEqual([]);
    expect(errors()[0]).toBe(
      "probably nothing beyond the router 10.0.0.1 answers, and neither do this agent's references: Timeout",
    );
    await end();
  });

  test("show that the target is at fault if one answers, and that one is asked first", async () => {
    const { errors, agent, place, clock, end } = await night(1, ["10.8.1.1"], 1);
    expect(errors()).not.toEqual([]);
    expect(new Set(errors())).toEqual(new Set(["Timeout"]));
    expect(agent.status.conditions).toEqual([]);
    expect(place.asked.slice(0, 2)).toEqual(["10.7.1.1", "10.8.1.1"]);
    const before = place.asked.length;
    await clock.advance(60_000);
    expect(new Set(place.asked.slice(before))).toEqual(new Set(["10.8.1.1"]));
    await end();
  });

  test("cost no more if a thousand monitors fail: 60 packets a minute in all", async () => {
    const { packets, place, end } = await night(1_000, [], 0);
    expect(place.asked.length).toBeGreaterThan(0);
    expect(packets).toBeLessThanOrEqual(60);
    await end();
  });
});

test("a name server that is silent stays so while others run its monitors, until it answers", async () => {
  const target = { kind: "tcp", host: "shop.test", port: 443 } as const;
  const all = scene([monitorWith({ kind: "tcp", uri: "shop.test:443", retry: 0, target })]);
  const { clock, prober, place, agent, controlPlane, end } = all;
  place.answers = [silentServer("10.0.0.53:53")];
  prober.script = ({ kind }) =>
    unseen(kind, epochMillis(0), failure("dns_timeout", "dns", "Timeout resolving"));
  await clock.advance(70_000);
  Object.assign(controlPlane, { monitors: [], revision: "r2" });
  await clock.advance(240_000);
  const shown = (): readonly string[] =>
    agent.status.conditions.map(({ cause, state }) => `${cause.scope} ${state} ${cause.affected}`);
  expect(shown()).toEqual(["resolver impaired 0"]);
  place.answers = [answered("10.0.0.53:53")];
  await clock.advance(30_000);
  expect(shown()).toEqual([]);
  await end();
});
