import { connect, isIP, type Socket } from "node:net";
import type { Deadline } from "#deadline";
import type { Failure } from "#check/failure";
import * as limits from "#limits";
import type { AddressTried, TlsFacts } from "#check/outcome";
import { classify, timedOut } from "#probes/classify";
import type { TargetGuard } from "#probes/connection/guard";
import { handshake } from "#probes/connection/handshake";
import type { Mark } from "#probes/connection/marker";
import { fixedAddressesOf } from "#probes/overrides";
import type { ProbeContext, Run } from "#probes/probe";
import { openTunnel } from "#probes/connection/tunnel";
import { type Proxy, proxyFor } from "#network/proxy";
import type { Resolution } from "#probes/dns/resolving";
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
  | (DialFacts & { readonly ok: true; readonly socket: Socket; readonly ready: Mark })
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
  const { socket, mark, addresses } = reached;
  if (endpoint.tls === null) return { ok: true, socket, ready: mark, addresses, tls: null };
  run.stopwatch.enter("tls", mark);
  const where = showHostPort(endpoint.host, endpoint.port);
  const peer = { host: endpoint.host, where, alpn: endpoint.tls.alpn, phase: "tls" } as const;
  const secured = await handshake(socket, peer, run);
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
  const tunnel = await openTunnel(won.socket, proxy, target, run);
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
  | { readonly ok: true; readonly socket: Socket; readonly mark: Mark }
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
  readonly #runners = new Map<Socket, { readonly address: string; readonly startedAt: Nanos }>();
  readonly #tried: AddressTried[] = [];
  #next = 0;
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
    const socket = connect({
      host: address,
      port: this.#port,
      autoSelectFamily: false,
      noDelay: true,
    });
    this.#runners.set(socket, { address, startedAt: this.#context.marker.acted().at });
    socket.once("connectionAttempt", () => this.#onAttempt(socket, address));
    socket.once("connect", () => this.#onConnect(socket));
    socket.once("error", (error) => this.#onError(socket, error));
    if (this.#next < this.#addresses.length) this.#startNextAfter(limits.nextAddressAfter);
  }

  /** The call that sends the SYN follows at once: the SYN has left when it returns, which the next tick sees. */
  #onAttempt(socket: Socket, address: string): void {
    const { marker } = this.#context;
    const calling = marker.acted();
    process.nextTick(() => {
      if (!this.#runners.has(socket)) return;
      const sent = marker.since(calling);
      this.#runners.set(socket, { address, startedAt: sent.at });
      this.#enterConnect(sent);
    });
  }

  #enterConnect(mark?: Mark): void {
    if (this.#stopwatch.running !== "connect") this.#stopwatch.enter("connect", mark);
  }

  #startNextAfter(pause: Millis): void {
    const waited = this.#next;
    void this.#context.clock.sleep(pause, this.#over.signal).then(() => {
      if (this.#next === waited) this.#startNext();
    });
  }

  /** The event comes late, by however long the loop was busy; where the kernel knows the instant, that one counts. */
  #onConnect(socket: Socket): void {
    const told = this.#context.marker.told();
    if (this.#over.signal.aborted) return;
    const handshake = this.#context.kernelClock.handshake(socket);
    const startedAt = this.#runners.get(socket)?.startedAt ?? told.at;
    const mark: Mark =
      handshake === null
        ? told
        : { at: nanos(Math.min(startedAt + handshake, told.at)), errorBar: nanos(0) };
    this.#end(socket, "connected", mark.at, handshake === null ? "event" : "kernel");
    socket.removeAllListeners("error");
    this.#finish({ ok: true, socket, mark });
  }

  #onError(socket: Socket, error: Error): void {
    if (this.#over.signal.aborted) return;
    const runner = this.#runners.get(socket);
    const where = showHostPort(runner?.address ?? "?", this.#port);
    const failed = classify(error, "connect", where);
    const told = this.#context.marker.told();
    this.#firstFailure ??= failed;
    this.#end(socket, failed.code, told.at);
    socket.destroy();
    if (this.#next < this.#addresses.length) this.#startNext();
    else if (this.#runners.size === 0) {
      this.#enterConnect();
      this.#stopwatch.stop(told);
      this.#finish({ ok: false, failure: withCount(this.#firstFailure, this.#tried.length) });
    }
  }

  #finish(won: Won): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort("over");
    const { at } = this.#context.marker.acted();
    const ended = won.ok ? "abandoned" : won.failure.code;
    for (const socket of this.#runners.keys()) {
      this.#end(socket, ended, at);
      // A socket that is destroyed while it connects may still emit an error; nobody is asking any more.
      socket.on("error", () => {});
      socket.destroy();
    }
    this.#outcome.resolve(won);
  }

  #end(
    socket: Socket,
    ended: AddressTried["ended"],
    at: Nanos,
    measuredBy: AddressTried["measuredBy"] = "event",
  ): void {
    const runner = this.#runners.get(socket);
    if (runner === undefined) return;
    this.#runners.delete(socket);
    const elapsed = nanos(at - runner.startedAt);
    this.#tried.push({ address: runner.address, port: this.#port, ended, elapsed, measuredBy });
  }

  #timeout(): Failure {
    const where = [...this.#runners.values()].map(({ address }) =>
      showHostPort(address, this.#port),
    );
    return timedOut(this.#deadline, "connect", where.join(", ") || "the target");
  }
}

function withCount(first: Failure, count: number): Failure {
  if (count < 2) return first;
  return { ...first, message: `${first.message}; none of ${count} addresses could be reached` };
}
