import { request } from "node:http";
import { request as requestByTls } from "node:https";
import type { ListenAddress } from "#network/listen-address";
import { cutText } from "#base/text";

/** What was answered on a path of an agent or a service on this machine. */
export interface EndpointAnswer {
  readonly status: number;
  /** The body, cut to the length that was asked for. */
  readonly text: string;
}

/** Asks whoever listens there, by GET. Rejects where no answer comes. */
export const askEndpoint = (
  at: ListenAddress,
  path: string,
  charsMax: number,
  signal: AbortSignal,
): Promise<EndpointAnswer> => ask(request, at, path, charsMax, signal);

/** The same over TLS. The question holds no secret, and a certificate has no name for this machine's own addresses. */
export const askEndpointByTls = (
  at: ListenAddress,
  path: string,
  charsMax: number,
  signal: AbortSignal,
): Promise<EndpointAnswer> => ask(requestByTls, at, path, charsMax, signal);

function ask(
  by: typeof requestByTls,
  { host, port }: ListenAddress,
  path: string,
  charsMax: number,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<EndpointAnswer>();
  const options = { host, port, path, signal, agent: false, rejectUnauthorized: false };
  const asked = by(options, (response) => {
    let text = "";
    response.setEncoding("utf8");
    // Something else may listen there, and have no end.
    response.on("data", (chunk: string) => {
      text = cutText(text + chunk, charsMax);
      if (text.length === charsMax) response.destroy();
    });
    response.on("close", () => resolve({ status: response.statusCode ?? 0, text }));
    response.on("error", reject);
  });
  asked.on("error", reject);
  asked.end();
  return promise;
}
