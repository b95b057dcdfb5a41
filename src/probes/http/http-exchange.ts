import type { Socket } from "node:net";
import { Client, type Dispatcher } from "undici";
import type { Deadline } from "#deadline";
import { failure, type Failure } from "#check/failure";
import * as limits from "#limits";
import { classify, timedOut } from "#probes/classify";
import { errorCode } from "#network/system-errors";
import { disguiseLength } from "#probes/http/double-length";
import { firstValue, headerPairs, type HeaderPairs } from "#probes/http/headers";
import {
  disguiseContinue,
  shownStatus,
  tooManyInterim,
  unaskedUpgrade,
} from "#probes/http/interim";
import type { Mark } from "#probes/connection/marker";
import type { ProbeContext, Run } from "#probes/probe";
import type { Request } from "#probes/http/redirect";
import type { Stopwatch } from "#probes/connection/stopwatch";
import { type HttpNotes, tapReads, tapWrites } from "#probes/transcript";
import { showHostPort } from "#network/host-port";

/** The head of a response, and as much of its body as was wanted, still encoded. */
export interface Received {
  readonly statusCode: number;
  readonly version: string;
  readonly headers: HeaderPairs;
  readonly informational: readonly number[];
  readonly raw: Uint8Array;
  /** True when there was more body than the limit. */
  readonly cut: boolean;
}

/** What came of one request; a response that broke off is kept beside the failure. */
export interface Exchanged {
  readonly received: Received | null;
  readonly failure: Failure | null;
}

/** What the caller wants of a response once its head is there: its body, or nothing more. */
export type WantsBody = (statusCode: number, location: string | null) => boolean;

/**
 * Sends one request over a connection that was just dialled and reads the answer, by undici's `dispatch`: its parser
 * and framing, none of its connecting, retrying or timers. Marks write, wait and receive on the stopwatch and stops it
 * with the last byte. The connection does not outlive it.
 */
export async function exchange(
  request: Request,
  { socket, ready }: { readonly socket: Socket; readonly ready: Mark },
  run: Run,
  wantsBody: WantsBody,
): Promise<Exchanged> {
  const { deadline, stopwatch, context } = run;
  stopwatch.enter("write", ready);
  const reader = new Reader(socket, run, wantsBody, request);
  const client = new Client(request.url.origin, {
    // Answered at once, undici would still be in the turn that asks, and never send.
    connect: (_options, callback) => queueMicrotask(() => callback(null, socket)),
    allowH2: context.http2,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: limits.responseHeadBytesMax,
    pipelining: 1,
    h2Options: { pingInterval: 0 },
  });
  // The socket is ours and already open: an error of the client's own has no other listener.
  client.on("connectionError", (_origin, _targets, error) => reader.onError(error));
  const onDeadline = (): void => reader.onDeadline();
  deadline.signal.addEventListener("abort", onDeadline, { once: true });
  if (deadline.signal.aborted) onDeadline();
  else dispatch(client, request, reader);
  const exchanged = await reader.ended;
  deadline.signal.removeEventListener("abort", onDeadline);
  socket.on("error", () => {});
  client.destroy(done).catch(() => {});
  socket.destroy();
  return exchanged;
}

/** Given to whoever still waits in a client that is done with, which is nobody: undici would make one each time. */
const done = new Error("the exchange is over");

function dispatch(client: Client, request: Request, reader: Reader): void {
  const { url, method, headers, body } = request;
  try {
    client.dispatch(
      {
        path: `${url.pathname}${url.search}`,
        method,
        headers: headers.flatMap(({ key, value }) => [key, value]),
        body,
        reset: true,
      },
      reader,
    );
  } catch (error) {
    reader.onError(error);
  }
}

const whereOf = (url: URL): string =>
  showHostPort(
    url.hostname.replace(/^\[|\]$/g, ""),
    Number(url.port || (url.protocol === "https:" ? 443 : 80)),
  );

/** How far the response has come; what a broken connection means depends on it. */
type Progress = "request" | "head" | "body";

class Reader implements Dispatcher.DispatchHandler {
  readonly ended: Promise<Exchanged>;
  readonly #socket: Socket;
  readonly #deadline: Deadline;
  readonly #stopwatch: Stopwatch;
  readonly #context: ProbeContext;
  readonly #wantsBody: WantsBody;
  readonly #where: string;
  readonly #end: (exchanged: Exchanged) => void;
  readonly #notes: HttpNotes | null;
  readonly #informational: number[] = [];
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #cut = false;
  #progress: Progress = "request";
  #version = "1.1";
  #head: Pick<Received, "statusCode" | "headers"> | null = null;
  #socketError: Error | null = null;
  /** When the bytes being parsed were read; the parser itself may be slow to get to them. */
  #chunk: Mark | null = null;
  /** When the first byte of the head that is being read came. */
  #headBegan: Mark | null = null;
  /** The first bytes of the response, as many as its version takes. */
  #beginning = "";
  /** Whether all that came so far is whole interim responses, so that the next byte begins another response. */
  #onlyInterim = true;
  /** When the request began to be written. */
  #writing: Mark | null = null;

