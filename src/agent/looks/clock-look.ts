import type { Target } from "#check/monitor";
import type { Clock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import * as limits from "#limits/vantage-limits";
import type { ProbeContext } from "#probes/connection/probe";
import { probe } from "#probes/registry";

/**
 * How far this machine's clock is ahead of a target's, in milliseconds, by the Date of an answer (RFC 9110 §6.6.1) and its
 * Age in a cache (RFC 9111 §5.1); null if the answer does not say. No certificate is judged, because a wrong clock refuses
 * good ones: so the request is for the root alone, without a header.
 */
export type ClockLook = (target: Target, signal: AbortSignal) => Promise<number | null>;

export function clockLook(context: () => ProbeContext, clock: Clock): ClockLook {
  return async (target, signal) => {
    if (target.kind !== "http") return null;
    const { origin } = new URL(target.url);
    const bare = { url: `${origin}/`, headers: [], body: "", followRedirects: false };
    const given = context();
    const overrides = { ...given.overrides, acceptsAnyCertificate: true };
    using deadline = startDeadline(clock, limits.evidencePatience, signal);
    const asked = { kind: "http", method: "HEAD", ...bare } as const;
    const outcome = await probe(asked, deadline, { ...given, overrides });
    const headers = outcome.kind === "http" ? (outcome.response?.headers ?? []) : [];
    const valueOf = (wanted: string): string | undefined =>
      headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
    const aged = Number(valueOf("age") ?? 0) * 1000;
    const theirs = Date.parse(valueOf("date") ?? "") + aged;
    return Number.isNaN(theirs) ? null : clock.wall() - theirs;
  };
}
