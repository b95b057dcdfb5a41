import { isIP } from "node:net";
import type { Deadline } from "#deadline";
import type { Failure } from "#check/failure";
import * as limits from "#limits";
import type { AddressTried, TlsFacts } from "#check/outcome";
import { classify, timedOut } from "#probes/classify";
import type { TargetGuard } from "#probes/connection/guard";
import { handshake } from "#probes/connection/handshake";
import { type Line, socketLine } from "#probes/connection/line";
import { eventTimes } from "#probes/connection/wire-times";
import type { Mark } from "#probes/connection/marker";
import { fixedAddressesOf } from "#probes/overrides";
import type { ProbeContext, Run } from "#probes/probe";
import { openTunnel } from "#probes/connection/tunnel";
import { type Proxy, proxyFor } from "#network/proxy";
import type { Resolution } from "#probes/dns/resolving";
import type { Attempt, Noted } from "#probes/connection/sockets";
import type { Stopwatch } from "#probes/connection/stopwatch";
import { showHostPort } from "#network/host-port";
import { type Millis, nanos, type Nanos } from "#units";

/** Where to connect, and how TLS is spoken there; null speaks none. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly alpn: readonly string[] } | null;
}

/** A connection that is ready to use, or why there is none. */
export type Dialled =
  | (DialFacts & { readonly ok: true; readonly line: Line; readonly ready: Mark })
  | (DialFacts & { readonly ok: false; readonly failure: Failure });

interface DialFacts {
  readonly addresses: readonly AddressTried[];
  readonly tls: TlsFacts | null;
}

/**
 * Opens one fresh connection: resolve, screen, connect, the proxy's tunnel, TLS. Marks those phases on the stopwatch,
 * leaves the last one running, and destroys every socket it opened unless it hands it over. Every probe opens its
 * connections here.
 */
export async function dial(endpoint: Endpoint, run: Run): Promise<Dialled> {
  const proxy = proxyFor(endpoint, run.context.proxying);
  const reached =
    proxy === null ? await reach(endpoint, run) : await reachThrough(proxy, endpoint, run);
  if (!reached.ok) return { ...reached, tls: null };
  const { line, mark, addresses } = reached;
  if (endpoint.tls === null) return { ok: true, line, ready: mark, addresses, tls: null };
  run.stopwatch.enter("tls", mark);
  const where = showHostPort(endpoint.host, endpoint.port);
  const peer = { host: endpoint.host, where, alpn: endpoint.tls.alpn, phase: "tls" } as const;
  const secured = await handshake(line, peer, run);
  return { ...secured, addresses };
}

/** A connection to the target that nothing was sent over, or why there is none. */
type Reached = Won & { readonly addresses: readonly AddressTried[] };

async function reach({ host, port }: Endpoint, run: Run): Promise<Reached> {
  const { guard, overrides } = run.context;
  const denial = guard.hostDenial(host);
  if (denial !== null) return { ok: false, failure: denial, addresses: [] };
  const fixed = fixedAddressesOf({ host, port }, overrides);
  const resolved: Resolution =
    fixed === null ? await resolve(host, run) : { ok: true, addresses: fixed };
  if (!resolved.ok) return { ...resolved, addresses: [] };
  const screened = guard.screen(host, resolved.addresses);
  const denied = screened.denied.map((address) => deniedAt(address, port));
  if (!screened.ok) return { ok: false, failure: screened.failure, addresses: denied };
  const race = new ConnectRace(screened.addresses, port, run);
  const won = await race.run();
  return { ...won, addresses: [...denied, ...race.tried] };
}

/**
 * The proxy looks the target's name up, so the guard judges the target as it is written. The proxy itself is the
 * operator's choice, and no target.
 */
async function reachThrough(proxy: Proxy, target: Endpoint, run: Run): Promise<Reached> {
  const denied = deniedAsWritten(target, run.context.guard);
  if (denied !== null) return denied;
  const resolved = await resolve(proxy.host, run);
  if (!resolved.ok) return { ok: false, failure: atProxy(resolved.failure), addresses: [] };
  const race = new ConnectRace(resolved.addresses, proxy.port, run);
  const won = await race.run();
  if (!won.ok) return { ok: false, failure: atProxy(won.failure), addresses: race.tried };
  run.stopwatch.enter("proxy", won.mark);
  // What a proxy adds is not worth the kernel's instants: the runtime speaks with it.
  const line = socketLine(won.line.socket(), eventTimes(run.context.marker));
  const tunnel = await openTunnel(line, proxy, target, run);
  return { ...tunnel, addresses: race.tried };
}

function deniedAsWritten({ host, port }: Endpoint, guard: TargetGuard): Reached | null {
  const denial = guard.hostDenial(host);
  if (denial !== null) return { ok: false, failure: denial, addresses: [] };
  if (isIP(host) === 0) return null;
  const screened = guard.screen(host, [host]);
  return screened.ok
    ? null
    : { ok: false, failure: screened.failure, addresses: [deniedAt(host, port)] };
}

/** Without it, the sentence would read as if the target could not be reached. */
const atProxy = (failed: Failure): Failure =>
  failed.phase === "agent"
    ? failed
    : { ...failed, message: `the proxy cannot be reached: ${failed.message}` };

const deniedAt = (address: string, port: number): AddressTried => ({
  address,
  port,
  ended: "target_denied",
  elapsed: nanos(0),
  measuredBy: "event",
});

