import { expect } from "vitest";
import type { AgentRun } from "./agent-run.ts";
import type { Accepted, Due } from "./ledger.ts";

/** What agents of one location share. */
export interface Shared {
  readonly monitors: readonly Due[];
  accepted(): readonly Accepted[];
}

/** For what the service does 90 s after a loss, or two minutes after a return, at the latest. */
export const patience = { timeout: 240_000, interval: 1_000 };

/** How many monitors an agent runs, by what it says. */
export const shareOf = (agent: AgentRun): number =>
  Number(agent.all("assignment taken").at(-1)?.fields["monitors"] ?? 0);

/** Waits until these agents have all monitors between them, each of them a share, and none twice. */
export async function shared(scene: Shared, agents: readonly AgentRun[]): Promise<void> {
  const sum = (): number => {
    const shares = agents.map(shareOf);
    return shares.includes(0) ? 0 : shares.reduce((a, b) => a + b, 0);
  };
  await expect.poll(sum, patience).toBe(scene.monitors.length);
}

/** Waits until every monitor has a result of a slot after an instant. */
export async function everyMonitorChecked(scene: Shared, from: number): Promise<void> {
  const checked = (): number => {
    const since = scene.accepted().filter(({ slot }) => slot > from);
    return new Set(since.map(({ monitorId }) => monitorId)).size;
  };
  await expect.poll(checked, patience).toBe(scene.monitors.length);
}