  constructor(
    socket: Socket,
    { deadline, stopwatch, context }: Run,
    wantsBody: WantsBody,
    request: Request,
  ) {
    this.#socket = socket;
    this.#deadline = deadline;
    this.#stopwatch = stopwatch;
    this.#context = context;
    this.#wantsBody = wantsBody;
    this.#where = whereOf(request.url);
    const { promise, resolve } = Promise.withResolvers<Exchanged>();
    this.ended = promise;
    this.#end = resolve;
    socket.prependListener("error", (error) => {
      this.#socketError ??= error;
    });
    if ("alpnProtocol" in socket && socket.alpnProtocol === "h2") this.#version = "2";
    else tapReads(socket, (chunk) => this.#onRead(chunk));
    const notes = context.transcript.http(
      request,
      this.#where,
      this.#version === "2" ? "2" : "1.1",
    );
    if (notes !== null && this.#version !== "2") tapWrites(socket, (chunk) => notes.sent(chunk));
    this.#notes = notes;
  }

  /** What follows in this turn is the writing itself. */
  onRequestStart(): void {
    this.#writing = this.#context.marker.acted();
  }

  onRequestSent(): void {
    // A connection that was reset before it could carry the request has failed in writing it.
    if (this.#socket.errored !== null) return;
    // An HTTP/2 session collects its frames, and sends them at the end of the turn.
    if (this.#version === "2") return void setImmediate(() => this.#enterWait());
    // The kernel took it in the call that wrote it: on a new connection it always has room for so much.
    if (this.#socket.writableLength <= limits.requestSentAtOnceMax) return this.#enterWait();
    // An empty piece behind the request tells when it is gone: "drain" is never said of a short one, as TLS has it.
    this.#socket.write("", (error) => {
      if (error === null || error === undefined) this.#enterWait();
    });
  }

  /** The first byte of a response, or of an interim one before it. */
  onResponseStarted(): void {
    this.#progress = "head";
    const read = this.#read();
    this.#enterWait(read);
    this.#headBegan = read;
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number): void {
    // No upgrade was asked for, and undici would stumble over one that is only half announced.
    if (statusCode === 101) return this.onError(unaskedUpgrade());
    if (statusCode < 200) {
      this.#informational.push(shownStatus(statusCode));
      // The wait goes on until the final response: the interim one is no phase of its own.
      this.#progress = "request";
      if (this.#informational.length > limits.interimResponsesMax) this.onError(tooManyInterim());
      return;
    }
    const headers = headerPairs(controller.rawHeaders);
    this.#head = { statusCode, headers };
    this.#notes?.head(statusCode, headers);
    this.#enterReceive();
    this.#progress = "body";
    if (!this.#wantsBody(statusCode, firstValue(headers, "location"))) this.#complete();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#context.bodyBytesMax - this.#size;
    const fits = chunk.subarray(0, room);
    // The parser's memory is used again for the next chunk.
    this.#chunks.push(Buffer.from(fits));
    this.#size += fits.length;
    this.#notes?.body(fits);
    if (this.#version === "2") this.#chunk = this.#context.marker.told();
    if (fits.length === chunk.length) return;
    this.#cut = true;
    this.#complete();
  }

  onResponseEnd(): void {
    // A body that ends with the connection looks complete to the parser even when the connection was reset.
    if (this.#socketError === null) this.#complete();
    else this.onError(this.#socketError);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.onError(this.#socketError ?? error);
  }

  onError(error: unknown): void {
    this.#enterReceive();
    const failed = this.#failureOf(error);
    this.#stopwatch.stop(this.#context.marker.told());
    this.#finish(failed);
  }

  onDeadline(): void {
    this.#enterReceive();
    const phase = this.#stopwatch.running ?? "wait";
    const late = timedOut(this.#deadline, phase, this.#where);
    if (this.#progress !== "head" || late.code === "cancelled") return this.#finish(late);
    const message = `Timeout after ${this.#deadline.budget} ms in the middle of the response head of ${this.#where}`;
    this.#finish(failure("response_timeout", phase, message));
  }

  /** When the bytes were read that the parser speaks of now. HTTP/2 shows none: there it is when it speaks. */
  #read(): Mark {
    if (this.#version === "2" || this.#chunk === null) this.#chunk = this.#context.marker.told();
    return this.#chunk;
  }

  /** The request left after its first piece was handed over, and before we hear that all of it is gone. */
  #enterWait(mark?: Mark): void {
    if (this.#stopwatch.running !== "write") return;
    if (mark !== undefined) return this.#stopwatch.enter("wait", mark);
    // A short request has left since its writing began; a long one was last heard of through the event loop.
    const told = this.#context.marker.told();
    const since = this.#context.marker.since(this.#writing ?? told);
    this.#stopwatch.enter("wait", since.errorBar < told.errorBar ? since : told);
  }

  /** From the first byte of a head; only at its end is it known to be the final one. One that broke off counts as such. */
  #enterReceive(): void {
    if (this.#progress === "head" && this.#headBegan !== null)
      this.#stopwatch.enter("receive", this.#headBegan);
  }

  /** The response ended with the last bytes that were read, whatever else the connection does. */
  #complete(): void {
    this.#stopwatch.stop(this.#chunk ?? this.#context.marker.told());
    this.#finish(null);
  }

  #finish(failed: Failure | null): void {
    this.#notes?.ended(failed === null);
    const received =
      this.#head === null
        ? null
        : {
            ...this.#head,
            version: this.#version,
            informational: this.#informational,
            raw: Buffer.concat(this.#chunks),
            cut: this.#cut,
          };
    this.#end({ received, failure: failed });
  }

  #failureOf(error: unknown): Failure {
    const phase = this.#stopwatch.running ?? "wait";
    const code = errorCode(error);
    if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW") {
      const size = `${limits.responseHeadBytesMax / 1024} KiB`;
      return failure(
        "headers_too_large",
        phase,
        `the response head is over ${size} (${this.#where})`,
      );
    }
    if (isBrokenOff(code, error) && !this.#isBadLength(code)) return this.#brokenOff(error);
    // Over HTTP/2 a body breaks off with its stream alone, or with a session that says goodbye.
    if (this.#progress === "body" && /^ERR_HTTP2_(STREAM|SESSION)_ERROR$/.test(code))
      return this.#brokenOff(error);
    if (isProtocolError(code, error)) {
      const why = this.#beginning.startsWith(tlsAlert)
        ? "it is an alert of TLS, which the peer speaks on this port"
        : messageOf(error, code);
      return failure(
        "protocol_error",
        phase,
        `the answer is not valid HTTP: ${why} (${this.#where})`,
      );
    }
    return classify(error, phase, this.#where);
  }

  /** undici calls also a Content-Length a mismatch that cannot be one, or that contradicts the rest of the head. */
  #isBadLength(code: string): boolean {
    return this.#progress === "head" && code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
  }

  /** A connection that ended too early: what it means depends on how much had come. */
  #brokenOff(error: unknown): Failure {
    const reset = ["ECONNRESET", "EPIPE"].includes(errorCode(error));
    const how = reset ? "was reset" : "was closed";
    const phase = this.#stopwatch.running ?? "wait";
    switch (this.#progress) {
      case "request":
        return reset
          ? classify(error, phase, this.#where)
          : failure(
              "empty_reply",
              phase,
              `the peer closed the connection without answering (${this.#where})`,
            );
      case "head":
        return failure(
          "headers_truncated",
          phase,
          `the connection ${how} in the middle of the response head (${this.#where})`,
        );
      case "body":
        return failure(
          "body_truncated",
          phase,
          `the connection ${how} after ${this.#size} bytes of the body (${this.#where})`,
        );
    }
  }

  /** When each piece of the response was read, and the version in its first bytes: undici's parser tells neither. */
  #onRead(chunk: Uint8Array): void {
    this.#chunk = this.#context.marker.told();
    // Before anything of it is disguised: it is shown as it came.
    this.#notes?.read(chunk);
    if (this.#onlyInterim) {
      this.#onlyInterim = disguiseContinue(chunk);
      disguiseLength(chunk);
    }
    if (this.#beginning.length >= httpVersionChars) return;
    const more = chunk.subarray(0, httpVersionChars - this.#beginning.length);
    this.#beginning += Buffer.from(more).toString("latin1");
    if (this.#beginning === "HTTP/1.0") this.#version = "1.0";
  }
}

/** The beginning of a record of TLS (RFC 8446 §5.1) that carries an alert. */
const tlsAlert = "\x15\x03";

const messageOf = (error: unknown, code: string): string =>
  Error.isError(error) ? error.message : code;

const httpVersionChars = "HTTP/1.0".length;

/** Errors that say only that the connection is gone. */
function isBrokenOff(code: string, error: unknown): boolean {
  if (
    [
      "ECONNRESET",
      "EPIPE",
      "HPE_INVALID_EOF_STATE",
      "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
    ].includes(code)
  )
    return true;
  return code === "UND_ERR_SOCKET" && Error.isError(error) && /closed/.test(error.message);
}

/** undici's parser names its errors by class alone; HTTP/2's have codes. */
const isProtocolError = (code: string, error: unknown): boolean =>
  /^(HPE_|UND_ERR_|ERR_HTTP2_)/.test(code) ||
  (Error.isError(error) && error.name === "HTTPParserError");
