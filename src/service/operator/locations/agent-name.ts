import type { StoredInstance } from "#service/agents/instances";
import { agentIdCharsShown } from "#limits/pages-limits";

/**
 * What a person calls an agent of a location: its machine, or its id while that is not known. Agents of one machine have
 * the beginning of their ids, too: `gw-1 (1f0c9a2e)`.
 */
export function agentName(agent: StoredInstance, agents: readonly StoredInstance[]): string {
  const { hostname } = agent.report;
  if (hostname === "") return agent.id;
  const alike = agents.filter((one) => one.id !== agent.id && one.report.hostname === hostname);
  if (alike.length === 0) return hostname;
  const short = agent.id.slice(0, agentIdCharsShown);
  const isUnique = alike.every(({ id }) => !id.startsWith(short));
  return `${hostname} (${isUnique ? short : agent.id})`;
}
