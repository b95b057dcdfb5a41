import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Target } from "#monitor";
import { loopback, startCapture } from "./capture.ts";
import { barsHeld, deviations } from "./deviation.ts";
import { tcpExchanges, udpExchanges, type WireExchange } from "./exchange-on-wire.ts";
import { type Load, loadsFor } from "./load.ts";
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
import { type Run, wireTruthTables } from "./report.ts";
import { runPicket } from "./run-picket.ts";

/** What is told, held against what passed the interface; and the same for other tools on the same targets. */

const seconds = Number(process.env["WIRE_SECONDS"] ?? 1);
const table = process.env["WIRE_TABLE"] ?? null;
const folder = mkdtempSync(path.join(tmpdir(), "picket-wire-"));
const runs: Run[] = [];
const peers = new AsyncDisposableStack();
let web: WebPeer;
let names: NamePeer;
let slow: { readonly port: number };
let blackbox: Blackbox;

beforeAll(async () => {
  web = peers.use(await startWebPeer(folder));
  names = peers.use(await startNamePeer(folder));
  slow = peers.use(await startSlowPeer([], "127.0.0.1"));
  blackbox = peers.use(await startBlackbox(folder, web.caFile));
});

afterAll(async () => {
  await peers.disposeAsync();
  rmSync(folder, { recursive: true });
  const tables = wireTruthTables(runs);
  process.stdout.write(`\n${tables}\n`);
  if (table !== null) writeFileSync(table, `${tables}\n`);
});

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
  kind: Kind,
  load: Load,
  tool: string,
  run: () => Promise<readonly Reported[]>,
): Promise<readonly Pair[]> {
  const capture = await startCapture(`port ${kind.port()}`, loopback);
  const reported = await run();
  const { packets } = await capture.stop();
  const pairs = paired(reported, kind.exchanges(packets));
  const bars = tool.startsWith("Picket") ? barsHeld(pairs) : null;
  runs.push({ target: kind.name, load: load.name, tool, deviations: deviations(pairs), bars });
  return pairs;
}

describe.each(kinds)("$name", (kind) => {
  const spoken = (): readonly string[] => addresses.map(kind.spoken);
  const picket = (load: Load, kernelClock: boolean): (() => Promise<readonly Reported[]>) => {
    const order = { targets: addresses.map(kind.target), load, caFile: web.caFile, kernelClock };
    return () => runPicket({ ...order, http2: kind.http2 }, addresses);
  };

  test.each(loadsFor(seconds))("at $name", { timeout: 120_000 }, async (load) => {
    const pairs = await measure(kind, load, "Picket", picket(load, true));
    expect(pairs.filter(({ reported }) => reported.failed)).toEqual([]);
    const { held, of } = barsHeld(pairs);
    expect(held / of).toBeGreaterThan(0.97);
    await measure(kind, load, "Picket without the kernel's clock", picket(load, false));
    if (!load.busy)
      await measure(kind, load, "blackbox_exporter", () =>
        blackbox.run(kind.blackbox, spoken(), addresses, load),
      );
    if (kind.curl && load.rate <= 10)
      await measure(kind, load, "curl", () =>
        runCurl(spoken(), addresses, load, { ...web, http2: kind.http2 }),
      );
  });
});
