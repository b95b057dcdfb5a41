import { request } from "node:http";
import type { ListenAddress } from "#network/listen-address";
import { cutText } from "#text";

/** What was answered on a path of an agent's own endpoint. */
export interface EndpointAnswer {
  readonly status: number;
  /** The body, cut to the length that was asked for. */
  readonly text: string;
}

/** Asks whoever listens there, by GET. Rejects where no answer comes. */
export function askEndpoint(
  { host, port }: ListenAddress,
  path: string,
  charsMax: number,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<EndpointAnswer>();
  const asked = request({ host, port, path, signal, agent: false }, (response) => {
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
