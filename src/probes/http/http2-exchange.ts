import type * as Http2 from "node:http2";
import * as limits from "#limits/probes-limits";
import { forgetListeners } from "#probes/socket/forget-listeners";
import type { Connection } from "#probes/socket/connection";
import type { Line } from "#probes/socket/line";
import type { Mark, Marker } from "#probes/socket/marker";
import type { IncomingResponse } from "#probes/http/incoming-response";
import { frameFlags, FrameHeads, frameTypes } from "#probes/http/frame-heads";
import { FrameWatch } from "#probes/http/frame-watch";
import type { HeaderPairs } from "#network/http/headers";
import { Http2Pipe } from "#probes/http/http2-pipe";
import type { Request } from "#probes/resolve/redirect";
import { headerLinesOf, hostOf } from "#probes/http/request-lines";

/** Sends a request over HTTP/2, by the runtime's own session, and reads what comes into `answer`. */
export function exchangeHttp2(
  request: Request,
  line: Line,
  marker: Marker,
  answer: IncomingResponse,
): Pick<Connection, "pause" | "resume" | "close"> {
  const watch = new FrameWatch();
  const sending = new RequestSending(answer);
  const pipe = new Http2Pipe(line, {
    onWrite: (bytes, isFirst) => sending.onWrite(bytes, isFirst),
    onSent: (at) => sending.onSent(at),
    onBytes: (bytes, at) => {
      const passed = watch.push(bytes, at);
      const { fault } = watch;
      // What came before it counts, and the session reports that by the end of this turn.
      if (fault !== null) setImmediate(() => answer.onFault(fault));
      return passed;
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
  listen(stream, answer, {
    head: () => watch.nextHead() ?? marker.observed(),
    newest: () => watch.newest ?? marker.observed(),
  });
  stream.on("close", () => end.judge(answer, stream, watch));
  forgetListeners(stream);
  if (request.body !== null) stream.end(request.body);
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
  // The one value that HTTP/2 allows (RFC 9113 §8.2.2).
  if (request.headers.some(({ key, value }) => key === "te" && value === "trailers"))
    fields.push(["te", "trailers"]);
  // The session writes a character as one byte: these are the bytes of UTF-8.
  return [...pseudo, ...fields].flat().map((text) => Buffer.from(text).toString("latin1"));
}

/** When that came which the session reports. */
interface CameMarks {
  readonly head: () => Mark;
  readonly newest: () => Mark;
}

function listen(stream: Http2.ClientHttp2Stream, answer: IncomingResponse, came: CameMarks): void {
  let interim = 0;
  stream.on("error", () => {});
  stream.on("headers", (headers) => {
    answer.onHeadBegan(came.head());
    answer.onInterim(Number(headers[":status"]));
    interim += 1;
    if (interim > limits.interimResponsesMax)
      answer.onFault({
        code: "protocol_error",
        why: `more than ${limits.interimResponsesMax} interim responses`,
      });
  });
  stream.on("response", (headers) => {
    answer.onHeadBegan(came.head());
    const statusCode = Number(headers[":status"]);
    const pairs = pairsOf(headers);
    answer.onHead({ statusCode, version: "2", headers: pairs, transferCodings: [] }, came.newest());
  });
  stream.on("trailers", (trailers) => answer.onTrailers(pairsOf(trailers)));
  stream.on("data", (bytes: Uint8Array) => answer.onBody(bytes, 0, bytes.length, came.newest()));
  stream.on("end", () => {
    if (stream.rstCode === http2().constants.NGHTTP2_NO_ERROR) answer.onWhole(came.newest());
  });
}

/** The client's preface (RFC 9113 §3.4), before its first frame. */
const prefaceBytes = 24;

/**
 * Knows when a request had left, by the frames that the session writes: what it writes afterwards, to answer its peer, does not
 * belong to it.
 */
class RequestSending {
  readonly #answer: IncomingResponse;
  readonly #frames = new FrameHeads(prefaceBytes);
  #isEnding = false;
  #isHeadOpen = false;
  #state: "request" | "written" | "left" | "over" = "request";

  constructor(answer: IncomingResponse) {
    this.#answer = answer;
  }

  /** `isFirst` where what follows leaves after what was written before. */
  onWrite(bytes: Uint8Array, isFirst: boolean): void {
    if (this.#state === "left" && isFirst) this.#state = "over";
    if (this.#state !== "request") return;
    this.#frames.push(bytes, ({ type, flags }) => {
      if (type === frameTypes.headers || type === frameTypes.continuation)
        this.#isHeadOpen = (flags & frameFlags.endHeaders) === 0;
      if (type === frameTypes.headers || type === frameTypes.data)
        this.#isEnding ||= (flags & frameFlags.endStream) !== 0;
      return true;
    });
    if (this.#isEnding && !this.#isHeadOpen && this.#frames.isWhole) this.#state = "written";
  }

  onSent(at: Mark): void {
    if (this.#state !== "written" && this.#state !== "left") return;
    this.#state = "left";
    this.#answer.onSent(at);
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
