import type { IncomingMessage } from "node:http";
import { create, fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { WebSocket } from "ws";
import type { Clock } from "#base/clock";
import {
  type CheckNow,
  PrivateLocationService,
  WatchAgentMessageSchema,
  type WatchServerMessage,
  WatchServerMessageSchema,
} from "#contract/private_location/v1/private_location_pb";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/wire-limits";
import type { ConnectOptions } from "#transport/connect-control-plane";
import { peerClock } from "#base/peer-clock";
import { retryAfterOf } from "#network/retry-after";
import { ServiceError, type ServiceReason } from "#transport/control-plane";
import { cutText } from "#base/text";
import { serviceAgent } from "#transport/service-dialer";
import { nanos, type Nanos, nanosToMillis } from "#base/units";
import type { AskedCheck, CheckNowAnswer, Watch, WatchListener } from "#transport/watch";
import { readAssignment } from "#wire/read-assignment";

/** The push channel over a WebSocket, next to the calls: same base URL, way, header and token. */
export function websocketWatch(options: ConnectOptions): Watch {
  return { attend: async (listener, signal) => new Line(options, listener).run(signal) };
}

/** One connection from its first byte to its last. The library's timers are not used: every wait is by the clock. */
class Line {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  /** For what the service has to answer. */
  readonly #patience: Clock;
  readonly #instanceId: string;
  readonly #listener: WatchListener;
  /** Aborts when the connection has ended. */
  readonly #over = new AbortController();
  #messages = 0;
  #messagesSince: Nanos;
  /** Aborts at the next sign of life of the service. */
  #silence = new AbortController();
  /** The first thing that went wrong says why all ended. */
  #why: ServiceError | null = null;

  constructor(options: ConnectOptions, listener: WatchListener) {
    const { baseUrl, token, tokenHeader, instance, way, clock } = options;
    this.#clock = clock;
    this.#patience = peerClock(clock);
    this.#messagesSince = clock.monotonic();
    this.#instanceId = instance.id;
    this.#listener = listener;
    this.#socket = new WebSocket(watchUrl(baseUrl), {
      agent: serviceAgent(baseUrl, way),
      headers: { [tokenHeader]: token() },
      maxPayload: limits.watchRevisionBytesMax,
      perMessageDeflate: false,
    });
  }

  async run(signal: AbortSignal): Promise<ServiceError> {
    const socket = this.#socket;
    const closed = new Promise<void>((resolve) => {
      socket.on("close", (code, reason) => {
        this.#note("unavailable", closedSentence(code, reason));
        resolve();
      });
    });
    socket.on("open", () => this.#open());
    socket.on("message", (data, isBinary) =>
      this.#hear(!isBinary && Buffer.isBuffer(data) ? data.toString() : null),
    );
    socket.on("ping", () => {
      this.#alive();
      this.#count();
    });
    socket.on("pong", () => this.#alive());
    socket.on("unexpected-response", (_request, response) => this.#refused(response));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // A connection that did not come about says so itself.
      if (error instanceof ServiceError) this.#why ??= error;
      else this.#note(faultReason(error), error.message);
    });
    const leave = (): void => this.#leave();
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    void this.#connectInTime();
    await closed;
    signal.removeEventListener("abort", leave);
    this.#over.abort();
    return this.#why ?? new ServiceError("unavailable", "the connection ended");
  }

  #note(reason: ServiceReason, message: string, response?: IncomingMessage): void {
    const retryAfter = retryAfterOf(response?.headers["retry-after"] ?? null, this.#clock.wall());
    this.#why ??= new ServiceError(
      reason,
      cutText(message, checkLimits.messageCharsMax),
      retryAfter,
    );
  }

  /** Ends the connection at once: a peer that broke the rules is owed no goodbye. */
  #drop(reason: ServiceReason, message: string): void {
    this.#note(reason, message);
    this.#socket.terminate();
  }

  /** Ends the connection with a goodbye, which the service has a moment to return. */
  #leave(): void {
    this.#note("cancelled", "the agent disconnected");
    if (this.#socket.readyState !== WebSocket.OPEN) return this.#socket.terminate();
    this.#socket.close(1000);
    void this.#clock
      .sleep(limits.watchGoodbyeWithin, this.#over.signal)
      .then(() => this.#socket.terminate());
  }

  async #connectInTime(): Promise<void> {
    await this.#patience.sleep(
      limits.serviceCallTimeout,
      AbortSignal.any([this.#over.signal, this.#silence.signal]),
    );
    if (this.#socket.readyState === WebSocket.CONNECTING)
      this.#drop("timeout", "no answer to the request for a push channel");
  }

  #open(): void {
    this.#alive();
    this.#listener.opened();
    void this.#ping();
  }

  /** A service that pushes without end would be all that this thread hears. */
  #count(): void {
    const now = this.#clock.monotonic();
    if (nanosToMillis(nanos(now - this.#messagesSince)) > limits.watchMessagesSpan) {
      this.#messages = 0;
      this.#messagesSince = now;
    }
    this.#messages += 1;
    if (this.#messages > limits.watchMessagesMax)
      this.#drop(
        "garbage",
        `the service pushed more than ${limits.watchMessagesMax} messages in ${limits.watchMessagesSpan} ms`,
      );
  }

  #alive(): void {
    this.#silence.abort();
  }

  /** A half-open connection never ends by itself: a ping that nothing answers ends it. */
  async #ping(): Promise<void> {
    const over = this.#over.signal;
    for (;;) {
      await this.#clock.sleep(limits.watchPingEvery, over);
      if (over.aborted || this.#socket.readyState !== WebSocket.OPEN) return;
      this.#silence = new AbortController();
      this.#socket.ping();
      const { signal } = this.#silence;
      await this.#patience.sleep(limits.watchPongWithin, AbortSignal.any([over, signal]));
      if (over.aborted) return;
      if (!signal.aborted)
        return this.#drop("timeout", `a ping was not answered in ${limits.watchPongWithin} ms`);
    }
  }

  /** `text` is null for a binary message. */
  #hear(text: string | null): void {
    this.#alive();
    this.#count();
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const message = text === null ? null : parsed(text);
    if (message === null)
      return this.#drop("garbage", "the service pushed something that is not a message");
    const { case: kind, value } = message.message;
    switch (kind) {
      case "assignmentChanged":
        return this.#listener.pushed({ kind: "changed", revision: value.revision });
      case "checkNow": {
        const asked = askedIn(value);
        const answer = (given: CheckNowAnswer): void => this.#answer(value, given);
        return this.#listener.pushed({ kind: "check_now", asked, answer });
      }
      case "drain":
        return this.#listener.pushed({ kind: "drain" });
      case undefined:
        // A newer service may push what we do not know.
        return;
    }
  }

  #answer(to: CheckNow, answer: CheckNowAnswer): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const answered = this.#message(to, answer);
    const tooLarge = Buffer.byteLength(answered) > limits.watchAnswerBytesMax;
    this.#socket.send(
      tooLarge
        ? this.#message(to, { ran: false, error: "the result is too large to be sent" })
        : answered,
    );
    if (this.#socket.bufferedAmount > limits.watchAnswersUnreadBytesMax)
      this.#drop("unavailable", "the service does not read the answers that it requested");
  }

  #message({ requestId, trial }: CheckNow, answer: CheckNowAnswer): string {
    const what = answer.ran ? { result: answer.result } : { error: answer.error };
    const instanceId = this.#instanceId;
    const value = { requestId, instanceId, trial: trial !== undefined, ...what };
    return toJsonString(
      WatchAgentMessageSchema,
      create(WatchAgentMessageSchema, { message: { case: "checkNowAnswer", value } }),
    );
  }

  #refused(response: IncomingMessage): void {
    const status = response.statusCode ?? 0;
    this.#note(
      refusalReason(status),
      `the request for a push channel was answered with ${status}`,
      response,
    );
    this.#socket.terminate();
  }
}

