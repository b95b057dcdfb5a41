import { isIP } from "node:net";
import { kindTable, serverOf } from "#check/kinds/kind-table";
import type { Failure } from "#check/failure";
import type { Kind, Target } from "#check/monitor";
import type { DirectLook } from "#check/place-evidence";
import type { Clock } from "#base/clock";
import { type Deadline, startDeadline } from "#base/deadline";
import * as limits from "#limits/vantage-limits";
import { proxyFor, type Proxying } from "#network/proxy";
import type { ProbeContext } from "#probes/connection/probe";
import { probe } from "#probes/registry";

/**
 * Whether a target that could not be reached through the proxy accepts one connection without it: nothing is sent over
 * that. Null if the target rules do not allow it.
 */
export type DirectCheck = (target: TargetEnd, signal: AbortSignal) => Promise<DirectLook | null>;

export function directCheck(context: () => ProbeContext, clock: Clock): DirectCheck {
  let opened: ProbeContext | null = null;
  return async (target, signal) => {
    opened ??= { ...context(), proxying: { proxy: null, exceptions: [] } };
    using deadline = startDeadline(clock, limits.evidencePatience, signal);
    const found = await oneAddress(target, deadline, opened);
    if (found.is === "denied") return null;
    if (found.is === "unknown") return { address: null, outcome: found.code };
    // Of several addresses one is dialled, which the guard judges by the target's name.
    const fixed = { host: target.host.toLowerCase().replace(/\.$/, ""), port: target.port };
    const overrides = {
      ...opened.overrides,
      fixedAddresses: [{ ...fixed, addresses: [found.address] }],
    };
    const dialled = { kind: "tcp", host: target.host, port: target.port } as const;
    const { failure } = await probe(dialled, deadline, { ...opened, overrides });
    return { address: found.address, outcome: failure === null ? "connected" : failure.code };
  };
}

interface TargetEnd {
  readonly kind: Kind;
  readonly host: string;
  readonly port: number;
}

type OneAddress =
  | { readonly is: "known"; readonly address: string }
  | { readonly is: "unknown"; readonly code: Failure["code"] }
  | { readonly is: "denied" };

async function oneAddress(
  target: TargetEnd,
  deadline: Deadline,
  { guard, resolver, ipFamily }: ProbeContext,
): Promise<OneAddress> {
  const { host, port } = target;
  // It is dialled as TCP, in place of the check: what a rule denies of either is not dialled.
  const asWhat = [target, { kind: "tcp", host, port } as const];
  if (asWhat.some((one) => guard.hostDenial(one) !== null)) return { is: "denied" };
  const resolved =
    isIP(host) === 0
      ? await resolver.resolve(host, ipFamily, deadline)
      : ({ ok: true, addresses: [host] } as const);
  if (!resolved.ok) return { is: "unknown", code: resolved.failure.code };
  const address = resolved.addresses.find((one) =>
    asWhat.every((destination) => guard.screen(destination, [one]).ok),
  );
  return address === undefined ? { is: "denied" } : { is: "known", address };
}

/** Where a check would go without the proxy, if it failed before the proxy had opened a way to it; null for others. */
export function endBehindProxy(
  target: Target,
  { phase }: Failure,
  proxying: Proxying,
): TargetEnd | null {
  // These never go through a proxy.
  if (!kindTable[target.kind].isProxied) return null;
  if (phase !== "dns" && phase !== "connect" && phase !== "proxy") return null;
  const { host, port } = serverOf(target.kind, target) ?? { host: "", port: null };
  if (port === null) return null;
  return proxyFor({ host, port }, proxying) === null ? null : { kind: target.kind, host, port };
}
