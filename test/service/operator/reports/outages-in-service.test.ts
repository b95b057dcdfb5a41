import { expect, test } from "vitest";
import type { ResultStatus } from "#check/verdict";
import { incidentReopenedWithin } from "#limits/alerts-limits";
import { seconds } from "#base/units";
import { reading } from "../../../support/reading-pages.ts";
import { alertedOffice, type Office } from "../../alerts/alerted-office.ts";

interface Reported {
  readonly monitors: readonly { readonly down_ms: number }[];
  readonly longest_outages: readonly {
    readonly incident: number;
    readonly lasted_ms: number;
    readonly open: boolean;
  }[];
}

/** A second location that checks the same. */
async function labOf({ service, clock, monitors }: Office) {
  const wanted = { name: "Lab", monitorIds: [...monitors], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(wanted);
  const agent = service.agent(token);
  const instanceId = "b";
  return {
    beat: () => agent.heartbeat({ instanceId, hostname: "probe-2", monitorCount: 1n }),
    report: (status: ResultStatus) => {
      const timestamp = BigInt(Math.floor(clock.wall() / 1_000) * 1_000);
      const results = monitors.map((monitorId) => ({
        result: {
          case: "tcp" as const,
          value: { monitorId, requestStatus: status, timestamp, cronTimestamp: timestamp },
        },
        detail: {},
      }));
      return agent.ingestBatch({ instanceId, results });
    },
  };
}

test("an outage that is over keeps its length while its monitor is down again or flaps, and all come to its downtime at most", async () => {
  const office = await alertedOffice();
  const lab = await labOf(office);
  const read = await reading(office);
  /** A letter a slot of 30 s: what the office says, and the lab after it. */
  const says = async (slots: string): Promise<void> => {
    for (const slot of slots.split(" ")) {
      await office.beat();
      await lab.beat();
      if (slot[0] !== "-") await office.report(slot[0] === "e" ? "error" : "success");
      if (slot[1] !== "-") await lab.report(slot[1] === "e" ? "error" : "success");
      await office.pass(30);
    }
  };
  const lengths = async (): Promise<readonly (readonly [number, number])[]> => {
    const report: Reported = JSON.parse(await read("/uptime.json"));
    const { monitors, longest_outages: outages } = report;
    const sum = outages.reduce((total, one) => total + one.lasted_ms, 0);
    expect(sum).toBeLessThanOrEqual(monitors[0]?.down_ms ?? 0);
    return outages.map(({ incident, lasted_ms: lasted }) => [incident, lasted / seconds(30)]);
  };
  const well = "ss ".repeat(incidentReopenedWithin / seconds(30) + 3).trim();
  await says("ss ss ee ee ee ee ss ss");
  expect(await lengths()).toEqual([[1, 4]]);
  // Every other check fails at both, so it is never well: six slots, of which three are down.
  await says(`${well} ee ss ee ss ee ee ss ss`);
  expect(await lengths()).toEqual([
    [1, 4],
    [2, 4],
  ]);
  // It flaps, is silent at the lab, and is not watched by anyone for a while.
  await says(`${well} ee ee ss ss ee ee ss ss e- e- s- s- -- -- ee ee`);
  const found = await lengths();
  expect(found.filter(([incident]) => incident < 3)).toEqual([
    [1, 4],
    [2, 4],
  ]);
  expect(found.filter(([incident]) => incident === 3).length).toBe(3);
});
