import { isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { StoredInstance } from "#service/agents/instances";
import type { WorkingToken } from "#service/agents/location-tokens";
import { namesOf } from "#service/operator/deleting/removal-view";
import { agentName } from "#service/operator/locations/agent-name";
import * as limits from "#limits/service-limits";
import { between, type EpochMillis } from "#base/units";

/** Who still uses a token that another has taken the place of. */
interface OldTokenUse {
  /** As people call them; empty: an agent that does not say which it is. */
  readonly names: readonly string[];
  readonly endsAt: EpochMillis;
}

/**
 * Null if none does. An agent that is silent now has the token that it last came with; one that was silent before the rotation
 * has not used the old one since.
 */
export function oldTokenUse(
  [newest, ...old]: readonly WorkingToken[],
  agents: readonly StoredInstance[],
  at: EpochMillis,
): OldTokenUse | null {
  const rotatedAt = newest?.createdAt ?? at;
  const users = agents.filter(
    (one) =>
      !one.left &&
      (one.live || one.lastSeenAt >= rotatedAt) &&
      old.some(({ hash }) => hash === one.report.tokenHash),
  );
  const used = old.find(
    ({ hash, calledAt }) =>
      users.some(({ report }) => report.tokenHash === hash) ||
      isInUse(calledAt, { rotatedAt, calledAt: newest?.calledAt ?? null }, at),
  );
  if (used === undefined || used.validUntil === null) return null;
  const live = agents.filter((one) => one.live);
  // Whoever called with it has come with another one since.
  if (users.length === 0 && live.length > 0 && live.every((one) => one.report.tokenHash !== ""))
    return null;
  const named = users.length === 0 && live.length === 1 ? live : users;
  return { names: named.map((one) => nameNow(one, agents, at)), endsAt: used.validUntil };
}

/** Of one that is silent, also since when. */
const nameNow = (
  agent: StoredInstance,
  agents: readonly StoredInstance[],
  at: EpochMillis,
): string =>
  agent.live
    ? agentName(agent, agents)
    : `${agentName(agent, agents)} (last seen ${span(between(agent.lastSeenAt, at))} ago)`;

/** That agents still use a token that will end, which, and when it ends; null if none does. */
export function oldTokenLine(
  tokens: readonly WorkingToken[],
  agents: readonly StoredInstance[],
  at: EpochMillis,
): Html | null {
  const use = oldTokenUse(tokens, agents, at);
  if (use === null) return null;
  const { names, endsAt } = use;
  return html`${names.length === 0 ? "An agent" : namesOf(names)} still
    ${names.length > 1 ? "use" : "uses"} the old token, which ends in
    <time datetime="${isoTime(endsAt)}">${span(between(at, endsAt))}</time>.`;
}

/** An agent that pulls without heartbeats calls seldom: once it called after the rotation, it is until another token is used. */
const isInUse = (
  calledAt: EpochMillis | null,
  newest: { readonly rotatedAt: EpochMillis; readonly calledAt: EpochMillis | null },
  at: EpochMillis,
): boolean =>
  calledAt !== null &&
  calledAt >= newest.rotatedAt &&
  (newest.calledAt === null || between(calledAt, at) <= limits.heartbeatLostAfter);
