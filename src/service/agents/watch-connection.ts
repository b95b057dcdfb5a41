import { randomUUID } from "node:crypto";
import { create, fromJsonString, type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import type { WebSocket } from "ws";
import type { Clock } from "#base/clock";
import {
  type CheckNowAnswer,
  CheckNowAnswerSchema,
  type MonitorsResponse,
  type WatchAgentMessage,
  WatchAgentMessageSchema,
  WatchServerMessageSchema,
} from "#contract/private_location/v1/private_location_pb";
import * as serviceLimits from "#limits/service-limits";
import * as limits from "#limits/wire-limits";
import type { LocationId } from "#service/store/ids";
import { type Millis, nanos, type Nanos, nanosToMillis } from "#base/units";

/** Close codes (RFC 6455 §7.4.1). */
const closeCodes = { goingAway: 1001, brokenRules: 1008 } as const;

/** Which check is asked for: of an assigned monitor, or of one that is not saved. */
export type AskedCheck = { readonly monitorId: string } | { readonly trial: MonitorsResponse };

/** The push channel of one agent. It never throws: an agent that is gone, slow or wrong is let go. */
export class WatchConnection {
  readonly locationId: LocationId;
  /** By which the connection was opened; when that works no longer, neither may the connection. */
  readonly tokenHash: string;
  /** Settles when the connection is no more. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #questions = new Map<string, (answer: CheckNowAnswer) => void>();
  #revision: string | null = null;
  /** Looks since the agent said something: what came while this process was stopped is read between two of them. */
  #silentLooks = 0;
  #pingedAt: Nanos;

  constructor(
    socket: WebSocket,
    {
      locationId,
      tokenHash,
      clock,
    }: { readonly locationId: LocationId; readonly tokenHash: string; readonly clock: Clock },
  ) {
    this.locationId = locationId;
    this.tokenHash = tokenHash;
    this.#socket = socket;
    this.#clock = clock;
    this.#pingedAt = clock.monotonic();
    socket.on("message", (data, isBinary) =>
      this.#hear(!isBinary && Buffer.isBuffer(data) ? data.toString() : null),
    );
    socket.on("ping", () => this.#alive());
    socket.on("pong", () => this.#alive());
    // What went wrong is the agent's to know; the library closes the socket after it.
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      socket.on("close", () => {
        this.#answerAll("the agent's connection was lost");
        resolve();
      });
    });
  }

  /** Says which revision is the newest, once. */
  announce(revision: string): void {
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.#send({ case: "assignmentChanged", value: { revision } });
  }

  /** Asks for a check; the answer is an error if none comes before `signal` aborts. */
  ask(what: AskedCheck, signal: AbortSignal): Promise<CheckNowAnswer> {
    const requestId = randomUUID();
    return new Promise((resolve) => {
      const timeOut = (): void => answer(noAnswer("the agent did not answer in time"));
      const answer = (given: CheckNowAnswer): void => {
        this.#questions.delete(requestId);
        signal.removeEventListener("abort", timeOut);
        resolve(given);
      };
      this.#questions.set(requestId, answer);
      if (signal.aborted) timeOut();
      else signal.addEventListener("abort", timeOut, { once: true });
      this.#send({ case: "checkNow", value: { requestId, ...what } });
    });
  }

  /** Every second: pings where it is time, and drops an agent that has been silent: one that does not read answers no ping either. */
  look(): void {
    this.#silentLooks += 1;
    const silence = this.#silentLooks * serviceLimits.watchLookEvery;
    if (silence > limits.watchPingEvery + limits.watchPongWithin) this.drop();
    else if (this.#since(this.#pingedAt) >= limits.watchPingEvery) {
      this.#pingedAt = this.#clock.monotonic();
      this.#socket.ping();
    }
  }

  /** Asks the agent to go and to come back later. */
  drain(): void {
    this.#answerAll("the service is stopping");
    this.#send({ case: "drain", value: {} });
    this.#socket.close(closeCodes.goingAway, "the service is stopping");
  }

  refuse(sentence: string): void {
    this.#socket.close(closeCodes.brokenRules, sentence);
  }

  drop(): void {
    this.#socket.terminate();
  }

  #since(instant: Nanos): Millis {
    return nanosToMillis(nanos(this.#clock.monotonic() - instant));
  }

  #alive(): void {
    this.#silentLooks = 0;
  }

  #send(message: MessageInitShape<typeof WatchServerMessageSchema>["message"]): void {
    if (this.#socket.readyState !== this.#socket.OPEN || message === undefined) return;
    this.#socket.send(
      toJsonString(WatchServerMessageSchema, create(WatchServerMessageSchema, { message })),
    );
    if (this.#socket.bufferedAmount > limits.watchRevisionsUnreadBytesMax) this.drop();
  }

  /** `text` is null for a binary message. */
  #hear(text: string | null): void {
    this.#alive();
    const message = text === null ? null : parsed(text);
    if (message === null) return this.refuse("this is not a message of a push channel");
    const { case: kind, value } = message.message;
    // No one waits any more for an answer that is not known here.
    if (kind === "checkNowAnswer") this.#questions.get(value.requestId)?.(value);
  }

  #answerAll(error: string): void {
    for (const answer of this.#questions.values()) answer(noAnswer(error));
  }
}

const noAnswer = (error: string): CheckNowAnswer => create(CheckNowAnswerSchema, { error });

/** Null for what is no message. Fields of a newer agent are passed over. */
function parsed(text: string): WatchAgentMessage | null {
  try {
    return fromJsonString(WatchAgentMessageSchema, text, { ignoreUnknownFields: true });
  } catch {
    return null;
  }
}