const watchUrl = (baseUrl: string): string =>
  `${baseUrl.replace(/\/+$/, "").replace(/^http/i, "ws")}/${PrivateLocationService.typeName}/Watch`;

/** A monitor that is not saved is read as those of an assignment are. */
function askedIn({ monitorId, trial }: CheckNow): AskedCheck {
  if (trial === undefined) return { of: "assigned", monitorId };
  return { of: "trial", monitor: readAssignment(trial).monitors[0] ?? null };
}

/** Null for what is no message. Fields of a newer service are passed over. */
function parsed(text: string): WatchServerMessage | null {
  try {
    return fromJsonString(WatchServerMessageSchema, text, { ignoreUnknownFields: true });
  } catch {
    return null;
  }
}

function closedSentence(code: number, reason: Buffer): string {
  const why = reason.length === 0 ? "" : `: ${String(reason)}`;
  return `the service closed the push channel (${code}${why})`;
}

/** An answer that is no upgrade comes from a service, or a proxy before it, that has none, unless it says otherwise. */
function refusalReason(status: number): ServiceReason {
  if (status === 401) return "unauthenticated";
  if (status === 403) return "forbidden";
  if (status === 408) return "timeout";
  if (status === 429) return "rate_limited";
  if (status >= 500 && status !== 501) return "unavailable";
  return "unsupported";
}

/** The network's errors have codes of the system; the library's own and those of a parser are about what was sent. */
const faultReason = ({ code = "" }: NodeJS.ErrnoException): ServiceReason =>
  code === "" || code.startsWith("WS_ERR") || code.startsWith("HPE_") ? "garbage" : "unavailable";
