import type { AgentStatus } from "#agent/agent-status";
import * as limits from "#limits/pages-limits";
import { serviceTrouble } from "#transport/service-trouble";

/** Fit for what was asked, or why not, as a sentence that says what to do. */
export type Health = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const well: Health = { ok: true };
const unwell = (reason: string): Health => ({ ok: false, reason });

type LivenessSigns = Pick<AgentStatus, "state" | "sinceTick" | "probesStuckFor">;

/** Whether a restart would do no good: the scheduler ticks and probes run. Whether the service answers is not asked. */
export function liveness({ state, sinceTick, probesStuckFor }: LivenessSigns): Health {
  // An agent that stops takes no more slots: that is what it was asked for.
  if (state === "draining" || state === "stopped") return well;
  if (sinceTick !== null && sinceTick > limits.tickAgeMax)
    return unwell(
      `the scheduler has not looked at the clock for ${inSeconds(sinceTick)}: restart the agent`,
    );
  if (probesStuckFor > limits.probesStuckMax)
    return unwell(
      `a probe thread has made no progress for ${inSeconds(probesStuckFor)}: restart the agent, and report it as a bug with its log`,
    );
  return well;
}

type ReadinessSigns = Pick<
  AgentStatus,
  "state" | "region" | "link" | "linkFault" | "assignmentRefusal"
>;

/** Whether it does what it is for: it knows its monitors and is not stopping. */
export function readiness(status: ReadinessSigns): Health {
  if (status.state === "draining" || status.state === "stopped")
    return unwell("the agent is stopping: it starts no more checks");
  if (status.assignmentRefusal !== null)
    return unwell(
      `the newest assignment is refused, and the previous one still runs. ${status.assignmentRefusal}`,
    );
  if (status.region !== null) return well;
  const { matter, advice } = unassigned(status);
  return unwell(`no assignment yet: ${matter}. ${advice}`);
}

/** Why an agent has no assignment: what is the matter, and what is to be done. */
export function unassigned({ link, linkFault }: Pick<AgentStatus, "link" | "linkFault">): {
  readonly matter: string;
  readonly advice: string;
} {
  const said = linkFault === null ? "" : `${linkFault.message}. `;
  switch (link) {
    case "unknown":
    case "up":
      return {
        matter: "the service has not answered yet",
        advice: "It takes a few seconds after the start.",
      };
    case "down":
    case "refused": {
      const reason = linkFault?.reason ?? (link === "refused" ? "unauthenticated" : "unavailable");
      const { fact, nextStep } = serviceTrouble(reason, { proxied: reason === "proxy" });
      const advice = `${sentence(nextStep)}. The agent keeps trying.`;
      return { matter: fact, advice: `${said}${advice}` };
    }
  }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const inSeconds = (duration: number): string => `${Math.floor(duration / 1000)} s`;
