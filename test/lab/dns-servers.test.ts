import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { QueryType } from "#assertion";
import { systemClock } from "#clock";
import type { DnsOutcome } from "#outcome";
import { probeDns } from "#probes/dns";
import { millis } from "#units";
import { attempt } from "../support/probing.ts";
import { closedPort } from "../servers/scripted.ts";
import { type Daemon, isInstalled, startDaemon } from "./daemon.ts";

/** Our probe against name servers that other people wrote. */

const zone = [
  "$ORIGIN lab.test.",
  "$TTL 60",
  "@ SOA ns hostmaster 1 60 60 600 60",
  "@ NS ns",
  "@ MX 10 mail",
  "@ MX 20 backup.other.test.",
  "ns A 127.0.0.1",
  "mail A 10.0.0.25",
  "a A 10.0.0.1",
  "a AAAA 2001:db8::1",
  "c CNAME b",
  "b CNAME a",
  "lost CNAME nowhere",
  'text TXT "v=spf1 " "include:other.test " "-all"',
  ...Array.from({ length: 60 }, (_, n) => `many A 198.18.0.${n + 1}`),
  ...Array.from({ length: 20 }, (_, n) => `big TXT "${"y".repeat(200)}${n}"`),
].join("\n");

/** Their configurations, for a folder and a port. */
const servers: Readonly<Record<string, (folder: string, port: number) => string>> = {
  knotd: (folder, port) => `
server:
  rundir: ${folder}
  listen: 127.0.0.1@${port}
  background-workers: 1
database:
  storage: ${folder}
log:
  - target: stderr
    any: warning
zone:
  - domain: lab.test
    storage: ${folder}
    file: lab.zone
    zonefile-sync: -1
`,
  nsd: (folder, port) => `
server:
  ip-address: 127.0.0.1@${port}
  username: ""
  pidfile: "${folder}/pid"
  database: ""
  xfrdfile: "${folder}/xfrd"
  zonelistfile: "${folder}/zones"
  xfrdir: "${folder}"
  zonesdir: "${folder}"
  server-count: 1
remote-control:
  control-enable: no
zone:
  name: lab.test
  zonefile: lab.zone
`,
};

type Ask = (name: string, ...types: readonly QueryType[]) => Promise<DnsOutcome>;

describe.each(Object.keys(servers))("%s", (program) => {
  const isMissing = !isInstalled(program);
  let daemon: Daemon | null = null;
  let ask: Ask = () => Promise.reject(new Error(`${program} does not run`));

  beforeAll(async () => {
    if (isMissing) return;
    const folder = mkdtempSync(path.join(tmpdir(), "picket-lab-"));
    const port = await closedPort();
    const file = path.join(folder, "daemon.conf");
    writeFileSync(path.join(folder, "lab.zone"), `${zone}\n`);
    writeFileSync(file, servers[program]?.(folder, port) ?? "");
    const args = program === "nsd" ? ["-d", "-c", file] : ["-c", file];
    daemon = await startDaemon(program, args, { folder, port });
    ask = (name, ...types) =>
      attempt(probeDns, { kind: "dns", name, types, server: { host: "127.0.0.1", port } });
    // The port is open before the zone is loaded; until then there are answers, but no records.
    while ((await ask("a.lab.test", "A")).failure !== null) await systemClock.sleep(millis(20));
  });
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    if (daemon !== null) rmSync(daemon.folder, { recursive: true, force: true });
  });

  test.skipIf(isMissing)("answers every type that we ask for", async () => {
    const outcome = await ask("lab.test", "MX", "NS");
    expect(outcome.failure).toBeNull();
    expect(outcome.records.map(({ value }) => value).toSorted()).toEqual([
      "backup.other.test.:20",
      "mail.lab.test.:10",
      "ns.lab.test.",
    ]);
    expect((await ask("a.lab.test", "A", "AAAA")).records).toEqual([
      { type: "A", value: "10.0.0.1" },
      { type: "AAAA", value: "2001:db8::1" },
    ]);
    expect((await ask("text.lab.test", "TXT")).records).toEqual([
      { type: "TXT", value: "v=spf1 include:other.test -all" },
    ]);
  });
  test.skipIf(isMissing)("leads through aliases to the address", async () => {
    expect((await ask("c.lab.test", "A")).records.map(({ value }) => value)).toEqual([
      "b.lab.test.",
      "a.lab.test.",
      "10.0.0.1",
    ]);
  });
  test.skipIf(isMissing)("says NXDOMAIN, NODATA and REFUSED, and we tell them apart", async () => {
    const codes = await Promise.all(
      [ask("none.lab.test", "A"), ask("mail.lab.test", "AAAA"), ask("a.other.test", "A")].map(
        async (asked) => (await asked).failure?.code,
      ),
    );
    expect(codes).toEqual(["dns_nxdomain", "dns_nodata", "dns_refused"]);
  });
  test.skipIf(isMissing)("says NXDOMAIN for an alias whose end does not exist", async () => {
    const outcome = await ask("lost.lab.test", "A");
    expect(outcome.failure?.code).toBe("dns_nxdomain");
    expect(outcome.records).toEqual([{ type: "CNAME", value: "nowhere.lab.test." }]);
  });
  test.skipIf(isMissing)("fits 60 addresses into what EDNS announces", async () => {
    const outcome = await ask("many.lab.test", "A");
    expect(outcome.records).toHaveLength(60);
    expect(outcome.transport).toBe("udp");
  });
  test.skipIf(isMissing)("sends what does not fit over TCP", async () => {
    const outcome = await ask("big.lab.test", "TXT");
    expect(outcome.failure).toBeNull();
    expect(outcome.records).toHaveLength(20);
    expect(outcome.transport).toBe("tcp");
  });
  test.skipIf(isMissing)("knows the name in any case", async () => {
    expect((await ask("A.Lab.TEST", "A")).failure).toBeNull();
  });
});
