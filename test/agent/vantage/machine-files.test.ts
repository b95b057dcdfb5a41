import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { MachineFiles } from "#agent/vantage/machine-files";
import { wayTo } from "#agent/vantage/machine-sight";
import { behindRouters, canRoute, type RoutedScene } from "../../support/routed-network.ts";

describe.skipIf(!canRoute())("the files of a machine in a network, as an unprivileged user", () => {
  /** What is seen after the machine tried to reach the target, and had that much time to notice. */
  const look = async (scene: Partial<RoutedScene>): Promise<unknown> => {
    const { stdout, output } = await behindRouters(
      scene,
      `import { connect } from "node:net";
       import { MachineFiles } from "#agent/vantage/machine-files";
       import { wayTo } from "#agent/vantage/machine-sight";
       const socket = connect(80, "10.0.2.9");
       await new Promise((done) => socket.on("connect", done).on("error", done));
       const sight = new MachineFiles().look(0);
       const ways = ["10.0.2.9", "10.0.0.7", "127.0.0.1", "fd00:2::9"].map((to) => wayTo(to, sight.routes));
       const { interfaces, silentGateways } = sight;
       console.log(JSON.stringify({ interfaces, silentGateways, ways }));
       process.exit(0);`,
    );
    expect(output).toContain("interfaces");
    return JSON.parse(stdout);
  };
  const eth0 = (link: string): object => ({ interfaces: [{ name: "eth0", link }] });

  test("say which way an address has, and that all is well", async () => {
    expect(await look({})).toEqual({
      ...eth0("up"),
      silentGateways: [],
      ways: [
        { is: "out", device: "eth0", gateway: "10.0.0.1" },
        { is: "out", device: "eth0", gateway: null },
        { is: "here" },
        { is: "out", device: "eth0", gateway: "fd00::1" },
      ],
    });
  });

  test("say that the gateway is silent", async () => {
    const gone = { breakIt: ["ip -n r1 address flush dev near"] };
    expect(await look(gone)).toMatchObject({ ...eth0("up"), silentGateways: ["10.0.0.1"] });
  });

  test("say that the cable is gone", async () => {
    expect(await look({ breakIt: ["ip -n r1 link set near down"] })).toMatchObject(
      eth0("no carrier"),
    );
  });

  test("say that the interface is switched off, and that no way is left", async () => {
    expect(await look({ breakIt: ["ip link set eth0 down"] })).toMatchObject({
      ...eth0("switched off"),
      ways: [{ is: "none" }, { is: "none" }, { is: "here" }, { is: "none" }],
    });
  });
});

test("the share of the time in which the control group kept it from running is that since the last look", () => {
  const group = mkdtempSync(path.join(tmpdir(), "picket-group-"));
  using _group = { [Symbol.dispose]: () => rmSync(group, { recursive: true }) };
  const files = new MachineFiles({ net: "/nowhere", interfaces: "/nowhere", group });
  const stat = (micros: number): void =>
    writeFileSync(path.join(group, "cpu.stat"), `usage_usec 5\nthrottled_usec ${micros}\n`);
  writeFileSync(path.join(group, "cpu.pressure"), "some avg10=12.50 avg60=0.00\n");
  stat(1_000_000);
  expect(files.look(0)).toMatchObject({ throttledShare: null, pressureShare: 0.125 });
  stat(4_000_000);
  expect(files.look(10_000).throttledShare).toBe(0.3);
  // A second look for the same failure sees the same, and not the little that came after the first.
  expect(files.look(10_100).throttledShare).toBeCloseTo(3 / 10.1);
  // As version 1 of control groups counts.
  writeFileSync(path.join(group, "cpu.stat"), "nr_throttled 5\nthrottled_time 8000000000\n");
  expect(files.look(20_000).throttledShare).toBe(0.4);
});

test("what was sent again, and which interface counts errors, is what the counters grew by since the last look", () => {
  const net = mkdtempSync(path.join(tmpdir(), "picket-counters-"));
  using _net = { [Symbol.dispose]: () => rmSync(net, { recursive: true }) };
  const files = new MachineFiles({ net, interfaces: "/nowhere", group: "/nowhere" });
  const counters = (sent: number, resent: number, errors: number): void => {
    writeFileSync(
      path.join(net, "snmp"),
      `Ip: Forwarding\nIp: 1\nTcp: InSegs OutSegs RetransSegs\nTcp: 5 ${sent} ${resent}\n`,
    );
    const zeros = "0 0 0 0 0";
    writeFileSync(
      path.join(net, "dev"),
      `Inter-|   Receive\n face |bytes\n    lo: 9 9 0 ${zeros} 9 9 0 ${zeros}\n  eth0:9 9 ${errors} ${zeros} 9 9 1 ${zeros}\n`,
    );
  };
  counters(1_000, 50, 7);
  expect(files.look(0)).toMatchObject({ resentShare: null, faultyInterfaces: [] });
  counters(2_000, 150, 9);
  expect(files.look(1)).toMatchObject({ resentShare: 0.1, faultyInterfaces: ["eth0"] });
  expect(files.look(2)).toMatchObject({ resentShare: null, faultyInterfaces: [] });
});

test("what cannot be read is unknown, and no fault", () => {
  const files = new MachineFiles({ net: "/nowhere", interfaces: "/nowhere", group: "/nowhere" });
  expect(files.look(0)).toMatchObject({
    interfaces: [],
    routes: [],
    silentGateways: [],
    throttledShare: null,
    resentShare: null,
    faultyInterfaces: [],
  });
});

test("of several routes the longest prefix counts, then the lowest metric", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "picket-net-"));
  using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
  const row = (...fields: readonly string[]): string => `${fields.join("\t")}\t0\t0\t0`;
  const lines = [
    row("Iface", "Destination", "Gateway", "Flags", "RefCnt", "Use", "Metric", "Mask"),
    row("wlan0", "00000000", "0100A8C0", "0003", "0", "0", "600", "00000000"),
    row("eth0", "00000000", "0100000A", "0003", "0", "0", "100", "00000000"),
    row("eth0", "0002000A", "0900000A", "0003", "0", "0", "100", "00FFFFFF"),
    row("*", "0003000A", "00000000", "0201", "0", "0", "0", "00FFFFFF"),
  ];
  writeFileSync(path.join(folder, "route"), lines.join("\n"));
  const { routes } = new MachineFiles({ net: folder, interfaces: "", group: "" }).look(0);
  expect(wayTo("10.9.9.9", routes)).toMatchObject({ device: "eth0", gateway: "10.0.0.1" });
  expect(wayTo("10.0.2.9", routes)).toMatchObject({ device: "eth0", gateway: "10.0.0.9" });
});
