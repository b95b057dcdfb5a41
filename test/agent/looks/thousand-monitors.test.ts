import { expect, test } from "vitest";
import { orderLines, orderModule } from "../../support/network-orders.ts";
import { behindRouters, canRoute, within } from "../../support/routed-network.ts";

/** Every address of 10.0.4.0/22 is the target's; packets that come no further than two routers are counted. */
const scene: readonly string[] = [
  "ip -n target route add local 10.0.4.0/22 dev lo",
  "ip -n r1 route add 10.0.4.0/22 via 10.0.1.2",
  "ip -n r2 route add 10.0.4.0/22 via 10.0.2.9",
  within("r1", "iptables -t mangle -A PREROUTING -i near -m ttl --ttl-lt 3"),
  ...orderLines,
];

/** A whole agent with a thousand real checks, whose gateway dies and comes back while the kernel believes in it. */
const night = `${orderModule}
  import { Agent } from "#agent/agent";
  import { placeSources } from "#agent/looks/place-sources";
  import { systemClock } from "#base/clock";
  import { parseNoProxy } from "#network/no-proxy";
  import { startInlineProber } from "#agent/prober/inline-prober";
  import { LocalChecker } from "#agent/prober/local-checker";
  import { noOverrides } from "#check/overrides";
  import { memorySpool } from "#agent/spool/memory-spool";
  import { TwinControlPlane, memoryLog, monitorWith } from "./test/support/twins.ts";
  const options = { overrides: noOverrides, trust: { authorities: null, identity: null }, nameServers: [],
    ipFamily: "any", resolver: "stub", targetRules: { allow: [], deny: [] },
    proxying: { proxy: null, exceptions: parseNoProxy("").value }, http2: true, kernelClock: true,
    rawSockets: "off", evidence: "full", references: [], bodyBytesMax: 1000, userAgent: "picket/test", threads: 1 };
  const clock = systemClock;
  const log = memoryLog();
  const controlPlane = new TwinControlPlane();
  controlPlane.monitors = Array.from({ length: 1000 }, (_, n) => {
    const host = "10.0." + (4 + Math.floor(n / 250)) + "." + (1 + n % 250);
    return monitorWith({ id: "m" + n, uri: host + ":80", periodicity: 6000, timeout: 2000, target: { kind: "tcp", host, port: 80 } });
  });
  const prober = await startInlineProber(options);
  const checker = new LocalChecker({ prober, clock, log, concurrency: 1000, chance: () => 0.5 });
  const stop = new AbortController();
  const agent = new Agent({ checker, controlPlane, watch: null, spool: memorySpool(clock, { bytesMax: 2 ** 26, ageMax: 864e5 }),
    clock, log, place: placeSources(options, clock), serviceUrl: "http://127.0.0.1:1", pollInterval: 60_000,
    heartbeatInterval: 30_000, drainTimeout: 30_000, chance: () => 0.5 });
  const began = clock.monotonic();
  const ended = agent.run(stop.signal, new AbortController().signal);
  const until = async (isSo) => { while (!isSo()) await clock.sleep(100); };
  const results = () => controlPlane.messages.flatMap(({ result }) => result.value ?? []);
  const passes = () => results().filter(({ requestStatus }) => requestStatus !== "error").length;
  const missed = () => agent.status.schedule.missed.vantage;
  await until(() => passes() >= 1000);
  order(forwarding(4, 0));
  const ofGateway = () => agent.status.conditions.find(({ cause }) => cause.scope === "gateway");
  await until(() => ofGateway() !== undefined);
  const { cause } = ofGateway();
  await until(() => missed() >= 1000);
  order(forwarding(4, 1));
  const before = passes();
  await until(() => agent.status.conditions.length === 0 && passes() >= before + 1000);
  order("nsenter --net=/run/netns/r1 iptables -t mangle -nvxL PREROUTING > /run/count");
  const minutes = Math.ceil((clock.monotonic() - began) / 6e10);
  const packets = Number(/^ *(\\d+) .*TTL match/m.exec(readFileSync("/run/count", "utf8"))[1]);
  stop.abort();
  await ended;
  const { started, missed: { vantage, busy } } = agent.status.schedule;
  const said = controlPlane.messages.flatMap((one) => one.missed ?? []);
  console.log(JSON.stringify({
    uid: process.getuid(), minutes, packets, cause: cause.sentence,
    errors: results().filter(({ requestStatus }) => requestStatus === "error").map(({ message }) => message).slice(0, 5),
    unaccounted: started - results().length - vantage - busy,
    saidOfMissed: said.length - vantage,
    // On a busy machine a check may have no verdict for its own pause.
    causes: [...new Set(said.filter(({ cause }) => cause.scope !== "machine").map(({ cause }) => cause.scope + " " + cause.causeId))].length,
  }));
  process.exit(0);`;

test.skipIf(!canRoute("iptables", "timeout"))(
  "a gateway that dies under a thousand monitors and comes back: no error, every slot accounted for, one cause, few packets",
  async () => {
    // Room for every connection of the checks at once: a busy machine may keep the target from accepting for seconds.
    const target = `createServer((socket) => socket.on("error", () => {}).resume()).listen(80, "::", 1_024, ready);`;
    const { stdout, output } = await behindRouters({ target, breakIt: scene }, night);
    expect(output).toContain('"uid":65532');
    const { minutes, packets, ...seen } = JSON.parse(stdout);
    expect(seen, stdout).toEqual({
      uid: 65532,
      cause: "the gateway 10.0.0.1 passes nothing on: it and the router behind it are silent",
      errors: [],
      unaccounted: 0,
      saidOfMissed: 0,
      causes: 1,
    });
    expect(packets).toBeGreaterThanOrEqual(4);
    expect(packets).toBeLessThanOrEqual(60 * minutes);
  },
);