/** An address needs no resolution, so its check has no dns phase. */
async function resolve(host: string, { deadline, stopwatch, context }: Run): Promise<Resolution> {
  if (isIP(host) !== 0) return { ok: true, addresses: [host] };
  stopwatch.enter("dns");
  const resolution = await context.resolver.resolve(host, context.ipFamily, deadline);
  if (!resolution.ok && deadline.ended !== null)
    return { ok: false, failure: timedOut(deadline, "dns", host) };
  return resolution;
}

type Won =
  | { readonly ok: true; readonly line: Line; readonly mark: Mark }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Happy Eyeballs (RFC 8305): the addresses are dialled in order, the next one as soon as the last has failed or has
 * kept silent for 250 ms; the first that connects wins.
 *
 *     a ────────────────✗ abandoned
 *        b ──✗ refused
 *           c ────● wins
 */
class ConnectRace {
  readonly #addresses: readonly string[];
  readonly #port: number;
  readonly #deadline: Deadline;
  readonly #stopwatch: Stopwatch;
  readonly #context: ProbeContext;
  readonly #over = new AbortController();
  readonly #outcome = Promise.withResolvers<Won>();
  readonly #runners = new Set<Runner>();
  readonly #tried: AddressTried[] = [];
  #next = 0;
  /** When the first SYN left, as far as it is known. */
  #firstSyn: { readonly runner: Runner; mark: Mark } | null = null;
  #firstFailure: Failure | null = null;

  constructor(addresses: readonly string[], port: number, { deadline, stopwatch, context }: Run) {
    this.#addresses = addresses.slice(0, limits.addressesMax);
    this.#port = port;
    this.#deadline = deadline;
    this.#stopwatch = stopwatch;
    this.#context = context;
  }

  /** Addresses in the order in which they ended. */
  get tried(): readonly AddressTried[] {
    return this.#tried;
  }

  async run(): Promise<Won> {
    const onDeadline = (): void => {
      // Also a race that ended before its first SYN has failed in this phase.
      this.#enterConnect();
      this.#stopwatch.stop();
      this.#finish({ ok: false, failure: this.#timeout() });
    };
    if (this.#deadline.signal.aborted) onDeadline();
    else {
      this.#deadline.signal.addEventListener("abort", onDeadline, { once: true });
      this.#startNext();
    }
    const won = await this.#outcome.promise;
    this.#deadline.signal.removeEventListener("abort", onDeadline);
    return won;
  }

  #startNext(): void {
    const address = this.#addresses[this.#next];
    if (address === undefined || this.#over.signal.aborted) return;
    this.#next += 1;
    const startedAt = this.#context.marker.acted().at;
    const attempt = this.#context.sockets.connect(address, this.#port, {
      onSyn: (mark) => this.#onSyn(runner, mark),
      onConnected: (line, connected) => this.#onConnected(runner, line, connected),
      onFailed: (error, mark) => this.#onFailed(runner, error, mark),
      onOwnWork: (from, to) => this.#stopwatch.ownWork(from, to),
    });
    const runner: Runner = { address, attempt, startedAt };
    this.#runners.add(runner);
    if (this.#next < this.#addresses.length) this.#startNextAfter(limits.nextAddressAfter);
  }

  #onSyn(runner: Runner, mark: Mark): void {
    runner.startedAt = mark.at;
    this.#firstSyn ??= { runner, mark };
    if (this.#firstSyn.runner === runner) this.#firstSyn.mark = mark;
  }

  #enterConnect(): void {
    if (this.#stopwatch.running !== "connect")
      this.#stopwatch.enter("connect", this.#firstSyn?.mark);
  }

  #startNextAfter(pause: Millis): void {
    const waited = this.#next;
    void this.#context.clock.sleep(pause, this.#over.signal).then(() => {
      if (this.#next === waited) this.#startNext();
    });
  }

  #onConnected(runner: Runner, line: Line, { mark, measuredBy }: Noted): void {
    this.#end(runner, "connected", mark.at, measuredBy);
    this.#finish({ ok: true, line, mark });
  }

  #onFailed(runner: Runner, error: Error, mark: Mark): void {
    const failed = classify(error, "connect", showHostPort(runner.address, this.#port));
    this.#firstFailure ??= failed;
    this.#end(runner, failed.code, mark.at);
    if (this.#next < this.#addresses.length) this.#startNext();
    else if (this.#runners.size === 0) {
      this.#enterConnect();
      this.#stopwatch.stop(mark);
      this.#finish({ ok: false, failure: withCount(this.#firstFailure, this.#tried.length) });
    }
  }

  #finish(won: Won): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort("over");
    this.#enterConnect();
    const { at } = this.#context.marker.acted();
    const ended = won.ok ? "abandoned" : won.failure.code;
    for (const runner of this.#runners) {
      this.#end(runner, ended, at);
      runner.attempt.abandon();
    }
    this.#outcome.resolve(won);
  }

  #end(
    runner: Runner,
    ended: AddressTried["ended"],
    at: Nanos,
    measuredBy: AddressTried["measuredBy"] = "event",
  ): void {
    if (!this.#runners.delete(runner)) return;
    const elapsed = nanos(Math.max(0, at - runner.startedAt));
    this.#tried.push({ address: runner.address, port: this.#port, ended, elapsed, measuredBy });
  }

  #timeout(): Failure {
    const where = [...this.#runners].map(({ address }) => showHostPort(address, this.#port));
    return timedOut(this.#deadline, "connect", where.join(", ") || "the target");
  }
}

/** One address under way. */
interface Runner {
  readonly address: string;
  readonly attempt: Attempt;
  startedAt: Nanos;
}

function withCount(first: Failure, count: number): Failure {
  if (count < 2) return first;
  return { ...first, message: `${first.message}; none of ${count} addresses could be reached` };
}
