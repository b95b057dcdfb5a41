import type { Target } from "#check/monitor";
import type { Clock } from "#clock";
import { startDeadline } from "#deadline";
import * as limits from "#limits/vantage-limits";
import type { ProbeContext } from "#probes/probe";
import { probe } from "#probes/registry";

/**
 * How far this machine's clock is ahead of a target's, in milliseconds, by the Date of an answer (RFC 9110 §6.6.1); null
 * where that says none. No certificate is judged,
 * for a wrong clock refuses good ones: so nothing goes along but a request for the root.
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
    const date = headers.find(([name]) => name.toLowerCase() === "date")?.[1];
    const theirs = date === undefined ? Number.NaN : Date.parse(date);
    return Number.isNaN(theirs) ? null : clock.wall() - theirs;
  };
}
