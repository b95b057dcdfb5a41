import type { AgentStatus } from "#agent/agent-status";
import type { Signs } from "#cli/edge/supervisor";
import { liveness } from "#agent/endpoint/liveness";

/** What `systemctl status` shows of an agent, without anything that a target or the service wrote, and whether it lives. */
export function agentSigns(status: SignsOf): Signs {
  const health = liveness(status);
  const { state, link, monitors, checksInFlight, resultsWaiting } = status;
  const facts = `${state}, service ${link}, monitors ${monitors}, checks in flight ${checksInFlight}, results waiting ${resultsWaiting}`;
  return { alive: health.ok, line: health.ok ? facts : health.reason };
}

type SignsOf = Pick<
  AgentStatus,
  | "state"
  | "link"
  | "monitors"
  | "checksInFlight"
  | "resultsWaiting"
  | "sinceTick"
  | "probesStuckFor"
>;
