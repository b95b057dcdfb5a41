import { isIP } from "node:net";
import type { Failure } from "#check/failure";
import type { AddressAttempt, TlsFacts } from "#check/outcome";
import { timedOut } from "#probes/socket/classify";
import { ConnectRace, type RaceResult } from "#probes/connection/connect-race";
import {
  explained,
  type PeerWitness,
  unreached,
  type NoConnection,
} from "#probes/socket/unreached";
import type { TargetGuard } from "#probes/connection/guard";
import { handshake } from "#probes/connection/handshake";
import { type BareLine, type Line, socketLine, type StartTls } from "#probes/socket/line";
import { eventTimes } from "#probes/socket/wire-times";
import type { Mark } from "#probes/socket/marker";
import { fixedAddressesOf } from "#check/overrides";
import type { Run } from "#probes/connection/probe";
import { openTunnel } from "#probes/connection/tunnel";
import { type Proxy, proxyFor } from "#network/proxy";
import type { TargetKind } from "#network/target-rules";
import type { Resolution } from "#probes/resolve/resolving";
import { lookUpTimed } from "#probes/connection/timed-lookup";
import { showHostPort } from "#network/host-port";
import { nanos } from "#base/units";

/** Where to connect, and how TLS is spoken there; null speaks none. */
export interface Endpoint {
  /** Of the check that dials: rules for targets may be about one kind. */
  readonly kind: TargetKind;
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly alpn: readonly string[] } | null;
}

/** A connection that is ready to use, or why there is none. */
type DialResult<L extends Line> = (DialFacts & OpenConnection<L>) | (DialFacts & NoConnection);

export interface OpenConnection<L extends Line = Line> {
  readonly ok: true;
  readonly line: L;
  readonly ready: Mark;
  readonly witness: PeerWitness;
}

interface DialFacts {
  readonly addresses: readonly AddressAttempt[];
  readonly tls: TlsFacts | null;
}

/**
 * Opens one fresh connection: resolve, screen, connect, the proxy's tunnel, TLS. Marks those phases on the stopwatch,
 * leaves the last one running, and destroys every socket it opened unless it hands it over. Every probe opens its
 * connections here.
 */
export async function dial<L extends Line>(
  endpoint: Endpoint,
  run: Run,
  startTls: StartTls<L>,
): Promise<DialResult<L | BareLine>> {
  const proxy = proxyFor(endpoint, run.context.proxying);
  const reached =
    proxy === null ? await reach(endpoint, run) : await reachThrough(proxy, endpoint, run);
  if (!reached.ok) return { ...reached, tls: null };
  const { line, mark, witness, addresses } = reached;
  if (endpoint.tls === null) return { ok: true, line, ready: mark, witness, addresses, tls: null };
  run.stopwatch.enter("tls", mark);
  const where = showHostPort(endpoint.host, endpoint.port);
  const peer = { host: endpoint.host, where, alpn: endpoint.tls.alpn, phase: "tls" } as const;
  const secured = await handshake(line, peer, run, startTls);
  if (secured.ok) return { ...secured, witness, addresses };
  return { ...explained(secured.failure, witness), tls: secured.tls, addresses };
}

/** A connection to the target that nothing was sent over, or why there is none. */
type ReachResult = RaceResult & { readonly addresses: readonly AddressAttempt[] };

async function reach(target: Endpoint, run: Run): Promise<ReachResult> {
  const { host, port } = target;
  const { guard, overrides } = run.context;
  const denial = guard.hostDenial(target);
  if (denial !== null) return { ...unreached(denial), addresses: [] };
  const fixed = fixedAddressesOf({ host, port }, overrides);
  const resolved: Resolution =
    fixed === null ? await resolve(host, run) : { ok: true, addresses: fixed };
  if (!resolved.ok) return { ...unreached(resolved.failure), addresses: [] };
  const screened = guard.screen(target, resolved.addresses);
  const denied = screened.denied.map((address) => deniedAt(address, port));
  if (!screened.ok) return { ...unreached(screened.failure), addresses: denied };
  const race = new ConnectRace(screened.addresses, { peer: "target", port }, run);
  const won = await race.run();
  return { ...won, addresses: [...denied, ...race.tried] };
}

/**
 * The proxy looks the target's name up, so the guard judges the target as it is written. The proxy itself is the
 * operator's choice, and no target.
 */
async function reachThrough(proxy: Proxy, target: Endpoint, run: Run): Promise<ReachResult> {
  const denied = deniedAsWritten(target, run.context.guard);
  if (denied !== null) return denied;
  const resolved = await resolve(proxy.host, run);
  if (!resolved.ok) return { ...unreached(atProxy(resolved.failure)), addresses: [] };
  const race = new ConnectRace(resolved.addresses, { peer: "proxy", port: proxy.port }, run);
  const won = await race.run();
  if (!won.ok) return { ...won, failure: atProxy(won.failure), addresses: race.tried };
  run.stopwatch.enter("proxy", won.mark);
  // What a proxy adds is not worth the kernel's instants: the runtime speaks with it.
  const line = socketLine(won.line.socket(), eventTimes(run.context.marker));
  const tunnel = await openTunnel(line, proxy, target, run);
  const { witness } = won;
  if (tunnel.ok) return { ...tunnel, witness, addresses: race.tried };
  return { ...explained(tunnel.failure, witness), addresses: race.tried };
}

function deniedAsWritten(target: Endpoint, guard: TargetGuard): ReachResult | null {
  const { host, port } = target;
  const denial = guard.hostDenial(target);
  if (denial !== null) return { ...unreached(denial), addresses: [] };
  if (isIP(host) === 0) return null;
  const screened = guard.screen(target, [host]);
  return screened.ok ? null : { ...unreached(screened.failure), addresses: [deniedAt(host, port)] };
}

/** Without it, the sentence would read as if the target could not be reached. */
const atProxy = (failed: Failure): Failure =>
  failed.phase === "agent"
    ? failed
    : { ...failed, message: `the proxy cannot be reached: ${failed.message}` };

const deniedAt = (address: string, port: number): AddressAttempt => ({
  address,
  port,
  ended: "target_denied",
  elapsed: nanos(0),
  measuredBy: "event",
});

async function resolve(host: string, run: Run): Promise<Resolution> {
  const resolution = await lookUpTimed(host, run);
  const { deadline } = run;
  if (!resolution.ok && deadline.ended !== null)
    return { ok: false, failure: timedOut(deadline, "dns", host) };
  return resolution;
}
