import type { Deadline } from "#base/deadline";
import { Ending } from "#base/ending";
import type { ConnectionEvidence } from "#check/evidence";
import type { Failure } from "#check/failure";
import * as limits from "#limits/probes-limits";
import type { AddressAttempt } from "#check/outcome";
import { classify, timedOut } from "#probes/socket/classify";
import type { BareLine } from "#probes/socket/line";
import type { Mark } from "#probes/socket/marker";
import type { ProbeContext, Run } from "#probes/connection/probe";
import type { Attempt, MeasuredMark } from "#probes/socket/sockets";
import type { Stopwatch } from "#probes/socket/stopwatch";
import {
  explained,
  peerWitness,
  type PeerWitness,
  type NoConnection,
} from "#probes/socket/unreached";
import { showHostPort } from "#network/host-port";
import { type Millis, nanos, type Nanos } from "#base/units";

/** A connection that nothing was sent over, or why there is none. */
export type RaceResult =
  | {
      readonly ok: true;
      readonly line: BareLine;
      readonly mark: Mark;
      readonly witness: PeerWitness;
    }
  | NoConnection;

/**
 * Happy Eyeballs (RFC 8305): the addresses are dialled in order, the next one as soon as the last has failed or has
 * kept silent for 250 ms; the first that connects wins.
 *
 *     a ────────────────✗ abandoned
 *        b ──✗ refused
 *           c ────● wins
 */
export class ConnectRace {
  readonly #addresses: readonly string[];
  readonly #to: RaceEnd;
  readonly #deadline: Deadline;
  readonly #stopwatch: Stopwatch;
  readonly #context: ProbeContext;
  readonly #over = new Ending();
  readonly #outcome = Promise.withResolvers<RaceResult>();
  readonly #runners = new Set<Runner>();
  readonly #tried: AddressAttempt[] = [];
  #next = 0;
  /** When the first SYN left, as far as it is known. */
  #firstSyn: { readonly runner: Runner; mark: Mark } | null = null;
  #first: NoConnection | null = null;

  constructor(addresses: readonly string[], to: RaceEnd, { deadline, stopwatch, context }: Run) {
    this.#addresses = addresses.slice(0, limits.addressesMax);
    this.#to = to;
    this.#deadline = deadline;
    this.#stopwatch = stopwatch;
    this.#context = context;
  }

  /** Addresses in the order in which they ended. */
  get tried(): readonly AddressAttempt[] {
    return this.#tried;
  }

  async run(): Promise<RaceResult> {
    const onDeadline = (): void => {
      // Also a race that ended before its first SYN has failed in this phase.
      this.#enterConnect();
      this.#stopwatch.stop();
      this.#finish(this.#timeout());
    };
    if (this.#deadline.end.aborted) onDeadline();
    else {
      this.#deadline.end.addEventListener("abort", onDeadline, { once: true });
      this.#startNext();
    }
    const won = await this.#outcome.promise;
    this.#deadline.end.removeEventListener("abort", onDeadline);
    return won;
  }

  #startNext(): void {
    const address = this.#addresses[this.#next];
    if (address === undefined || this.#over.aborted) return;
    this.#next += 1;
    const startedAt = this.#context.marker.acted().at;
    const attempt = this.#context.sockets.connect(address, this.#to.port, {
      onSyn: (mark) => this.#onSyn(runner, mark),
      onConnected: (line, connected) => this.#onConnected(runner, line, connected),
      onFailed: (error, mark) => this.#onFailed(runner, error, mark),
      onOwnWork: (from, to) => this.#stopwatch.ownWork(from, to),
    });
    const { peer, port } = this.#to;
    const witness = peerWitness({ address, peer, port }, attempt.witness);
    const runner: Runner = { address, attempt, startedAt, witness };
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
    void this.#context.clock.sleep(pause, this.#over).then(() => {
      if (this.#next === waited) this.#startNext();
    });
  }

  #onConnected(runner: Runner, line: BareLine, { mark, measuredBy }: MeasuredMark): void {
    this.#end(runner, "connected", mark.at, measuredBy);
    this.#finish({ ok: true, line, mark, witness: runner.witness });
  }

  #onFailed(runner: Runner, error: Error, mark: Mark): void {
    const failed = classify(error, "connect", showHostPort(runner.address, this.#to.port));
    const first = (this.#first ??= explained(failed, runner.witness));
    this.#end(runner, failed.code, mark.at);
    if (this.#next < this.#addresses.length) this.#startNext();
    else if (this.#runners.size === 0) {
      this.#enterConnect();
      this.#stopwatch.stop(mark);
      this.#finish({ ...first, failure: withCount(first.failure, this.#tried.length) });
    }
  }

  #finish(won: RaceResult): void {
    if (this.#over.aborted) return;
    this.#over.abort();
    this.#enterConnect();
    const { at } = this.#context.marker.acted();
    const ended = won.ok ? "abandoned" : won.failure.code;
    for (const runner of this.#runners) {
      runner.attempt.witness.dismiss();
      this.#end(runner, ended, at);
      runner.attempt.abandon();
    }
    this.#outcome.resolve(won);
  }

  #end(
    runner: Runner,
    ended: AddressAttempt["ended"],
    at: Nanos,
    measuredBy: AddressAttempt["measuredBy"] = "event",
  ): void {
    if (!this.#runners.delete(runner)) return;
    const elapsed = nanos(Math.max(0, at - runner.startedAt));
    this.#tried.push({ address: runner.address, port: this.#to.port, ended, elapsed, measuredBy });
  }

  #timeout(): NoConnection {
    const runners = [...this.#runners];
    const where = runners.map(({ address }) => showHostPort(address, this.#to.port));
    const late = timedOut(this.#deadline, "connect", where.join(", ") || "the target");
    return explained(late, runners[0]?.witness ?? null);
  }
}

/** Whose the addresses are, and the port to dial. */
type RaceEnd = Pick<ConnectionEvidence, "peer" | "port">;

/** One address under way. */
interface Runner {
  readonly address: string;
  readonly attempt: Attempt;
  readonly witness: PeerWitness;
  startedAt: Nanos;
}

function withCount(first: Failure, count: number): Failure {
  if (count < 2) return first;
  return { ...first, message: `${first.message}; none of ${count} addresses could be reached` };
}
