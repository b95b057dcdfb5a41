import type { Echo } from "#check/echoes";
import type { Deadline } from "#base/deadline";
import { Ending } from "#base/ending";
import type { IcmpRefusal } from "#check/evidence";
import type { IcmpTarget } from "#check/kinds/icmp/icmp-monitor";
import type { ProbeContext } from "#probes/connection/probe";
import type { Mark } from "#probes/socket/marker";
import type { EchoReply, EchoSocket } from "#probes/socket/sockets";
import { nanos, type Nanos } from "#base/units";

/** The echo requests of one attempt to one address, at the pace that the monitor asks for, until each has its end. */
export class EchoRound {
  readonly address: string;
  readonly echoes: Echo[] = [];
  /** When the first request left, and the last reply came. */
  firstLeft: Mark | null = null;
  lastCame: Mark | null = null;
  hopLimit: number | null = null;
  duplicates = 0;
  source: string | null = null;
  /** What kept it from sending; null if it could send all. */
  fault: Error | null = null;
  readonly #target: IcmpTarget;
  readonly #deadline: Deadline;
  readonly #context: ProbeContext;
  /** A reply that comes after this is late. */
  readonly #until: Nanos;
  readonly #over = new Ending();
  #isSent = false;

  constructor(address: string, target: IcmpTarget, deadline: Deadline, context: ProbeContext) {
    this.address = address;
    this.#target = target;
    this.#deadline = deadline;
    this.#context = context;
    this.#until = nanos(context.clock.monotonic() + deadline.remaining() * 1e6);
  }

  /** Ends with the last reply, with the deadline, or with what keeps it from sending. */
  async run(): Promise<void> {
    const ready = Promise.withResolvers<void>();
    const end = (): void => {
      this.#over.abort();
      ready.resolve();
    };
    this.#deadline.end.addEventListener("abort", end);
    if (this.#deadline.end.aborted) end();
    const socket = this.#context.sockets.echoes(this.address, {
      onReady: ready.resolve,
      onReply: (reply) => this.#onReply(reply),
      onRefused: (request, refusal) => this.#onRefused(request, refusal),
      onFailed: (error) => {
        this.fault = error;
        end();
      },
    });
    await ready.promise;
    this.source = socket.source;
    await this.#sendAll(socket);
    await this.#untilOver();
    // What came in time is read, also if this thread had no time for it.
    socket.read();
    socket.close();
    this.#deadline.end.removeEventListener("abort", end);
  }

  async #sendAll(socket: EchoSocket): Promise<void> {
    const { packets, interval } = this.#target;
    for (let count = 0; count < packets && !this.#over.aborted; count += 1) {
      if (count > 0) await this.#context.clock.sleep(interval, this.#over);
      if (this.#over.aborted) return;
      // A reply may be reported within the call.
      this.echoes.push(unanswered);
      const left = socket.send();
      if (left === null) {
        this.echoes.pop();
        return;
      }
      this.firstLeft ??= left;
    }
    this.#isSent = true;
    this.#endIfWhole();
  }

  #untilOver(): Promise<void> {
    if (this.#over.aborted) return Promise.resolve();
    return new Promise((resolve) => this.#over.addEventListener("abort", () => resolve()));
  }

  #onReply({ request, roundTrip, errorBar, came, hopLimit }: EchoReply): void {
    if (this.echoes[request] === undefined || came.at - came.errorBar > this.#until) return;
    if (this.echoes[request].roundTrip !== null) return void (this.duplicates += 1);
    this.echoes[request] = { roundTrip, errorBar, refusal: null };
    this.hopLimit = hopLimit;
    if (this.lastCame === null || came.at > this.lastCame.at) this.lastCame = came;
    this.#endIfWhole();
  }

  /** A reply counts more than an error: a router on one of two ways may have no route. */
  #onRefused(request: number, refusal: Pick<IcmpRefusal, "sender" | "type" | "code">): void {
    const echo = this.echoes[request];
    if (echo === undefined || echo.roundTrip !== null) return;
    this.echoes[request] = { ...echo, refusal: { ...refusal, from: this.#whose(refusal.sender) } };
    this.#endIfWhole();
  }

  #whose(sender: string): IcmpRefusal["from"] {
    if (sender === this.source) return "this machine";
    return sender === this.address ? "the peer" : "a router";
  }

  #endIfWhole(): void {
    const isWhole = this.echoes.every((one) => one.roundTrip !== null || one.refusal !== null);
    if (this.#isSent && isWhole) this.#over.abort();
  }
}

const unanswered: Echo = { roundTrip: null, errorBar: nanos(0), refusal: null };
