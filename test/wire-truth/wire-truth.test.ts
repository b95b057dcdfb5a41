import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Target } from "#check/monitor";
import { isInstalled } from "../support/installed.ts";
import { loopback, startCapture, type Tap } from "./capture.ts";
import { startDelayedLink } from "./delayed-link.ts";
import { barsHeld, type BarsHeld, type Deviation, deviations, wireTotal } from "./deviation.ts";
import {
  echoExchanges,
  tcpExchanges,
  udpExchanges,
  type WireExchange,
} from "./exchange-on-wire.ts";
import { busyQuickLoad, type Load, loadsFor, openLoop, uncounted } from "./load.ts";
import { type Blackbox, type BlackboxModule, runCurl, startBlackbox } from "./other-tools.ts";
import type { Packet } from "./pcap.ts";
import {
  addresses,
  type NamePeer,
  padding,
  startNamePeer,
  startSlowPeer,
  startWebPeer,
  type WebPeer,
} from "./peers.ts";
import { type Pair, paired, type Reported } from "./reported.ts";
import { type Run, wireTruthPreface, wireTruthTables } from "./report.ts";
import type { DriverOrder } from "./picket-driver.ts";
import { type PicketDriver, startPicketDriver } from "./run-picket.ts";
import { millis } from "#base/units";

/** What is told, held against what passed the interface; and the same for other tools on the same targets. */

const seconds = Number(process.env["WIRE_SECONDS"] ?? 1);
/**
 * A long run is for the documentation: it also measures Picket without the kernel's clock, and the other tools at every
 * rate. A short one measures another tool once for each target.
 */
const thorough = seconds >= 5;
const table = process.env["WIRE_TABLE"] ?? null;
const needed = [
  ...(["tcpdump", "nginx", "knotd", "openssl", "prometheus-blackbox-exporter"] as const),
  ...(["curl", "python3", "ip"] as const),
];
const missing: string[] = needed.filter((program) => !isInstalled(program));
if (process.getuid?.() !== 0) missing.push("the privilege to capture packets (root)");
if (missing.length > 0)
  process.stdout.write(`wire-truth is skipped for want of: ${missing.join(", ")}\n`);
const possible = missing.length === 0;
const folder = mkdtempSync(path.join(tmpdir(), "picket-wire-"));
const runs: Run[] = [];
const peers = new AsyncDisposableStack();
let web: WebPeer;
let names: NamePeer;
let slow: { readonly port: number };
let blackbox: Blackbox;

beforeAll(async () => {
  if (!possible) return;
  web = peers.use(await startWebPeer(folder));
  names = peers.use(await startNamePeer(folder));
  slow = peers.use(await startSlowPeer());
  blackbox = peers.use(await startBlackbox(folder, web.caFile));
});

afterAll(async () => {
  await peers.disposeAsync();
  rmSync(folder, { recursive: true });
  if (runs.length === 0) return;
  const tables = wireTruthTables(runs);
  process.stdout.write(`\n${tables}\n`);
  if (table !== null) writeFileSync(table, `${wireTruthPreface(seconds)}\n\n${tables}\n`);
});

/** Who knows the instants. */
type Measuring = Pick<DriverOrder, "kernelClock" | "rawSockets">;
const usual: Measuring = { kernelClock: true, rawSockets: "off" };
const withoutKernel: Measuring = { kernelClock: false, rawSockets: "off" };
const raw: Measuring = { kernelClock: true, rawSockets: "on" };
const rawName = "Picket, raw sockets";

/** A kind of target, as each tool is told of it. */
interface Kind {
  readonly name: string;
  readonly port: () => number;
  readonly http2: boolean;
  readonly target: (address: string) => Target;
  readonly blackbox: BlackboxModule;
  readonly spoken: (address: string) => string;
  readonly curl: boolean;
  readonly exchanges: (packets: readonly Packet[]) => readonly WireExchange[];
}

