import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";

/** A client of a service of the test's, with a secret in a header. */
export const serviceClient = <S extends DescService>(
  service: S,
  baseUrl: string,
  header: "x-service-key" | "x-service-token",
  secret: string,
): Client<S> =>
  createClient(
    service,
    createConnectTransport({
      baseUrl,
      httpVersion: "1.1",
      interceptors: [
        (next) => (request) => {
          request.header.set(header, secret);
          return next(request);
        },
      ],
    }),
  );
