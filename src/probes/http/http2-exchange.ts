import type * as Http2 from "node:http2";
import * as limits from "#limits/probes-limits";
import { forgetListeners } from "#probes/connection/forget-listeners";
import type { Connection } from "#probes/connection/connection";
import type { Line } from "#probes/connection/line";
import type { Mark, Marker } from "#probes/connection/marker";
import type { IncomingResponse } from "#probes/http/incoming-response";
import { FrameWatch } from "#probes/http/frame-watch";
import type { HeaderPairs } from "#network/http/headers";
import { Http2Pipe } from "#probes/http/http2-pipe";
import type { Request } from "#probes/http/redirect";
import { headerLinesOf, hostOf } from "#probes/http/request-lines";

/** Sends a request over HTTP/2, by the runtime's own session, and reads what comes into `answer`. */
export function exchangeHttp2(
  request: Request,
  line: Line,
  marker: Marker,
  answer: IncomingResponse,
): Pick<Connection, "pause" | "resume" | "close"> {
  let came: Mark | null = null;
  const mark = (): Mark => came ?? marker.observed();
  const watch = new FrameWatch();
  const sending = new RequestSending(answer);
  const pipe = new Http2Pipe(line, {
    onSent: (at) => sending.onSent(at),
    onBytes: (bytes, at) => {
      came = at;
      sending.onBytes(pipe);
      const fault = watch.push(bytes);
      if (fault !== null) answer.onFault(fault);
      return fault === null;
    },
  });
  const end = new SessionEnd();
  const session = openSession(request.url.origin, pipe, end, answer);
  const close = (): void => {
    session.destroy();
    pipe.destroy();
  };
  let stream: Http2.ClientHttp2Stream;
  try {
    stream = session.request(headersOf(request), { endStream: request.body === null });
  } catch (error) {
    answer.onError(error);
    return { close, pause: () => {}, resume: () => {} };
  }
  listen(stream, answer, mark);
  stream.on("close", () => end.judge(answer, stream, watch));
  forgetListeners(stream);
  if (request.body === null) sending.end();
  else stream.end(request.body, () => sending.end());
  return { close, pause: () => stream.pause(), resume: () => stream.resume() };
}

function openSession(
  origin: string,
  pipe: Http2Pipe,
  end: SessionEnd,
  answer: IncomingResponse,
): Http2.ClientHttp2Session {
  const session = http2().connect(origin, { ...givenBy(pipe), ...options });
  session.on("goaway", (code) => (end.goodbye = code));
  session.on("error", (error) => (end.fault = error.message));
  pipe.on("error", (error) => answer.onError(error));
  // The session would end its half first, and then write what it still has to: the runtime throws at that where it cannot
  // be caught, so a peer that hangs up early would end the thread.
  pipe.removeAllListeners("end");
  pipe.on("end", () => {
    end.isClosed = true;
    pipe.destroy();
  });
  forgetListeners(session);
  forgetListeners(pipe);
  session.setLocalWindowSize(limits.http2ConnectionWindowBytes);
  return session;
}

/** Loaded where it is used: the main thread knows every kind of check and runs none over HTTP/2. */
const http2 = (): typeof Http2 => process.getBuiltinModule("node:http2");

/** The session keeps its options: a closure of the exchange would keep the whole check with them. */
const givenBy = (pipe: Http2Pipe): Http2.ClientSessionOptions => ({ createConnection: () => pipe });

const options: Http2.ClientSessionOptions = {
  settings: {
    enablePush: false,
    initialWindowSize: limits.http2StreamWindowBytes,
    maxHeaderListSize: limits.responseHeadBytesMax,
  },
  maxHeaderListPairs: limits.http2HeadPairsMax,
};