const overHttp = (
  name: string,
  scheme: "http" | "https",
  port: () => number,
  http2 = false,
): Kind => {
  const url = (address: string): string => `${scheme}://${address}:${port()}/`;
  return {
    name,
    port,
    http2,
    target: (address) => ({
      kind: "http",
      url: url(address),
      method: "GET",
      headers: [{ key: "x-fill", value: padding }],
      body: "",
      followRedirects: false,
    }),
    blackbox: http2 ? "http2" : "http1",
    spoken: url,
    curl: true,
    exchanges: (packets) => tcpExchanges(packets, port(), scheme === "https"),
  };
};

const kinds: readonly Kind[] = [
  overHttp("HTTP", "http", () => web.plain),
  overHttp("HTTPS, ECDSA", "https", () => web.ecdsa),
  overHttp("HTTPS, RSA", "https", () => web.rsa),
  overHttp("HTTP/2, ECDSA", "https", () => web.ecdsa, true),
  overHttp("HTTP, 30 ms to the first byte, 20 ms more to the last", "http", () => slow.port),
  {
    name: "TCP",
    port: () => web.plain,
    http2: false,
    target: (host) => ({ kind: "tcp", host, port: web.plain }),
    blackbox: "tcp",
    spoken: (address) => `${address}:${web.plain}`,
    curl: false,
    exchanges: (packets) => tcpExchanges(packets, web.plain, false),
  },
  {
    name: "DNS over UDP",
    port: () => names.port,
    http2: false,
    target: (host) => ({
      kind: "dns",
      name: "a.wire.test",
      types: ["A"],
      recordsNeeded: true,
      server: { host, port: names.port },
    }),
    blackbox: "dns",
    spoken: (address) => `${address}:${names.port}`,
    curl: false,
    exchanges: (packets) => udpExchanges(packets, names.port),
  },
];

/** Runs a tool while the wire is taken down, and keeps what came of it for the tables. */
async function measure(
  kind: Pick<Kind, "name" | "exchanges"> & { readonly port: (() => number) | null },
  load: Load,
  tool: string,
  run: () => Promise<readonly Reported[]>,
  tap: Tap = loopback,
): Promise<readonly Pair[]> {
  const capture = await startCapture(kind.port === null ? "icmp" : `port ${kind.port()}`, tap);
  const reported = await run();
  const { packets } = await capture.stop();
  const pairs = paired(reported, kind.exchanges(packets));
  const bars = tool.startsWith("Picket") ? barsHeld(pairs) : null;
  runs.push({
    target: kind.name,
    load: load.name,
    tool,
    deviations: deviations(pairs),
    bars,
    wireTotal: wireTotal(pairs),
  });
  return pairs;
}

const failures = (pairs: readonly Pair[]): number =>
  pairs.filter(({ reported }) => reported.failed).length;

/** The kernel's figure against an event's: a matter of ten times, whatever else the machine does. */
const isCloser = (ours: Deviation | null, theirs: Deviation | null): boolean =>
  ours === null || theirs === null || ours.median < theirs.median;

describe.skipIf(!possible).each(kinds)("$name", (kind) => {
  const spoken = (): readonly string[] => addresses.map(kind.spoken);
  const drivers = new AsyncDisposableStack();
  const driver = async (by: Measuring): Promise<PicketDriver> => {
    const order = { targets: addresses.map(kind.target), caFile: web.caFile, http2: kind.http2 };
    return drivers.use(await startPicketDriver({ ...order, ...by }, addresses));
  };
  let picket: PicketDriver;
  let byRaw: PicketDriver;
  /** Only of a long run: Picket without the kernel's clock. */
  const others: PicketDriver[] = [];
  beforeAll(async () => {
    picket = await driver(usual);
    byRaw = await driver(raw);
    if (thorough) others.push(await driver(withoutKernel));
    await openLoop(uncounted, (index) =>
      blackbox.probe(kind.blackbox, spoken()[index % addresses.length] ?? ""),
    );
  });
  afterAll(() => drivers.disposeAsync());

  test.each(loadsFor(seconds))("at $name", { timeout: 120_000 }, async (load) => {
    const pairs = await measure(kind, load, "Picket", () => picket.run(load));
    expect(failures(pairs)).toBe(0);
    expect(failures(await measure(kind, load, rawName, () => byRaw.run(load)))).toBe(0);
    for (const driver of others)
      await measure(kind, load, "Picket without the kernel's clock", () => driver.run(load));
    if (!load.busy && (thorough || load.rate === 100)) {
      const run = (): Promise<readonly Reported[]> =>
        blackbox.run(kind.blackbox, spoken(), addresses, load);
      const theirs = await measure(kind, load, "blackbox_exporter", run);
      expect(isCloser(deviations(pairs).connect, deviations(theirs).connect)).toBe(true);
    }
    if (thorough && kind.curl && load.rate <= 10)
      await measure(kind, load, "curl", () =>
        runCurl(spoken(), addresses, load, { ...web, http2: kind.http2 }),
      );
  });
});

