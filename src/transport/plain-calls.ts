import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Agent, RequestOptions } from "node:http";
import { createClient } from "@connectrpc/connect";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import type { Clock } from "#clock";
import { type Deadline, startDeadline } from "#deadline";
import { boundedTransport } from "#transport/bounded-answers";
import { ServiceError } from "#transport/control-plane";
import { wayFailure } from "#transport/service-failure";
import type { Millis } from "#units";
import type { PlainCall } from "#wire/plain-report";

export interface PlainCallOptions {
  readonly baseUrl: string;
  readonly agent: Agent;
  /** Who is calling; made anew for each call. */
  readonly credentials: () => Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly callTimeout: Millis;
  readonly clock: Clock;
}

/**
 * The calls that carry one result each: the existing service is called once a check, so what a call costs counts. The
 * bytes of the result go as they are, in one write over a connection that is kept. The answer to a result that was taken
 * is empty, and any other is judged by Connect itself.
 */
export class PlainCalls {
  readonly #options: PlainCallOptions;
  readonly #request: (options: RequestOptions) => ClientRequest;
  readonly #place: RequestOptions;
  readonly #path: string;

  constructor(options: PlainCallOptions) {
    const { protocol, hostname, port, pathname } = new URL(options.baseUrl);
    this.#options = options;
    this.#request = protocol === "https:" ? requestHttps : requestHttp;
    this.#place = {
      agent: options.agent,
      method: "POST",
      protocol,
      hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
      ...(port === "" ? {} : { port }),
    };
    this.#path = `${pathname.replace(/\/+$/, "")}/${PrivateLocationService.typeName}`;
  }

  /** Ends when the service has taken the result. Throws a ServiceError, or what Connect makes of the answer. */
  async send(call: PlainCall, message: Uint8Array, signal: AbortSignal): Promise<void> {
    const { clock, callTimeout } = this.#options;
    using deadline = startDeadline(clock, callTimeout, signal);
    try {
      const response = await this.#answer(call, message, deadline);
      if (response !== null) await this.#judge(call, response);
    } catch (error) {
      throw deadlineFailure(deadline) ?? error;
    }
  }

  /** Null where the result was taken, once the connection is free for the next one. */
  #answer(
    call: PlainCall,
    message: Uint8Array,
    { signal }: Deadline,
  ): Promise<IncomingMessage | null> {
    const { credentials, userAgent, callTimeout } = this.#options;
    const request = this.#request({
      ...this.#place,
      path: `${this.#path}/${call}`,
      headers: {
        "content-type": "application/proto",
        "content-length": message.length,
        "connect-protocol-version": "1",
        "connect-timeout-ms": callTimeout,
        "user-agent": userAgent,
        ...credentials(),
      },
    });
    return new Promise((resolve, reject) => {
      const onDeadline = (): void => void request.destroy(new Error("the call was ended"));
      request.on("response", (response) => {
        if (!isTaken(response)) return resolve(response);
        request.on("close", () => resolve(null));
        response.resume();
      });
      request.on("error", (error) => reject(failureOf(error)));
      request.on("close", () => signal.removeEventListener("abort", onDeadline));
      if (signal.aborted) return onDeadline();
      signal.addEventListener("abort", onDeadline, { once: true });
      request.end(message);
    });
  }

  /** Has Connect read an answer that has come already. */
  async #judge(call: PlainCall, response: IncomingMessage): Promise<void> {
    const { baseUrl } = this.#options;
    const header = new Headers();
    for (const [name, value] of Object.entries(response.headers))
      for (const one of [value ?? []].flat()) header.append(name, one);
    const answer = { status: response.statusCode ?? 0, header, body: response };
    const transport = boundedTransport({
      baseUrl,
      call: () => Promise.resolve({ ...answer, trailer: new Headers() }),
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

/** The messages that answer the plain calls have no fields, so those that are not packed have no bytes. */
const isTaken = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 &&
  headers["content-length"] === "0" &&
  headers["content-type"] === "application/proto" &&
  headers["content-encoding"] === undefined;

/** No answer came. */
const failureOf = (error: Error): ServiceError =>
  wayFailure(error) ?? new ServiceError("unavailable", error.message);

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
