import { type CauseScope, causeScopes, remedies } from "#check/cause";
import { coloured } from "#cli/edge/coloured";
import { shownAge } from "#cli/management/instant";
import type { ViewTools } from "#cli/management/status-view";
import type { AgentInstance } from "#contract/openstatus/private_location/v1/private_location_pb";
import type { VantageCondition } from "#contract/private_location/v1/private_location_pb";
import { capital, counted, showText } from "#base/text";

/** What each agent that reports leaves out of its assignment, a line each. */
export const remarkLines = (
  agents: readonly AgentInstance[],
  { terminal }: ViewTools,
): readonly string[] =>
  agents
    .filter(({ live }) => live)
    .flatMap((agent) => agent.remarks.map((remark) => ({ remark, agent })))
    .map(({ remark, agent }) => {
      const where = showText(agent.hostname === "" ? agent.id : agent.hostname);
      return `${coloured("!", "yellow", terminal.colour)}  ${capital(showText(remark))} (${where}).`;
    });

/** What is broken at the place of each agent that reports, since when, and what to do: a line, and one with the next step. */
export const conditionLines = (
  agents: readonly AgentInstance[],
  now: number,
  { terminal }: ViewTools,
): readonly string[] =>
  agents
    .filter(({ live }) => live)
    .flatMap((agent) => [
      ...agent.conditions.map((one) => ({ one, agent, isWarning: false })),
      ...agent.warnings.map((one) => ({ one, agent, isWarning: true })),
    ])
    .flatMap(({ one, agent, isWarning }) => {
      const { sentence, since, affected, next } = conditionJson(one);
      const mark = isWarning ? "!" : "✗";
      const where = showText(agent.hostname === "" ? agent.id : agent.hostname);
      const hides = isWarning
        ? "no check fails because of it yet"
        : `${counted(affected, "monitor")} affected`;
      const over = one.recovering ? ", and it seems to be over" : "";
      return [
        `${coloured(mark, isWarning ? "yellow" : "red", terminal.colour)}  ${capital(showText(sentence))}. For ${shownAge(since, now)}, seen by ${where}: ${hides}${over}.`,
        ...(next === null ? [] : [`   ${capital(next)}.`]),
      ];
    });

/** Whether a place is broken, so that something behind it may not be measured. */
export const isImpaired = (agents: readonly AgentInstance[]): boolean =>
  agents.some(({ live, conditions }) => live && conditions.length > 0);

interface ShownCondition {
  readonly scope: CauseScope | null;
  readonly subject: string;
  /** Without the full stop. */
  readonly sentence: string;
  /** RFC 3339. */
  readonly since: string;
  /** Monitors. */
  readonly affected: number;
  readonly recovering: boolean;
  /** What to do; null if this command does not know the scope. */
  readonly next: string | null;
}

/** The same for a program. */
export function conditionJson({ cause, recovering }: VantageCondition): ShownCondition {
  const scope = causeScopes.find((one) => one === cause?.scope) ?? null;
  return {
    scope,
    subject: cause?.subject ?? "",
    sentence: cause?.sentence ?? "",
    since: new Date(Number(cause?.since ?? 0n)).toISOString(),
    affected: Number(cause?.affected ?? 0n),
    recovering,
    next: nextOf(scope),
  };
}

/** Another service may send a scope that this command does not know. */
const nextOf = (scope: CauseScope | null): string | null =>
  scope === null ? null : remedies[scope];
