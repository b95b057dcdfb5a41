import { failure, type Failure } from "#check/failure";
import type { Deadline } from "#base/deadline";
import * as limits from "#limits/probes-limits";
import { errorCode } from "#network/system-errors";
import { type BodyClaim, noBodyMemory } from "#probes/socket/body-memory";
import { classify, timedOut } from "#probes/socket/classify";
import type { Connection } from "#probes/socket/connection";
import type { Mark } from "#probes/socket/marker";
import type { Stopwatch } from "#probes/socket/stopwatch";
import { codingsOf, decodingBytes } from "#probes/http/body";
import { BodyBytes } from "#probes/http/body-bytes";
import type { ExchangeEnd, ResponseHead } from "#probes/http/raw-response";
import { firstValue, type HeaderPairs } from "#network/http/headers";
import type { ParserFault } from "#network/http/response-parser";
import type { ProbeContext, Run } from "#probes/connection/probe";
import type { HttpNotes } from "#probes/resolve/transcript";
import { bytes, nanos, type Nanos } from "#base/units";

/** What the caller wants of a response once its head is there: its body, or nothing more. */
export type WantsBody = (statusCode: number, location: string | null) => boolean;

/** How far the response has come; what a broken connection means depends on it. */
type Progress = "request" | "head" | "body" | "over";

/**
 * One response while it comes, over whichever version of HTTP: it marks write, wait and receive on the stopwatch, stops
 * it with the last byte, and knows what an end means that comes too early.
 */
export class IncomingResponse {
  readonly ended: Promise<ExchangeEnd>;
  readonly #end: (exchanged: ExchangeEnd) => void;
  readonly #where: string;
  readonly #deadline: Deadline;
  readonly #stopwatch: Stopwatch;
  readonly #context: ProbeContext;
  readonly #wantsBody: WantsBody;
  readonly #notes: HttpNotes | null;
  readonly #body: BodyBytes;
  readonly #informational: number[] = [];
  #cut = false;
  #trailers: HeaderPairs = [];
  #claim: BodyClaim | null = null;
  /** Whether it has asked for memory, be it granted or not. */
  #asked = false;
  /** Since when the peer has not been read, because there is no memory for what it sends. */
  #waitsSince: Nanos | null = null;
  /** How long the peer was not read in all: what it sent meanwhile came at no known instant. */
  #unread: Nanos = nanos(0);
  #source: Pick<Connection, "pause" | "resume"> | null = null;
  #progress: Progress = "request";
  #head: ResponseHead | null = null;
  /** When the first byte of the head that is being read came. */
  #headBegan: Mark | null = null;
  /** When the request had left, as far as it is known. */
  #sent: Mark | null = null;

  constructor(
    where: string,
    { deadline, stopwatch, context }: Run,
    wantsBody: WantsBody,
    notes: HttpNotes | null,
  ) {
    this.#where = where;
    this.#deadline = deadline;
    this.#stopwatch = stopwatch;
    this.#context = context;
    this.#wantsBody = wantsBody;
    this.#notes = notes;
    this.#body = new BodyBytes(context.bodyBytesMax);
    const { promise, resolve } = Promise.withResolvers<ExchangeEnd>();
    this.ended = promise;
    this.#end = resolve;
  }

