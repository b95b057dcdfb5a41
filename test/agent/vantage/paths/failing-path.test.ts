import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderLines } from "../../../support/network-orders.ts";
import { inOwnNetwork } from "../../../support/own-network.ts";
import { asAgent, canRoute, targetLines } from "../../../support/routed-network.ts";
import { meshLines } from "./meshed-network.ts";
import { openOffice } from "./three-agents.ts";

const target = `
  createServer((socket) => socket.on("error", () => {}).resume()).listen(80, "::", ready);`;

/** What people see, as named-hop.ts writes it. */
interface Seen {
  readonly notice: string;
  readonly incident: string;
  readonly monitor: string;
  readonly why: string;
  readonly own: string;
  readonly off: string;
  readonly refused: string;
  readonly status: string;
  readonly metrics: string;
  readonly packets: readonly number[];
}

/**
 * With how old that is: minutes if it is from before the start, and seconds if the machine was so slow that the agent had traced
 * the path before the router was replaced.
 */
const named =
  /the path to 10\.0\.8\.9 has another second hop: 10\.0\.2\.2 instead of 10\.0\.1\.2 \(as before at \d\d:\d\d UTC, (\d+ min( \d+ s)?|\d+ s) before this failure/;

describe.skipIf(!canRoute("iptables", "ip6tables", "timeout"))(
  "a router on the path of a whole agent is replaced by one that passes nothing on",
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), "picket-failing-path-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    let seen: Seen;
    beforeAll(async () => {
      const office = await openOffice(folder);
      const file = path.join(import.meta.dirname, "named-hop.ts");
      const { stdout, output } = await inOwnNetwork(
        [...meshLines, ...targetLines(target), ...orderLines, asAgent],
        `const { play } = await import(${JSON.stringify(file)});
         await play(${JSON.stringify(office)});`,
      );
      if (!stdout.startsWith("{")) throw new Error(output);
      seen = JSON.parse(stdout);
    }, 600_000);

    test("the notification, the incident's page and picket why name the hop, and how old that knowledge is", () => {
      expect(seen.notice).toMatch(named);
      expect(seen.incident).toMatch(named);
      expect(seen.why).toMatch(
        /path before {2}1 10\.0\.0\.1, 2 10\.0\.1\.2, 3 10\.0\.3\.2, 4 10\.0\.7\.2, 5 the target, .+ ago/,
      );
      expect(seen.why).toMatch(/path now +the path to 10\.0\.8\.9 has another second hop/);
    });
    test("the agent's own page and the service's monitor show the path with its age", () => {
      expect(seen.monitor).toMatch(/Path to the target From office, traced \d+ \w+ ago/);
      const document: { monitors: { name: string; path: unknown }[]; paths: unknown } = JSON.parse(
        seen.status,
      );
      expect(document.monitors.find(({ name }) => name === "shop-office")?.path).toMatchObject({
        network: "10.0.8.0/24",
        to: "10.0.8.9",
        length: 5,
        age_ms: expect.any(Number),
      });
      expect(document.paths).toMatchObject({ known: 2, failures_named: 1 });
      expect(seen.metrics).toContain("picket_agent_paths_failures_named_total 1\n");
    });
    test("a target that fails by itself accuses no hop", () => {
      expect(seen.own).toContain("Down: six-office");
      expect(seen.own).not.toContain("the path to");
    });
    test("neither an agent with PICKET_PATHS=off nor one whose rules deny the target sends a packet of a trace", () => {
      const [office, ...others] = seen.packets;
      expect(office).toBeGreaterThan(0);
      expect(others).toEqual([0, 0]);
      expect(seen.off).toContain("Timeout after");
      expect(seen.off).not.toContain("the path to");
      expect(seen.refused).toContain("is denied by PICKET_TARGET_DENY");
    });
  },
);
