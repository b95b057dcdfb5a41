import type { IncomingMessage, RequestListener } from "node:http";

/** A header that an operator's tools send their key in, in addition to the two that every service takes. */
export const isHeaderName = (name: string): boolean => /^[a-z\d-]{1,64}$/.test(name);

/** Takes the key from the first of these headers that a request has, if it has none in ours. */
export const takingKeyFrom =
  (names: readonly string[], listener: RequestListener): RequestListener =>
  (request, response) => {
    const found = names.map((name) => request.headers[name]).find((one) => one !== undefined);
    if (typeof found === "string" && !hasKey(request)) request.headers["x-service-key"] = found;
    listener(request, response);
  };

const hasKey = ({ headers }: IncomingMessage): boolean =>
  headers["x-service-key"] !== undefined || headers["x-openstatus-key"] !== undefined;
