import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ipv6Reach } from "#probes/socket/ipv6-reach";
import { canMakeNetwork, inOwnNetwork } from "../../support/own-network.ts";

const loopback = "00000000000000000000000000000001 01 80 10 80       lo";
const link = "fe8000000000000000fc00fffe000001 04 40 20 80     eth0";
const unique = "fd000000000000000000000000000002 04 40 00 82     eth0";

test.each([
  ["nothing", [], "none"],
  ["loopback's address", [loopback], "local"],
  ["a link's address", [loopback, link], "local"],
  ["an address that others reach", [link, loopback, unique], "global"],
  ["such an address on the loopback interface", [loopback, unique.replace("eth0", "lo")], "local"],
])("a list of %s", (_what, lines, reach) => {
  const folder = mkdtempSync(path.join(tmpdir(), "picket-reach-"));
  using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
  const file = path.join(folder, "if_inet6");
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  expect(ipv6Reach(file)).toBe(reach);
});

test("without a list, the runtime's word counts", () => {
  expect(ipv6Reach("/nowhere")).toBe(ipv6Reach());
});

describe.skipIf(!canMakeNetwork())("of a network", () => {
  const reachIn = async (...setUp: readonly string[]): Promise<string> => {
    const script = `console.log((await import("#probes/socket/ipv6-reach")).ipv6Reach())`;
    return (await inOwnNetwork(setUp, script)).output.trim();
  };
  test("with the loopback interface alone it is local", async () => {
    expect(await reachIn()).toBe("local");
  });
  test("with an address on another interface it is global", async () => {
    const device = "ip link add name other type veth peer name peer && ip link set other up";
    expect(await reachIn(device, "ip address add fd00::2/64 dev other")).toBe("global");
  });
  test("with IPv6 switched off there is none", async () => {
    expect(await reachIn("echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6")).toBe("none");
  });
});
