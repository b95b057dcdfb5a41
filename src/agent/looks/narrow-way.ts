import { isTimeout } from "#check/failure";
import type { Clock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { withoutSilence } from "#check/evidence-words";
import type { Result } from "#check/result";
import type { Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import * as limits from "#limits/vantage-limits";
import { narrowSockets } from "#probes/evidence/narrow-sockets";
import type { ProbeContext } from "#probes/connection/probe";
import { probe } from "#probes/registry";

/**
 * Whether the same check passes with small packets and stalls with large ones: then a link on the way drops these. Null
 * if it cannot be tried. The guard judges what it dials, as it does for checks.
 */
export type NarrowCheck = (target: Target, signal: AbortSignal) => Promise<boolean | null>;

export function narrowCheck(context: () => ProbeContext, clock: Clock): NarrowCheck {
  let opened: Contexts | null = null;
  return async (target, signal) => {
    opened ??= contextsOf(context(), clock);
    const { large, small } = opened;
    if (small === null) return null;
    const stalls = async (context: ProbeContext): Promise<boolean> => {
      using deadline = startDeadline(clock, limits.evidencePatience, signal);
      return isStalled(await probe(target, deadline, context));
    };
    // What answers again by now was not stalled by its size.
    return !(await stalls(small)) && (await stalls(large));
  };
}

interface Contexts {
  readonly large: ProbeContext;
  readonly small: ProbeContext | null;
}

function contextsOf(large: ProbeContext, clock: Clock): Contexts {
  const sockets = narrowSockets(large.marker, clock);
  return { large, small: sockets === null ? null : { ...large, sockets } };
}

const isStalled = ({ failure }: Outcome): boolean => failure !== null && isTimeout(failure.code);

/** A result with whether only small packets pass, where its connection was good and then stalled. */
export async function withNarrow(
  result: Result,
  target: Target,
  check: NarrowCheck,
  signal: AbortSignal,
): Promise<Result> {
  const { outcome } = result;
  const evidence = outcome?.evidence ?? null;
  if (outcome === null || evidence === null || !isWorthNarrow(outcome, target)) return result;
  const onlySmallPass = await check(target, signal);
  const seen = { ...result, outcome: { ...outcome, evidence: { ...evidence, onlySmallPass } } };
  if (result.failure === null || onlySmallPass !== true) return seen;
  return { ...seen, failure: withoutSilence(result.failure, evidence) };
}

/** A request is repeated only if that changes nothing: RFC 9110 §9.2.1. */
export function isWorthNarrow({ failure, evidence }: Outcome, target: Target): boolean {
  if (failure === null || evidence === null || evidence.peer === "proxy") return false;
  const isSafe = target.kind === "http" && (target.method === "GET" || target.method === "HEAD");
  const { code, phase } = failure;
  const isAfter = phase === "tls" || phase === "write" || phase === "wait" || phase === "receive";
  return isSafe && isAfter && isTimeout(code);
}
