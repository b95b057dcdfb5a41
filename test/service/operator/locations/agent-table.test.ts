import { expect, test } from "vitest";
import type { StoredInstance } from "#service/agents/instances";
import { agentName } from "#service/operator/locations/agent-name";
import { agentTable } from "#service/operator/locations/agent-table";
import { placementOf } from "#service/operator/placement-view";
import { epochMillis, seconds } from "#base/units";
import { storedAgent } from "../../../support/stored-agent.ts";

const at = epochMillis(seconds(30));
const active = { status: "active", message: "", refused: null } as const;

const agent = (id: string, changes: Partial<StoredInstance>, ran: number): StoredInstance => {
  const one = { ...storedAgent(id, "share"), ...changes };
  return {
    ...one,
    report: { ...one.report, hostname: "vm", version: "1.0.0", monitorCount: ran },
  };
};
const tableOf = (agents: readonly StoredInstance[]): string =>
  agentTable({
    state: active,
    agents,
    tokens: [],
    placings: placementOf(agents, [1, 2, 3, 4]),
    at,
    removedAt: null,
  })
    .text.replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

test("an agent that does not run has a dash for what it runs, one that is silent has one for its waiting results, and the table says when its row goes", () => {
  const off = { live: false, wanted: false, settled: false };
  const words = tableOf([
    agent("a", {}, 4),
    agent("b", { ...off, left: true }, 4),
    agent("c", off, 2),
  ]);
  expect(words).toMatch(/vm a Running 30 s ago 1\.0\.0 \w+ 4 0 0 0/);
  expect(words).toMatch(/vm b Stopped 30 s ago 1\.0\.0 \w+ – 0 0 0/);
  expect(words).toMatch(/vm c Silent 30 s ago 1\.0\.0 \w+ – – 0 0/);
  expect(words).toContain("leaves the table by itself after 24 hours");
  expect(tableOf([agent("a", {}, 4)])).not.toContain("leaves the table");
});

test("the table of agents has the numbers of their placement, and what an agent said before next to them", () => {
  const both = [agent("a", {}, 4), agent("b", {}, 2)];
  const shares = placementOf(both, [1, 2, 3, 4]).map(({ monitors }) => monitors.length);
  expect(shares).toEqual([2, 2]);
  const words = tableOf(both);
  expect(words).toMatch(/vm a Running .* 2 said 4 0 0 0 vm b/);
  expect(words).toMatch(/vm b Running 30 s ago 1\.0\.0 \w+ 2 0 0 0/);
  expect(words).toContain("and next to it how many it said that it runs");
});

test("agents of one machine have the beginnings of their ids after its name, and the whole if these are alike", () => {
  const named = (...ids: readonly string[]): readonly string[] => {
    const all = ids.map((id) => agent(id, {}, 0));
    return all.map((one) => agentName(one, all));
  };
  expect(named("1f0c9a2e-1")).toEqual(["vm"]);
  expect(named("1f0c9a2e-1", "2f0c9a2e-1")).toEqual(["vm (1f0c9a2e)", "vm (2f0c9a2e)"]);
  expect(named("1f0c9a2e-1", "1f0c9a2e-2")).toEqual(["vm (1f0c9a2e-1)", "vm (1f0c9a2e-2)"]);
});
