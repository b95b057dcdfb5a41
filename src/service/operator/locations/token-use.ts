import { html, type Html } from "#web/page/html";
import { clockMark, timeMark } from "#web/page/time-mark";
import type { StoredInstance } from "#service/agents/instances";
import type { WorkingToken } from "#service/agents/location-tokens";
import type { LocationState } from "#service/monitors/location-state";
import { agentName } from "#service/operator/locations/agent-name";
import * as limits from "#limits/service-limits";
import { after, between } from "#base/units";

/** The agent whose calls are refused: the one that was not seen since its token ended. Null if that may be several. */
function refusedAgent(
  { refused }: LocationState,
  agents: readonly StoredInstance[],
): StoredInstance | null {
  if (refused === null) return null;
  // Another agent is well, and the last heartbeat of both was before the token ended.
  if (!refused.isOnly && agents.every((one) => one.lastSeenAt <= refused.tokenEndedAt)) return null;
  const silent = agents.filter((one) => !one.left && one.lastSeenAt <= refused.tokenEndedAt);
  const [only = null] = silent;
  return silent.length === 1 ? only : null;
}

/**
 * Whether the service refuses an agent: its row says so from the instant at which the page of its location does. Where
 * the tokens that work are not known, that is so at its first refused call.
 */
export function isRefused(
  agent: StoredInstance,
  state: LocationState,
  agents: readonly StoredInstance[],
  tokens: readonly WorkingToken[] | null,
): boolean {
  const { refused } = state;
  // Its next call is refused.
  if (tokens !== null && cutOff(tokens, [agent]).length > 0) return true;
  if (refused === null || agent.left) return false;
  if (agent === refusedAgent(state, agents)) return true;
  // If no other token works, each that ran when this one ended has it.
  const silence = between(agent.lastSeenAt, refused.tokenEndedAt);
  return refused.isOnly && silence >= 0 && silence <= limits.heartbeatLostAfter;
}

/** That an agent calls, or called, with a token that has ended, and the next step; null if none does. */
export function refusalLine(state: LocationState, agents: readonly StoredInstance[]): Html | null {
  const { refused } = state;
  if (refused === null) return null;
  const one = refusedAgent(state, agents);
  const name = one === null ? "An agent" : agentName(one, agents);
  const ended = html`a token that has ended (${timeMark(refused.tokenEndedAt)})`;
  if (refused.isCalling && !refused.isOnly)
    return html`${name} calls with ${ended}, so the service refuses what it reports. Its last such
    call was at ${clockMark(refused.at)}. If you have started it with the new token since then,
    there is nothing left to do, and this message disappears at
    ${clockMark(after(refused.at, limits.heartbeatLostAfter))}. If you have not, start it with the
    new token.`;
  if (refused.isCalling)
    return html`${name} calls with ${ended}, so the service refuses what it reports. Start it with
    the new token.`;
  return html`${name} was refused with ${ended}, and last called with it at ${timeMark(refused.at)}.
  Start it with the new token.`;
}

/** The agents whose token has ended, and that have not come with another one since. */
export const cutOff = (
  tokens: readonly WorkingToken[],
  agents: readonly StoredInstance[],
): readonly StoredInstance[] =>
  agents.filter(
    ({ left, report }) =>
      !left && report.tokenHash !== "" && tokens.every(({ hash }) => hash !== report.tokenHash),
  );