function headersOf(request: Request): string[] {
  const { url, method } = request;
  const pseudo = [
    [":method", method],
    [":path", `${url.pathname}${url.search}`],
    [":scheme", url.protocol.slice(0, -1)],
    [":authority", hostOf(request)],
  ] as const;
  const fields = headerLinesOf(request).map(([name, value]) => [name.toLowerCase(), value]);
  // The session writes a character as one byte: these are the bytes of UTF-8.
  return [...pseudo, ...fields].flat().map((text) => Buffer.from(text).toString("latin1"));
}

function listen(stream: Http2.ClientHttp2Stream, answer: IncomingResponse, mark: () => Mark): void {
  let interim = 0;
  stream.on("error", () => {});
  stream.on("headers", (headers) => {
    answer.onHeadBegan(mark());
    answer.onInterim(Number(headers[":status"]));
    interim += 1;
    if (interim > limits.interimResponsesMax)
      answer.onFault({
        code: "protocol_error",
        why: `more than ${limits.interimResponsesMax} interim responses`,
      });
  });
  stream.on("response", (headers) => {
    answer.onHeadBegan(mark());
    const statusCode = Number(headers[":status"]);
    const pairs = pairsOf(headers);
    answer.onHead({ statusCode, version: "2", headers: pairs, transferCodings: [] }, mark());
  });
  stream.on("data", (bytes: Uint8Array) => answer.onBody(bytes, 0, bytes.length, mark()));
  stream.on("end", () => {
    if (stream.rstCode === http2().constants.NGHTTP2_NO_ERROR) answer.onWhole(mark());
  });
}

/** Knows when a request had left: what the session writes to answer its peer does not belong to it. */
class RequestSending {
  readonly #answer: IncomingResponse;
  #left: Mark | null = null;
  #state: "request" | "given" | "over" = "request";

  constructor(answer: IncomingResponse) {
    this.#answer = answer;
  }

  onSent(at: Mark): void {
    if (this.#state === "over") return;
    this.#left = at;
    if (this.#state === "given") this.#answer.onSent(at);
  }

  /** The session has all of it. */
  end(): void {
    this.#state = "given";
    if (this.#left !== null) this.#answer.onSent(this.#left);
  }

  /** Before the session sees what the peer sent. */
  onBytes(pipe: Http2Pipe): void {
    if (this.#state === "given" && this.#left !== null && !pipe.isHolding) this.#state = "over";
  }
}

/** Why a session or its connection ended before the stream did. */
class SessionEnd {
  goodbye: number | null = null;
  fault: string | null = null;
  isClosed = false;

  /** In a sentence about a stream that closed before its answer was whole; after a whole one it changes nothing. */
  judge(
    answer: IncomingResponse,
    { rstCode }: Http2.ClientHttp2Stream,
    { wasReset }: FrameWatch,
  ): void {
    if (this.fault !== null)
      answer.onStreamEnd(`its frames break the rules of HTTP/2: ${this.fault}`);
    // A connection that ends in good order may say so by a goodbye without an error.
    else if (this.goodbye !== null && (this.goodbye !== 0 || !this.isClosed))
      answer.onStreamEnd(`the peer ended the HTTP/2 session with ${nameOf(this.goodbye)}`);
    else if (this.isClosed) answer.onBrokenOff("the connection was closed");
    // The runtime's own way to refuse a head over the limit that it was given.
    else if (!wasReset && nameOf(rstCode) === "ENHANCE_YOUR_CALM")
      answer.onFault({ code: "headers_too_large", max: limits.responseHeadBytesMax });
    else answer.onStreamEnd(`the HTTP/2 stream was reset with ${nameOf(rstCode)}`);
  }
}

const nameOf = (code: number): string => codeNames[code] ?? `the code ${code}`;

/** RFC 9113 §7, from 0 on. */
const codeNames: readonly string[] = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
  "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED",
];

/** Node gives the values of one name joined, but for those that cannot be. */
const pairsOf = (headers: Http2.IncomingHttpHeaders): HeaderPairs =>
  Object.entries(headers)
    .filter(([name]) => !name.startsWith(":"))
    .flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one] as const));
