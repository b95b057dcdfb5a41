import { createClient } from "@connectrpc/connect";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import { type Deadline, startDeadline } from "#deadline";
import { firstValue } from "#network/http/headers";
import { boundedTransport } from "#transport/bounded-answers";
import { ServiceError } from "#transport/control-plane";
import { serviceDialer, type ServiceWay } from "#transport/service-dialer";
import { wayFailure } from "#transport/service-failure";
import { type LineAnswer, ServiceLines } from "#transport/service-lines";
import type { Millis } from "#units";
import type { PlainCall } from "#wire/plain-report";

export interface PlainCallOptions {
  readonly baseUrl: string;
  readonly way: ServiceWay;
  /** Who is calling; made anew for each call. Names and values that a header may have: they were judged where they were read. */
  readonly credentials: () => Readonly<Record<string, string>>;
  readonly callTimeout: Millis;
}

/**
 * The calls that carry one result each: the existing service is called once a check, so what a call costs counts. The
 * bytes of the result go as they are, in one write over a connection that is kept. The answer to a result that was taken
 * is empty, and any other is judged by Connect itself.
 */
export class PlainCalls {
  readonly #options: PlainCallOptions;
  readonly #lines: ServiceLines;
  readonly #path: string;
  /** Of each request, what is the same every time. */
  readonly #heading: string;

  constructor(options: PlainCallOptions) {
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

  /** Ends when the service has taken the result. Throws a ServiceError, or what Connect makes of the answer. */
  async send(call: PlainCall, message: Uint8Array, signal: AbortSignal): Promise<void> {
    const { way, callTimeout } = this.#options;
    using deadline = startDeadline(way.clock, callTimeout, signal);
    const answer = await this.#answer(call, message, deadline);
    if (!isTaken(answer)) await this.#judge(call, answer);
  }

  async #answer(call: PlainCall, message: Uint8Array, deadline: Deadline): Promise<LineAnswer> {
    try {
      return await this.#lines.exchange(this.#request(call, message), deadline.end);
    } catch (error) {
      throw deadlineFailure(deadline) ?? failureOf(error);
    }
  }

  #request(call: PlainCall, message: Uint8Array): Uint8Array {
    let head = `POST ${this.#path}/${call}${this.#heading}${message.length}\r\n`;
    for (const [name, value] of Object.entries(this.#options.credentials()))
      head += `${name}: ${value}\r\n`;
    return Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), message]);
  }

  /** Has Connect read an answer that has come already. */
  async #judge(call: PlainCall, { statusCode: status, headers, body }: LineAnswer): Promise<void> {
    const { baseUrl } = this.#options;
    const header = new Headers();
    for (const [name, value] of headers) header.append(name, value);
    const answer = { status, header, body: oneOf(body), trailer: new Headers() };
    const transport = boundedTransport({
      baseUrl,
      call: () => Promise.resolve(answer),
      interceptors: [],
    });
    const client = createClient(PrivateLocationService, transport);
    switch (call) {
      case "IngestHTTP":
        return void (await client.ingestHTTP({}));
      case "IngestTCP":
        return void (await client.ingestTCP({}));
      case "IngestDNS":
        return void (await client.ingestDNS({}));
    }
  }
}

async function* oneOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

/** The messages that answer the plain calls have no fields, so those that are not packed have no bytes. */
const isTaken = ({ statusCode, headers, body }: LineAnswer): boolean =>
  statusCode === 200 &&
  body.length === 0 &&
  firstValue(headers, "content-type") === "application/proto" &&
  firstValue(headers, "content-encoding") === null;

/** No answer came. */
const failureOf = (error: unknown): ServiceError =>
  wayFailure(error) ??
  new ServiceError("unavailable", Error.isError(error) ? error.message : String(error));

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