describe.skipIf(!possible)("pings", () => {
  const kind = { name: "ICMP, one echo", port: null, exchanges: echoExchanges };
  const drivers = new AsyncDisposableStack();
  let picket: PicketDriver;
  beforeAll(async () => {
    const targets = addresses.map((host): Target => ({
      kind: "icmp",
      host,
      packets: 1,
      interval: millis(10),
    }));
    const order = { targets, caFile: null, http2: false, ...raw };
    picket = drivers.use(await startPicketDriver(order, addresses));
  });
  afterAll(() => drivers.disposeAsync());

  const loads = [...loadsFor(seconds), busyQuickLoad(seconds)];
  test.each(loads)("at $name", { timeout: 120_000 }, async (load) => {
    const pairs = await measure(kind, load, rawName, () => picket.run(load));
    expect(failures(pairs)).toBe(0);
  });
});

describe.skipIf(!possible)("across a link of 10 ms each way", () => {
  const slowLoads = loadsFor(seconds).filter(({ rate }) => rate < 500);
  const parts = new AsyncDisposableStack();
  let kind: Kind;
  let tap: Tap;
  let picket: PicketDriver;
  let byRaw: PicketDriver;
  beforeAll(async () => {
    const link = parts.use(await startDelayedLink(10));
    const far = parts.use(await startSlowPeer(link.far, link.farAddress));
    kind = overHttp("HTTP, 20 ms away", "http", () => far.port);
    ({ tap } = link);
    const order = { targets: [kind.target(link.farAddress)], caFile: null, http2: false };
    const driver = async (by: Measuring): Promise<PicketDriver> =>
      parts.use(await startPicketDriver({ ...order, ...by }, [link.farAddress], link.near));
    picket = await driver(usual);
    byRaw = await driver(raw);
  });
  afterAll(() => parts.disposeAsync());

  test.each(slowLoads)("at $name", { timeout: 120_000 }, async (load) => {
    const runs: readonly (readonly [string, PicketDriver])[] = [
      ["Picket", picket],
      [rawName, byRaw],
    ];
    for (const [name, driver] of runs)
      expect(failures(await measure(kind, load, name, () => driver.run(load), tap))).toBe(0);
  });
});

/** Far from what is aimed at, so that a busy machine does not fail it; the tables tell what it was. */
const barsHeldMin = 0.97;

/**
 * Over all targets of a load, and over all loads of a target: ten checks of one target are too few to tell a share by, when the
 * machine that runs them is somebody else's too.
 */
describe.skipIf(!possible)("the error bar holds", () => {
  const shareHeld = (isOf: (run: Run) => boolean): number => {
    const bars = runs.flatMap((run) => (isOf(run) && run.bars !== null ? [run.bars] : []));
    const total = (of: (bar: BarsHeld) => number): number =>
      bars.reduce((sum, bar) => sum + of(bar), 0);
    return total(({ held }) => held) / total(({ of }) => of);
  };

  test.each(loadsFor(seconds))("at $name", ({ name }) => {
    expect(shareHeld(({ load }) => load === name)).toBeGreaterThan(barsHeldMin);
  });

  test.each(kinds)("of $name, over raw sockets", ({ name }) => {
    const held = shareHeld(({ target, tool }) => target === name && tool === rawName);
    expect(held).toBeGreaterThan(barsHeldMin);
  });
});
