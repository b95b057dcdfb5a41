import { createHash } from "node:crypto";
import { thrownText } from "#base/text";
import {
  create,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import { type Deadline, startDeadline } from "#base/deadline";
import { peerClock } from "#base/peer-clock";
import * as limits from "#limits/wire-limits";
import { ServiceError } from "#transport/control-plane";
import { acceptedEncodings } from "#transport/answer-encodings";
import { type AnswerBounds, answeredMessage, decodedAnswer } from "#transport/service-answer";
import { serviceDialer, type ServiceWay } from "#transport/service-dialer";
import { wayFailure } from "#transport/service-failure";
import { type LineAnswer, ServiceLines } from "#transport/service-lines";
import type { Millis } from "#base/units";

interface ServiceCallOptions {
  /** Base URL of the service; a path prefix and a trailing slash are kept working. */
  readonly baseUrl: string;
  readonly way: ServiceWay;
  /** Who is calling; made anew for each call. Names and values that a header may have: they were judged where they were read. */
  readonly credentials: () => Readonly<Record<string, string>>;
  readonly callTimeout: Millis;
}

/** One call of the contract, as its generated code describes it. */
interface ServiceMethod<I extends DescMessage, O extends DescMessage> {
  readonly name: string;
  readonly input: I;
  readonly output: O;
}

/**
 * The agent's calls: unary ones of the Connect protocol, binary, over HTTP/1.1. The existing service is called once a
 * check, so what a call costs counts: it is one write over a connection that is kept. Connect's own client would have the
 * runtime load all of its fetch, 8 MB, for a class of headers.
 */
export class ServiceCalls {
  readonly #options: ServiceCallOptions;
  readonly #lines: ServiceLines;
  readonly #path: string;
  /** Of each request, what is the same every time. */
  readonly #heading: string;

  constructor(options: ServiceCallOptions) {
    const { baseUrl, way, callTimeout } = options;
    const { host, pathname } = new URL(baseUrl);
    this.#options = options;
    this.#lines = new ServiceLines(serviceDialer(baseUrl, way), way.clock);
    this.#path = `${pathname.replace(/\/+$/, "")}/${PrivateLocationService.typeName}`;
    this.#heading = [
      ` HTTP/1.1`,
      `host: ${host}`,
      "connection: keep-alive",
      "content-type: application/proto",
      "connect-protocol-version: 1",
      `connect-timeout-ms: ${callTimeout}`,
      `user-agent: ${way.userAgent}`,
      "content-length: ",
    ].join("\r\n");
  }

  /** Asks, and gives the answer. Throws a ServiceError. */
  async call<I extends DescMessage, O extends DescMessage>(
    method: ServiceMethod<I, O>,
    request: MessageInitShape<I>,
    signal: AbortSignal,
  ): Promise<MessageShape<O>> {
    const answer = await this.#asked(method, request, signal);
    return decodedAnswer(method.output, answer, boundsOf(method));
  }

  /** The same, and the hash of the answer as it came. Null if that is `known`: then nothing is decoded. */
  async callForNews<I extends DescMessage, O extends DescMessage>(
    method: ServiceMethod<I, O>,
    request: MessageInitShape<I>,
    known: string | null,
    signal: AbortSignal,
  ): Promise<{ readonly answer: MessageShape<O>; readonly hash: string } | null> {
    const message = await this.#asked(method, request, signal);
    const hash = createHash("sha256").update(message).digest("base64");
    if (hash === known) return null;
    return { answer: decodedAnswer(method.output, message, boundsOf(method)), hash };
  }

  /** The same with a message that is bytes already, and an answer that is too short to be packed. */
  async send(
    method: ServiceMethod<DescMessage, DescMessage>,
    message: Uint8Array,
    signal: AbortSignal,
  ): Promise<void> {
    const answer = await this.#exchanged(method, message, "", signal);
    // A message without any field has no bytes, and most services answer so.
    if (answer.length > 0) decodedAnswer(method.output, answer, boundsOf(method));
  }

  #asked<I extends DescMessage>(
    method: ServiceMethod<I, DescMessage>,
    request: MessageInitShape<I>,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const message = toBinary(method.input, create(method.input, request));
    return this.#exchanged(method, message, `accept-encoding: ${acceptedEncodings}\r\n`, signal);
  }

  async #exchanged(
    method: { readonly name: string },
    message: Uint8Array,
    further: string,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { way, callTimeout } = this.#options;
    const bounds = boundsOf(method);
    const request = this.#request(method.name, message, further);
    const deadline = startDeadline(peerClock(way.clock), callTimeout, signal);
    // Not `using`: V8 disposes by a slow call, which each result would make.
    try {
      const answer = await this.#answer(request, bounds, deadline);
      return await answeredMessage(answer, bounds, way.clock.wall());
    } finally {
      deadline[Symbol.dispose]();
    }
  }

  async #answer(
    request: Uint8Array,
    { bytesMax }: AnswerBounds,
    deadline: Deadline,
  ): Promise<LineAnswer> {
    try {
      return await this.#lines.exchange(request, bytesMax, deadline.end);
    } catch (error) {
      throw deadlineFailure(deadline) ?? failureOf(error);
    }
  }

  #request(name: string, message: Uint8Array, further: string): Uint8Array {
    let head = `POST ${this.#path}/${name}${this.#heading}${message.length}\r\n${further}`;
    for (const [field, value] of Object.entries(this.#options.credentials()))
      head += `${field}: ${value}\r\n`;
    return Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), message]);
  }
}

/** An assignment may be large; every other answer is a few words. */
const boundsOf = ({ name }: { readonly name: string }): AnswerBounds =>
  name === PrivateLocationService.method.monitors.name ? assignmentBounds : wordBounds;
const assignmentBounds: AnswerBounds = {
  bytesMax: limits.serviceAnswerBytesMax,
  elementsMax: limits.assignmentElementsMax,
};
const wordBounds: AnswerBounds = {
  bytesMax: limits.serviceWordBytesMax,
  elementsMax: limits.serviceWordElementsMax,
};

/** No answer came. */
const failureOf = (error: unknown): ServiceError =>
  wayFailure(error) ?? new ServiceError("unavailable", thrownText(error));

function deadlineFailure({ ended }: Deadline): ServiceError | null {
  switch (ended) {
    case "timeout":
      return new ServiceError("timeout", "the operation timed out");
    case "cancelled":
      return new ServiceError("cancelled", "this operation was aborted");
    case null:
      return null;
  }
}