  /** Where its bytes come from, which is asked to wait while there is no memory for more. */
  readFrom(source: Pick<Connection, "pause" | "resume">): void {
    this.#source = source;
    if (this.#waitsSince !== null) source.pause();
  }

  /** The request has left. More may be known of it later: the stopwatch gets it with what comes next. */
  onSent(mark: Mark): void {
    this.#sent = mark;
  }

  /** The first byte of a response, or of an interim one before it. The request left before it at the latest. */
  onHeadBegan(mark: Mark): void {
    if (this.#progress === "over") return;
    this.#progress = "head";
    this.#enterWait(mark);
    this.#headBegan = mark;
  }

  #enterWait(mark: Mark | null): void {
    const left = this.#sent ?? mark;
    if (this.#stopwatch.running === "write" && left !== null) this.#stopwatch.enter("wait", left);
  }

  /** The wait lasts until the final response: an interim one is no separate phase. */
  onInterim(statusCode: number): void {
    if (this.#progress === "over") return;
    this.#informational.push(statusCode);
    this.#progress = "request";
  }

  onHead(head: ResponseHead, mark: Mark): void {
    if (this.#progress === "over") return;
    this.#head = head;
    this.#notes?.head(head.statusCode, head.headers);
    this.#enterReceive();
    this.#progress = "body";
    if (!this.#wantsBody(head.statusCode, firstValue(head.headers, "location"))) this.onWhole(mark);
    else this.#expectBody(lengthOf(head));
  }

  /** Of no length where the head says none. */
  #expectBody(length: number): void {
    if (length > limits.bodyBytesUnclaimed) this.#claimRest();
    else if (length > 0) this.#body.expect(bytes(length));
  }

  onBody(bytes: Uint8Array, from: number, to: number, mark: Mark): void {
    if (this.#progress === "over") return;
    const before = this.#body.size;
    const fits = this.#body.add(bytes, from, to);
    this.#notes?.body(bytes.subarray(from, from + this.#body.size - before));
    if (!fits) {
      this.#cut = true;
      this.onWhole(mark);
    } else if (this.#asked) {
      // What came before its maker was made to wait is all that it holds meanwhile.
      if (this.#waitsSince !== null) this.#body.take();
    } else if (this.#body.size > limits.bodyBytesUnclaimed) this.#claimRest();
  }

  onTrailers(trailers: HeaderPairs): void {
    this.#trailers = trailers;
  }

  /**
   * A body that is longer than most asks for all that it may become, at once: where its head says how long it is, or
   * else when it has grown long. So none waits while it holds much.
   */
  #claimRest(): void {
    const { bodyMemory, bodyBytesMax, marker } = this.#context;
    this.#asked = true;
    const length = this.#head === null ? 0 : lengthOf(this.#head);
    const room = Math.min(bodyBytesMax, length > 0 ? length : Infinity);
    const decoding = decodingBytes(codingsOf(this.#head), room, bodyBytesMax);
    const granted = (claim: BodyClaim | null): void => {
      if (this.#progress === "over" || claim === null) return claim?.shrink(0);
      this.#claim = claim;
      this.#body.reserve(room);
    };
    const taken = bodyMemory.take(room + decoding, this.#deadline.end);
    if (!(taken instanceof Promise)) return granted(taken);
    const since = marker.acted().at;
    this.#waitsSince = since;
    this.#source?.pause();
    this.#body.take();
    void taken.then((claim) => {
      granted(claim);
      if (claim === null) return;
      this.#waitsSince = null;
      this.#unread = nanos(this.#unread + marker.acted().at - since);
      this.#source?.resume();
    });
  }

  /** The response ended with the last bytes that were read, whatever else the connection does. */
  onWhole(mark: Mark): void {
    if (this.#progress === "over") return;
    this.#stopwatch.stop({ ...mark, errorBar: nanos(Math.max(mark.errorBar, this.#unread)) });
    this.#finish(null);
  }

  /** The response ended too early, as a sentence begins that says how: what it means depends on how much had come. */
  onBrokenOff(how: string, error: Error | null = null): void {
    this.#fail((phase) => this.#brokenOff(how, error, phase));
  }

  /** A stream of HTTP/2 ended while its connection may live on: before the head came, that is no answer in HTTP. */
  onStreamEnd(how: string): void {
    if (this.#head === null) this.onFault({ code: "protocol_error", why: how });
    else this.onBrokenOff(how);
  }

  onError(error: unknown): void {
    if (["ECONNRESET", "EPIPE"].includes(errorCode(error)))
      return this.onBrokenOff("the connection was reset", Error.isError(error) ? error : null);
    this.#fail((phase) => classify(error, phase, this.#where));
  }

  onFault(fault: ParserFault): void {
    this.#fail((phase) => {
      switch (fault.code) {
        case "headers_too_large": {
          const message = `the response head is over ${fault.max / 1024} KiB (${this.#where})`;
          return failure("headers_too_large", phase, message);
        }
        case "protocol_error": {
          const message = `the answer is not valid HTTP: ${fault.why} (${this.#where})`;
          return failure("protocol_error", phase, message);
        }
      }
    });
  }

  onDeadline(): void {
    if (this.#progress === "over") return;
    this.#enterReceive();
    const phase = this.#stopwatch.running ?? "wait";
    // A check that was made to wait had less time than the target is owed.
    if ((this.#waitsSince !== null || this.#unread > 0) && this.#deadline.ended !== "cancelled")
      return this.#finish(noBodyMemory(this.#where));
    const late = timedOut(this.#deadline, phase, this.#where);
    if (this.#progress !== "head" || late.code === "cancelled") return this.#finish(late);
    const message = `Timeout after ${this.#deadline.budget} ms in the middle of the response head of ${this.#where}`;
    this.#finish(failure("response_timeout", phase, message));
  }

  #fail(failed: (phase: NonNullable<Stopwatch["running"]>) => Failure): void {
    if (this.#progress === "over") return;
    this.#enterReceive();
    const why = failed(this.#stopwatch.running ?? "wait");
    this.#stopwatch.stop(this.#context.marker.observed());
    this.#finish(why);
  }

  #brokenOff(how: string, error: Error | null, phase: NonNullable<Stopwatch["running"]>): Failure {
    const where = this.#where;
    switch (this.#progress) {
      case "request": {
        if (error !== null) return classify(error, phase, where);
        const message = `the peer closed the connection without answering (${where})`;
        return failure("empty_reply", phase, message);
      }
      case "head": {
        const message = `${how} in the middle of the response head (${where})`;
        return failure("headers_truncated", phase, message);
      }
      case "body":
      case "over": {
        const message = `${how} after ${this.#body.size} bytes of the body (${where})`;
        return failure("body_truncated", phase, message);
      }
    }
  }

  /** From the first byte of a head; only at its end is it known to be the final one. One that broke off counts as such. */
  #enterReceive(): void {
    this.#enterWait(null);
    if (this.#progress === "head" && this.#headBegan !== null)
      this.#stopwatch.enter("receive", this.#headBegan);
  }

  #finish(failed: Failure | null): void {
    this.#progress = "over";
    this.#notes?.ended(failed === null);
    const received =
      this.#head === null
        ? null
        : {
            ...this.#head,
            informational: this.#informational,
            raw: this.#body.take(),
            cut: this.#cut,
            trailers: this.#trailers,
            claim: this.#claim,
          };
    this.#end({ received, failure: failed });
  }
}

/** What the head says of the body's length; 0 if it says nothing, or nonsense that the parser has refused. */
function lengthOf({ headers }: ResponseHead): number {
  const length = Number(firstValue(headers, "content-length") ?? 0);
  return Number.isNaN(length) ? 0 : length;
}
